/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp cache --warm: the kernels of a file are compiled into the cache before a program launches them.
 *
 * The file is a program, a library or an object (sections of fat binaries), a fat binary, or PTX. The PTX of
 * each fat binary is chosen, parsed and linked as the driver does it (driver_image.c), and compiled by the
 * same engine, so that a run finds the entries. Limits: the block of a kernel is known only where its PTX
 * declares it (.reqntid); other kernels get the block that is usual, or those of --block. Variants with
 * probes, and those for a launch whose blocks wait for each other, are not made. Parts of separate
 * compilation are linked with each other, not with those of other files. */
#include "cli_priv.h"

#include "arch/arch_machine.h"
#include "engine/engine.h"
#include "fatbin/fatbin.h"
#include "ptx/ptx.h"
#include "vmem/vmem.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCKS = 16 }; /* of --block: implementation */
struct warmer {
    struct vmem *vmem;
    struct engine *engine;
    uint32_t device, cc;
    bool any_target;
    uint32_t blocks[BLOCKS][3], block_count;
    struct arena arena;
    uint64_t kernels, compiled, cached, failed; /* failed: kernels, and fat binaries without PTX to use */
};
struct bytes {
    const uint8_t *at;
    uint64_t count;
};

/* ---- kernels */

static void warm_failed(struct warmer *w, const char *what, const struct sw_error *error)
{
    char text[1024];
    w->failed++;
    cli_say("not compiled: %s: %s", what, sw_error_format(error, text, sizeof text));
}

static bool warm_block(struct warmer *w, struct engine_kernel *kernel, const uint32_t block[3],
                       struct sw_error *error)
{
    if (engine_kernel_prepare(kernel, block, w->device, error) != SW_OK) return false;
    if (engine_kernel_was_cached(kernel, block))
        w->cached++;
    else
        w->compiled++;
    return true;
}

/* Shapes of --block that the kernel may be launched with. */
static bool warm_kernel(struct warmer *w, struct engine_kernel *kernel, struct sw_error *error)
{
    uint32_t usual[3];
    engine_kernel_usual_block(kernel, usual);
    bool declared = engine_kernel_function(kernel)->reqntid[0] != 0;
    if (!w->block_count || declared) return warm_block(w, kernel, usual, error);
    for (uint32_t i = 0; i < w->block_count; i++) {
        const uint32_t *block = w->blocks[i];
        if (block[0] * block[1] * block[2] > engine_kernel_info(kernel)->max_threads_per_block) continue;
        if (!warm_block(w, kernel, block, error)) return false;
    }
    return true;
}

static void warm_kernels(struct warmer *w, struct engine_module *module, const struct ptx_module *ptx)
{
    for (uint32_t i = 0; i < ptx->function_count; i++) {
        struct engine_kernel *kernel;
        struct sw_error error = {0};
        if (!ptx->functions[i]->is_entry || !ptx->functions[i]->has_body) continue;
        const char *name = ptx->functions[i]->name;
        w->kernels++;
        if (engine_kernel_get(module, name, &kernel, &error) != SW_OK || !warm_kernel(w, kernel, &error))
            warm_failed(w, session_demangle(&w->arena, name), &error);
    }
}

static void warm_text(struct warmer *w, const char *text, uint64_t bytes, const char *name)
{
    struct ptx_module *ptx;
    struct engine_module *module;
    struct sw_error error = {0};
    enum sw_status status = ptx_parse(text, bytes, name, &ptx, &error);
    if (status != SW_OK) {
        warm_failed(w, name, &error);
        return;
    }
    status = ptx_verify(ptx, &error);
    if (status == SW_OK) status = engine_module_new(w->engine, ptx, NULL, &module, &error);
    if (status == SW_OK) {
        warm_kernels(w, module, ptx);
        engine_module_free(module);
    } else {
        warm_failed(w, name, &error);
    }
    ptx_module_free(ptx);
}

/* ---- fat binaries */

static const char *entry_name(const struct fatbin_entry *entry)
{
    return *entry->name ? entry->name : "ptx";
}

/* false: it holds no PTX for the device, which is a failure unless `linked`: then it may be what nvlink made.
 */
static void warm_image(struct warmer *w, struct bytes image, bool linked)
{
    struct fatbin fatbin;
    struct sw_error error = {0};
    if (fatbin_read(image.at, image.count, &fatbin, &error) != SW_OK) {
        warm_failed(w, "a fat binary", &error);
        return;
    }
    const struct fatbin_entry *entry = fatbin_best_ptx(&fatbin, w->cc, w->any_target);
    if (entry) {
        warm_text(w, (const char *)entry->data, entry->bytes, entry_name(entry));
    } else if (!linked) {
        sw_fail(&error, SW_NO_BINARY_FOR_GPU, "it has no PTX for compute capability %u.%u", w->cc / 10,
                w->cc % 10);
        warm_failed(w, "a fat binary", &error);
    }
    fatbin_release(&fatbin);
}

/* -rdc=true: the PTX of each source file, linked as the driver links it. */
static void warm_parts(struct warmer *w, struct bytes section)
{
    VEC(struct ptx_text) texts = {0};
    struct str linked = {0};
    struct ptx_module *ptx;
    struct sw_error error = {0};
    uint64_t offset = 0, span = 0;
    for (; fatbin_find(section.at, section.count, &offset, &span); offset += span) {
        struct fatbin fatbin;
        if (fatbin_read(section.at + offset, span, &fatbin, &error) != SW_OK) continue;
        const struct fatbin_entry *entry = fatbin_best_ptx(&fatbin, w->cc, w->any_target);
        if (entry && !fatbin_is_device_runtime(&fatbin, 0))
            *vec_push(&texts) = (struct ptx_text){arena_strdup(&w->arena, (const char *)entry->data),
                                                  entry->bytes, arena_strdup(&w->arena, entry_name(entry))};
        fatbin_release(&fatbin);
    }
    if (texts.count && ptx_parse_linked(texts.at, (uint32_t)texts.count, &ptx, &error) != SW_OK) {
        warm_failed(w, "separate compilation", &error);
    } else if (texts.count) {
        ptx_print_module(ptx, &linked);
        ptx_module_free(ptx);
        warm_text(w, str_text(&linked), linked.length, texts.at[0].name);
    }
    str_release(&linked);
    vec_release(&texts);
}

static void warm_containers(struct warmer *w, struct bytes bytes, bool linked)
{
    uint64_t offset = 0, span = 0;
    for (; fatbin_find(bytes.at, bytes.count, &offset, &span); offset += span)
        warm_image(w, (struct bytes){bytes.at + offset, span}, linked);
}

/* false: it holds no device code. */
static bool warm_file(struct warmer *w, struct bytes file)
{
    struct bytes whole = {0}, parts = {0};
    uint64_t offset = 0, span = 0;
    bool sections = cli_elf_section(file.at, file.count, ".nv_fatbin", &whole.at, &whole.count);
    bool separate = cli_elf_section(file.at, file.count, "__nv_relfatbin", &parts.at, &parts.count);
    if (separate) warm_parts(w, parts);
    if (sections) warm_containers(w, whole, separate);
    if (sections || separate) return true;
    bool containers = fatbin_find(file.at, file.count, &offset, &span);
    if (!containers && file.count >= SELFMAG && memcmp(file.at, ELFMAG, SELFMAG) == 0) return false;
    if (containers)
        warm_containers(w, file, false);
    else
        warm_image(w, file, false); /* PTX */
    return true;
}

/* ---- what it is made for */

/* list := shape {"," shape}, shape := N ["x" N ["x" N]] */
static bool read_blocks(struct warmer *w, const char *list)
{
    enum { MOST = 1024 };
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        if (w->block_count == BLOCKS) return false;
        uint32_t *block = w->blocks[w->block_count++];
        uint64_t threads = 1;
        block[0] = block[1] = block[2] = 1;
        for (int i = 0; i < 3; i++) {
            char *end;
            if (*at < '1' || *at > '9') return false;
            unsigned long value = strtoul(at, &end, 10);
            if (value > MOST) return false;
            block[i] = (uint32_t)value;
            threads *= value;
            at = end;
            if (*at != 'x') break;
            if (i < 2) at++;
        }
        if (threads > MOST || (*at && *at != ',')) return false;
        if (!*at) break;
    }
    return w->block_count > 0;
}

static enum sw_status warm_begin(struct warmer *w, const char *device, const char *folder,
                                 struct sw_error *error)
{
    struct arch_device machine[ARCH_DEVICES];
    uint32_t count;
    SW_TRY(arch_machine_load(device ? device : getenv("SOFTWARP_DEVICE"), machine, &count, error));
    w->cc = machine[0].cc->major * 10 + machine[0].cc->minor;
    SW_TRY(vmem_new(&w->vmem, error));
    if (count > 1) SW_TRY(vmem_permissions_begin(w->vmem, count)); /* code with tests, as such a run has */
    struct engine_config config = {
        .threads = 1, .isa = -1, .vmem = w->vmem, .library_dir = folder, .full_tier = true};
    return engine_new(&config, &w->engine, error);
}

static int warm_run(struct warmer *w, const char *path, struct str *out)
{
    struct stat info;
    errno = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool found = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    uint64_t bytes = found ? (uint64_t)info.st_size : 0;
    uint8_t *at = bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (file >= 0) close(file);
    if (found && !bytes) return cli_fail(CLI_USAGE, "'%s' is empty", path);
    if (at == MAP_FAILED)
        return cli_fail(CLI_USAGE, "cannot read '%s': %s", path,
                        found || errno ? strerror(errno) : "no file");
    found = warm_file(w, (struct bytes){at, bytes});
    munmap(at, bytes);
    if (!found) return cli_fail(CLI_USAGE, "'%s' holds no kernels", path);
    str_printf(out, "kernels    %llu\n", (unsigned long long)w->kernels);
    str_printf(out, "compiled   %llu\n", (unsigned long long)w->compiled);
    str_printf(out, "cached     %llu (before)\n", (unsigned long long)w->cached);
    if (w->failed) str_printf(out, "failed     %llu\n", (unsigned long long)w->failed);
    return w->failed ? CLI_UNSUPPORTED : CLI_OK;
}

int cli_warm(const struct cli_warm *warm, const char *path, struct str *out)
{
    struct warmer w = {.any_target = warm->any_target};
    struct cli_program program;
    struct sw_error error = {0};
    const char *folder;
    if (warm->blocks && !read_blocks(&w, warm->blocks))
        return cli_fail(CLI_USAGE, "--block '%s' is no list of at most %d shapes such as 128,16x16",
                        warm->blocks, BLOCKS);
    if (access(path, F_OK) != 0) {
        int code = cli_program_find(path, &program);
        if (code) return code;
        path = program.path;
    }
    arena_init(&w.arena);
    int code = CLI_OK;
    if (!cli_library_folder(&w.arena, &folder))
        code = cli_fail(CLI_INTERNAL,
                        "libcuda.so.1 of this installation is missing: install or build Softwarp again");
    else if (warm_begin(&w, warm->device, folder, &error) != SW_OK)
        code = cli_fail_error(&error);
    else
        code = warm_run(&w, path, out);
    engine_free(w.engine);
    arena_release(&w.arena);
    return code;
}
