/* SPDX-License-Identifier: Apache-2.0 */
/* Images: from what cuModuleLoadData is given to parsed PTX.
 *
 * The PTX of the highest compute capability that the device has is parsed. A cubin is never run; one for
 * exactly this device gives registers, spills and shared memory. What cannot be run is refused with how to
 * rebuild it. */
#include "driver_module.h"

#include "driver/core/driver_error.h"
#include "driver/core/driver_owner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void program_end(struct driver_object *object)
{
    struct driver_program *program = (struct driver_program *)object;
    if (program->ptx) ptx_module_free(program->ptx);
    free(program->text);
    arena_release(&program->arena);
    free(program);
}

static CUresult refuse_image(enum sw_status status, const struct driver_device *device,
                             const struct fatbin *fatbin, const void *image)
{
    struct sw_error error = {0};
    uint32_t cc = device->cc->major * 10 + device->cc->minor, lowest = UINT32_MAX;
    bool of_cubin = false;
    for (uint32_t i = 0; i < fatbin->count; i++)
        if (fatbin->entries[i].kind == FATBIN_PTX && fatbin->entries[i].sm < lowest) {
            lowest = fatbin->entries[i].sm;
            of_cubin = fatbin->entries[i].of_cubin;
        }
    char owner[400] = "this program";
    const char *compiled = driver_owner_of(image) ? NULL : driver_owner_compiler();
    if (driver_owner_explain(image, owner, sizeof owner))
        sw_fail(&error, status, "%s", owner);
    else if (lowest == UINT32_MAX && compiled)
        sw_fail(&error, status,
                "the image holds machine code only and no PTX; if NVRTC made it, use instead: %s", compiled);
    else if (lowest == UINT32_MAX)
        sw_fail(&error, status,
                "%s holds machine code only and no PTX, which Softwarp needs; rebuild it with PTX: nvcc "
                "-gencode arch=compute_%u,code=compute_%u",
                owner, cc, cc);
    else if (of_cubin && lowest / 10 != cc / 10)
        sw_fail(
            &error, status,
            "the image was made for sm_%u alone, as machine code is, and %s is sm_%u: ask NVRTC or ptxas for "
            "sm_%u, or for PTX (compute_%u)",
            lowest, device->gpu.full_name, cc, cc, lowest < cc ? lowest : cc);
    else if (lowest <= cc)
        sw_fail(
            &error, status,
            "the PTX of this program is for sm_%u with an architecture-specific suffix, which runs on that "
            "architecture only; %s is sm_%u",
            lowest, device->gpu.full_name, cc);
    else
        sw_fail(&error, status,
                "the PTX of this program is for sm_%u or newer, and %s is sm_%u; run it anyway with "
                "--any-target (SOFTWARP_ANY_TARGET=1), or choose a newer device",
                lowest, device->gpu.full_name, cc);
    return driver_refuse(&error);
}

static void image_describe(struct driver_program *program, const struct fatbin *fatbin, uint32_t cc)
{
    const struct fatbin_entry *elf = fatbin_best_elf(fatbin, cc);
    struct sw_error error = {0};
    if (!elf || elf->sm != cc) return;
    enum sw_status status =
        fatbin_cubin_resources(elf->data, elf->bytes, &program->arena, &program->resources,
                               &program->resource_count, &program->elf_sm, &error);
    if (status == SW_OK) return;
    program->resource_count = 0;
    sw_log("resources of the sm_%u machine code are not readable (%s); registers are estimated", elf->sm,
           error.message);
}

static CUresult log_failure(const struct sw_error *error)
{
    char line[1024];
    sw_log("%s", sw_error_format(error, line, sizeof line));
    return driver_result(error->status);
}

static CUresult take_text(struct driver_program *program, const struct fatbin_entry *entry)
{
    program->text = sw_xmalloc(entry->bytes + 1);
    memcpy(program->text, entry->data, entry->bytes);
    program->text[entry->bytes] = 0;
    program->text_bytes = entry->bytes;
    return CUDA_SUCCESS;
}

struct parts {
    VEC(struct driver_ptx_unit) list; /* text is the fat binary's */
};

static void parts_release(struct parts *parts)
{
    for (size_t i = 0; i < parts->list.count; i++)
        ptx_module_free((struct ptx_module *)parts->list.at[i].ptx);
    vec_release(&parts->list);
}

enum sw_status driver_ptx_read(const char *text, size_t length, const char *name, struct ptx_module **out,
                               struct sw_error *error)
{
    struct ptx_module *module;
    SW_TRY(ptx_parse(text, length, name, &module, error));
    enum sw_status status = ptx_verify(module, error);
    if (status == SW_OK)
        *out = module;
    else
        ptx_module_free(module);
    return status;
}

static CUresult add_part(struct parts *parts, const struct fatbin_entry *entry)
{
    struct ptx_module *ptx;
    struct sw_error error = {0};
    if (driver_ptx_read((const char *)entry->data, entry->bytes, *entry->name ? entry->name : "ptx", &ptx,
                        &error) != SW_OK)
        return log_failure(&error);
    *vec_push(&parts->list) = (struct driver_ptx_unit){(const char *)entry->data, ptx};
    return CUDA_SUCCESS;
}

static CUresult link_parts(struct driver_program *program, const struct parts *parts)
{
    struct str text = {0};
    struct sw_error error = {0};
    if (driver_ptx_link(parts->list.at, (unsigned)parts->list.count, &text, &error) != SW_OK) {
        str_release(&text);
        return log_failure(&error);
    }
    program->text_bytes = text.length;
    program->text = str_steal(&text);
    return CUDA_SUCCESS;
}

/* -rdc=true: unit 0 is what nvlink made, machine code only; the others are the PTX of each source file. */
static CUresult take_parts(struct driver_program *program, const struct fatbin *fatbin,
                           const struct driver_device *device, const void *image)
{
    uint32_t cc = device->cc->major * 10 + device->cc->minor;
    struct parts parts = {0};
    CUresult result = CUDA_SUCCESS;
    for (uint32_t unit = 1; result == CUDA_SUCCESS && unit < fatbin->units; unit++) {
        const struct fatbin_entry *entry = fatbin_best_ptx_of_unit(fatbin, unit, cc, driver.any_target);
        if (fatbin_is_device_runtime(fatbin, unit)) continue; /* its functions are ours: driver_cdp_call.c */
        result = entry ? add_part(&parts, entry) : refuse_image(SW_NO_BINARY_FOR_GPU, device, fatbin, image);
    }
    if (result == CUDA_SUCCESS) result = link_parts(program, &parts);
    parts_release(&parts);
    return result;
}

static CUresult image_parse(struct driver_program *program, const struct fatbin *fatbin,
                            const struct driver_device *device, const void *image)
{
    uint32_t cc = device->cc->major * 10 + device->cc->minor;
    const struct fatbin_entry *entry = fatbin_best_ptx(fatbin, cc, driver.any_target);
    struct sw_error error = {0};
    if (!entry) return refuse_image(SW_NO_BINARY_FOR_GPU, device, fatbin, image);
    bool several = fatbin->linked && fatbin->units > 2;
    DRIVER_TRY(several ? take_parts(program, fatbin, device, image) : take_text(program, entry));
    const char *name = *entry->name ? arena_strdup(&program->arena, entry->name) : "ptx";
    if (driver_ptx_read(program->text, program->text_bytes, name, &program->ptx, &error) != SW_OK)
        return log_failure(&error);
    if (program->ptx->sm > cc && !driver.any_target)
        return refuse_image(SW_NO_BINARY_FOR_GPU, device, fatbin, image);
    image_describe(program, fatbin, cc);
    return CUDA_SUCCESS;
}

CUresult driver_program_new(const void *image, uint64_t size, const struct driver_device *device,
                            struct driver_program **out)
{
    struct fatbin fatbin;
    struct sw_error error = {0};
    if (!image) return CUDA_ERROR_INVALID_VALUE;
    if (fatbin_read(image, size, &fatbin, &error) != SW_OK) return log_failure(&error);
    struct driver_program *program = sw_xcalloc(1, sizeof *program);
    driver_object_init(&program->object, (enum driver_kind)0, program_end);
    arena_init(&program->arena);
    CUresult result = image_parse(program, &fatbin, device, image);
    fatbin_release(&fatbin);
    if (result == CUDA_SUCCESS)
        *out = program;
    else
        driver_object_unref(&program->object);
    return result;
}

uint32_t driver_module_count_entries(const struct ptx_module *ptx)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        count += ptx->functions[i]->is_entry && ptx->functions[i]->has_body;
    return count;
}

static CUresult image_read_all(FILE *file, uint8_t **out, uint64_t *bytes)
{
    struct str text = {0};
    char buffer[65536];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)))
        str_add_bytes(&text, buffer, got);
    if (ferror(file)) {
        str_release(&text);
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    *bytes = text.length;
    if (!text.text) str_add(&text, "");
    *out = (uint8_t *)str_steal(&text);
    return CUDA_SUCCESS;
}

CUresult driver_file_read(const char *path, uint8_t **out, uint64_t *bytes)
{
    if (!*path) return CUDA_ERROR_INVALID_VALUE;
    FILE *file = fopen(path, "rb");
    if (!file) return errno == ENOENT ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_OPERATING_SYSTEM;
    CUresult result = image_read_all(file, out, bytes);
    fclose(file);
    return result;
}
