/* SPDX-License-Identifier: Apache-2.0 */
/* nvjitlink: nvJitLink over PTX. What is added is PTX or holds it (fat binaries, host objects and libraries,
 * cubins that Softwarp wrote); linking makes one text of it, and a cubin that holds that. Statuses and words
 * of messages are those of nvJitLink 13.0, found by calling it. */
#ifndef NVJITLINK_PRIV_H
#define NVJITLINK_PRIV_H

#include "nvJitLink.h"

#include "base/base.h"
#include "base/base_handles.h"
#include "toolchain/toolchain.h"

#include <stdbool.h>

#define NVJITLINK_API __attribute__((visibility("default"))) nvJitLinkResult

/* Return a failing code at once. */
#define NVJITLINK_TRY(expr)                                                                                  \
    do {                                                                                                     \
        nvJitLinkResult nvjitlink_try_ = (expr);                                                             \
        if (nvjitlink_try_ != NVJITLINK_SUCCESS) return nvjitlink_try_;                                      \
    } while (0)

/* In what libnvJitLink.so.13 and .12 differ. */
struct nvjitlink_abi {
    unsigned major, minor;
    const uint32_t *capabilities;
    uint32_t capability_count;
};
extern const struct nvjitlink_abi nvjitlink_abi;

struct nvjitlink_input {
    char *name;
    struct str text; /* PTX */
};

struct nvJitLink {
    uint32_t sm, max_registers;
    char suffix;
    bool real, lto, makes_ptx, verbose, has_target;
    VEC(struct nvjitlink_input) inputs;
    bool only_lto; /* all of them were given as LTO-IR */
    bool complete;
    struct str errors, info, ptx, cubin;
};

nvJitLinkResult nvjitlink_options_read(struct nvJitLink *link, uint32_t count, const char **options);
/* Take the PTX of data as an input. */
nvJitLinkResult nvjitlink_add(struct nvJitLink *link, nvJitLinkInputType type, const void *data, size_t bytes,
                              const char *name);
nvJitLinkResult nvjitlink_link(struct nvJitLink *link);
/* One line of the error log. */
void nvjitlink_say(struct nvJitLink *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
