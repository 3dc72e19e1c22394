/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the listener for NVTX share. */
#ifndef NVTX_PRIV_H
#define NVTX_PRIV_H

#include "base/base.h"
#include "event/event_activity.h"
#include "event/event_nvtx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* What NVTX hands to a listener (nvtx_tables.c). Source: nvtx3/nvtxDetail/nvtxTypes.h of CUDA 13.0. */
struct nvtx_attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type; /* enum nvtx_message */
    union {
        const char *ascii;
        const wchar_t *unicode;
        const struct nvtx_string *registered;
    } message;
};
enum nvtx_message { NVTX_MESSAGE_NONE, NVTX_MESSAGE_ASCII, NVTX_MESSAGE_UNICODE, NVTX_MESSAGE_REGISTERED };
struct nvtx_domain {
    char *name;
};
struct nvtx_string {
    char *text;
};

/* nvtx_range.c: texts as UTF-8. domain: NULL for the default one. Levels are those of the thread and domain,
 * from 0; -2 where there is none. */
int nvtx_push(struct nvtx_domain *domain, const char *text);
int nvtx_pop(struct nvtx_domain *domain);
uint64_t nvtx_start(struct nvtx_domain *domain, const char *text);
void nvtx_end(uint64_t id);
void nvtx_mark(struct nvtx_domain *domain, const char *text);
/* The text of an event; free it. */
char *nvtx_text(const struct nvtx_attributes *attributes);
char *nvtx_narrow(const wchar_t *text);

/* nvtx_open.c: the set of these ranges, whose texts are copied: equal ones are one. One call at a time. */
const struct event_nvtx *nvtx_set(uint32_t thread, const struct event_nvtx_range *ranges, uint32_t count);

/* nvtx_tables.c */
struct nvtx_callbacks { /* of a module: places for functions, by number; of so many */
    void (**(*places))(void);
    unsigned count;
};
void nvtx_core_fill(const struct nvtx_callbacks *core);
void nvtx_domain_fill(const struct nvtx_callbacks *core);
#endif
