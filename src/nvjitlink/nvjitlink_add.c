/* SPDX-License-Identifier: Apache-2.0 */
/* What is added: the PTX in it, checked as ptxas checks it.
 * Method: fatbin reads all kinds of images; of those with PTX for several targets the best for this one
 * counts. The device runtime of NVIDIA's (libcudadevrt.a) is left out, whose functions are the driver's here.
 * Limits: machine code that holds no PTX is refused. */
#include "nvjitlink_priv.h"

#include "fatbin/fatbin.h"

#include <string.h>

static const char *type_name(nvJitLinkInputType type)
{
    switch (type) {
    case NVJITLINK_INPUT_CUBIN: return "CUBIN";
    case NVJITLINK_INPUT_PTX: return "PTX";
    case NVJITLINK_INPUT_LTOIR: return "LTOIR";
    case NVJITLINK_INPUT_FATBIN: return "FATBIN";
    case NVJITLINK_INPUT_OBJECT: return "OBJECT";
    case NVJITLINK_INPUT_LIBRARY: return "LIBRARY";
    case NVJITLINK_INPUT_INDEX: return "INDEX";
    case NVJITLINK_INPUT_ANY: return "ANY";
    case NVJITLINK_INPUT_NONE: break;
    }
    return NULL;
}

static nvJitLinkResult add_bad(struct nvJitLink *link, nvJitLinkInputType type, const char *name)
{
    nvjitlink_say(link, "ERROR 1: bad input: does not match type NVJITLINK_INPUT_%s%s", type_name(type),
                  name);
    return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
}

static nvJitLinkResult add_ptx(struct nvJitLink *link, const char *text, size_t length, const char *name)
{
    static const char in_messages[] = "application ptx input"; /* nvJitLink's */
    struct toolchain_ptx_use use = {
        .describes = link->verbose, .max_registers = link->max_registers, .suffix = link->suffix};
    struct toolchain_ptx checked = {0};
    struct sw_error error = {0};
    struct nvjitlink_input input = {0};
    str_add_bytes(&input.text, text, length);
    if (toolchain_ptx_take(&input.text, in_messages, &use, &checked, &error) != SW_OK) {
        toolchain_ptx_error(&error, in_messages, &link->errors);
        nvjitlink_say(link,
                      "ptxas fatal   : Ptx assembly aborted due to errors\n"
                      "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (%s)",
                      name);
        str_release(&input.text);
        return NVJITLINK_ERROR_PTX_COMPILE;
    }
    str_add(&link->info, str_text(&checked.report));
    toolchain_ptx_release(&checked);
    input.name = sw_xstrdup(name);
    *vec_push(&link->inputs) = input;
    return NVJITLINK_SUCCESS;
}

/* The best PTX of an image. */
static nvJitLinkResult add_image(struct nvJitLink *link, const struct fatbin *image, const char *name)
{
    if (fatbin_is_device_runtime(image, 0)) return NVJITLINK_SUCCESS;
    const struct fatbin_entry *entry = fatbin_best_ptx(image, link->sm, false);
    if (entry) return add_ptx(link, (const char *)entry->data, entry->bytes, name);
    nvjitlink_say(link,
                  "ERROR NVJITLINK_ERROR_INVALID_INPUT: %s holds no PTX for sm_%u; machine code cannot be "
                  "linked: compile it with PTX (code=compute_%u)",
                  name, link->sm, link->sm);
    return NVJITLINK_ERROR_INVALID_INPUT;
}

/* All device code of a host object or a library; none at all is no error, as of libcudadevrt.a of ours. */
static nvJitLinkResult add_containers(struct nvJitLink *link, const uint8_t *data, size_t bytes,
                                      const char *name)
{
    nvJitLinkResult result = NVJITLINK_SUCCESS;
    uint64_t offset = 0, span = 0;
    for (; result == NVJITLINK_SUCCESS && fatbin_find(data, bytes, &offset, &span); offset += span) {
        struct fatbin image;
        if (fatbin_read(data + offset, span, &image, NULL) != SW_OK) continue;
        result = add_image(link, &image, name);
        fatbin_release(&image);
    }
    return result;
}

static bool matches(nvJitLinkInputType type, const struct fatbin *image, const uint8_t *data)
{
    bool elf = memcmp(data, "\177ELF", 4) == 0, container = memcmp(data, "\x50\xed\x55\xba", 4) == 0;
    if (type == NVJITLINK_INPUT_PTX) return !elf && !container && image->entries[0].kind == FATBIN_PTX;
    if (type == NVJITLINK_INPUT_CUBIN) return elf;
    return type == NVJITLINK_INPUT_FATBIN ? container : true;
}

nvJitLinkResult nvjitlink_add(struct nvJitLink *link, nvJitLinkInputType type, const void *data, size_t bytes,
                              const char *name)
{
    struct fatbin image;
    if (!type_name(type)) {
        nvjitlink_say(link, "unsupported input type: %s", name);
        return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
    }
    bool host = fatbin_is_host_file(data, bytes);
    if (type == NVJITLINK_INPUT_OBJECT || type == NVJITLINK_INPUT_LIBRARY ||
        (type == NVJITLINK_INPUT_ANY && host))
        return host ? add_containers(link, data, bytes, name) : add_bad(link, type, name);
    if (type == NVJITLINK_INPUT_INDEX || fatbin_read(data, bytes, &image, NULL) != SW_OK)
        return add_bad(link, type, name);
    bool ptx = image.count && image.entries[0].kind == FATBIN_PTX;
    bool versioned = !ptx || strstr((const char *)image.entries[0].data, ".version");
    nvJitLinkResult result = image.count && bytes >= 4 && matches(type, &image, data) && versioned
                                 ? add_image(link, &image, name)
                                 : add_bad(link, type, name);
    if (result == NVJITLINK_SUCCESS && type != NVJITLINK_INPUT_LTOIR) link->only_lto = false;
    fatbin_release(&image);
    return result;
}
