/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: parameters of calls as the structures of generated_cuda_meta.h and
 * generated_cuda_runtime_api_meta.h. Method: a table of their types; arguments are in registers, then on the
 * stack, as the C calling conventions of x86-64 and AArch64 have them. Limits: functions of the table, whose
 * parameters are integers, pointers and dim3; for others there is none. */
#include "cupti_priv.h"

#include "base/base_watch.h"

#include <string.h>

/* p: 8 bytes; i: 4 bytes; d: dim3, 12 bytes in two registers */
static const struct {
    const char *function, *types;
} functions[] = {
    {"cudaLaunchKernel", "pddppp"}, {"cudaMalloc", "pp"},           {"cudaFree", "p"},
    {"cudaMemcpy", "pppi"},         {"cudaMemcpyAsync", "pppip"},   {"cudaMemset", "pip"},
    {"cudaMemsetAsync", "pipp"},    {"cudaStreamSynchronize", "p"}, {"cuLaunchKernel", "piiiiiiippp"},
    {"cuMemAlloc_v2", "pp"},        {"cuMemFree_v2", "p"},          {"cuMemcpyHtoD_v2", "ppp"},
    {"cuMemcpyDtoH_v2", "ppp"},     {"cuStreamSynchronize", "p"}};

struct reader {
    const struct event_activity_call *call;
    unsigned registers, stack; /* so many words of each are read */
};

/* An argument of so many words is in registers whole, or on the stack whole. On AArch64 no register is used
 * after one that is not. */
static void read_words(struct reader *r, unsigned words, uint64_t *out)
{
    bool in_registers = r->registers + words <= SW_WATCH_INTEGERS;
#ifdef __aarch64__
    if (!in_registers) r->registers = SW_WATCH_INTEGERS;
#endif
    for (unsigned i = 0; i < words; i++)
        out[i] = in_registers ? r->call->integers[r->registers++] : r->call->stack[r->stack++];
}

static size_t put(struct cupti_params *out, size_t at, const void *value, size_t bytes, size_t alignment)
{
    at = sw_align_up(at, alignment);
    memcpy((char *)out->bytes + at, value, bytes);
    return at + bytes;
}

static void fill(const struct event_activity_call *call, const char *types, struct cupti_params *out)
{
    struct reader reader = {.call = call};
    size_t at = 0;
    for (const char *type = types; *type; type++) {
        uint64_t words[2];
        enum { DIM3 = 12 };
        read_words(&reader, *type == 'd' ? 2 : 1, words);
        at = *type == 'p'   ? put(out, at, words, sizeof(uint64_t), sizeof(uint64_t))
             : *type == 'd' ? put(out, at, words, DIM3, sizeof(uint32_t))
                            : put(out, at, words, sizeof(uint32_t), sizeof(uint32_t));
    }
}

bool cupti_params_of(const struct event_activity_call *call, struct cupti_params *out)
{
    for (size_t i = 0; i < SW_COUNT_OF(functions); i++) {
        if (strcmp(functions[i].function, cupti_plain(call->function)) != 0) continue;
        fill(call, functions[i].types, out);
        return true;
    }
    return false;
}
