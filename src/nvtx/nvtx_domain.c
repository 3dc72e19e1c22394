/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: NVTX's functions of domains and registered strings. Method: their numbers in the module CORE2.
 * Limits: resources and names of categories are not kept; domains and strings live as long as the process,
 * since ranges name them. */
#include "nvtx_priv.h"

#include <stdlib.h>

static void domain_mark(struct nvtx_domain *domain, const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    nvtx_mark(domain, text);
    free(text);
}

static uint64_t domain_start(struct nvtx_domain *domain, const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    uint64_t id = nvtx_start(domain, text);
    free(text);
    return id;
}

static void domain_end(struct nvtx_domain *domain, uint64_t id)
{
    (void)domain; /* ids are those of all domains */
    nvtx_end(id);
}

static int domain_push(struct nvtx_domain *domain, const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    int level = nvtx_push(domain, text);
    free(text);
    return level;
}

static struct nvtx_string *string_new(char *text)
{
    struct nvtx_string *string = sw_xmalloc(sizeof *string);
    string->text = text;
    return string;
}

static struct nvtx_string *register_a(struct nvtx_domain *domain, const char *text)
{
    (void)domain;
    return string_new(sw_xstrdup(text ? text : ""));
}

static struct nvtx_string *register_w(struct nvtx_domain *domain, const wchar_t *text)
{
    (void)domain;
    return string_new(nvtx_narrow(text));
}

static struct nvtx_domain *domain_new(char *name)
{
    struct nvtx_domain *domain = sw_xmalloc(sizeof *domain);
    domain->name = name;
    return domain;
}

static struct nvtx_domain *create_a(const char *name)
{
    return domain_new(sw_xstrdup(name ? name : ""));
}

static struct nvtx_domain *create_w(const wchar_t *name)
{
    return domain_new(nvtx_narrow(name));
}

/* Numbers: NvtxCallbackIdCore2, nvtx3/nvtxDetail/nvtxTypes.h. */
void nvtx_domain_fill(const struct nvtx_callbacks *core)
{
    enum { REGISTER_A = 10 };
    void (*const functions[])(void) = {NULL,
                                       (void (*)(void))domain_mark,
                                       (void (*)(void))domain_start,
                                       (void (*)(void))domain_end,
                                       (void (*)(void))domain_push,
                                       (void (*)(void))nvtx_pop,
                                       NULL, /* resources, categories */
                                       NULL,
                                       NULL,
                                       NULL,
                                       [REGISTER_A] = (void (*)(void))register_a,
                                       (void (*)(void))register_w,
                                       (void (*)(void))create_a,
                                       (void (*)(void))create_w};
    for (unsigned i = 1; i < SW_COUNT_OF(functions) && i < core->count; i++)
        if (core->places[i] && functions[i]) *core->places[i] = functions[i];
}
