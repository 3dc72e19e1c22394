/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the memory of a case: buffers with the values that its directives ask for, the variables of its
 * module, and the bytes of its parameters. */
#include "exec.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t float_bits(double value, unsigned bytes)
{
    float single = (float)value;
    uint64_t bits = 0;
    memcpy(&bits, bytes == 8 ? (void *)&value : (void *)&single, bytes);
    return bits;
}

/* Values that find mistakes: zeros, ones, limits, subnormals, infinities, NaNs. */
static uint64_t special(uint64_t i, enum isa_type type)
{
    static const uint32_t singles[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
        0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f7fffff, 0x3f800001, 0x40490fdb,
        0x4b000000, 0x4f000000, 0xcf000000, 0x5f000000, 0x33800000, 0x3f000000, 0xc0200000, 0x7f000000};
    static const uint64_t doubles[] = {0,
                                       0x8000000000000000,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       1,
                                       0x000fffffffffffff,
                                       0x0010000000000000,
                                       0x7fefffffffffffff,
                                       0x41dfffffffc00000,
                                       0x43e0000000000000,
                                       0xc3e0000000000000,
                                       0x4004000000000000};
    static const uint16_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1,
                                      0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3bff, 0x3f80, 0x7f80};
    static const uint64_t integers[] = {0,
                                        1,
                                        2,
                                        UINT64_MAX,
                                        0x7fffffff,
                                        0x80000000,
                                        0x7fffffffffffffff,
                                        31,
                                        32,
                                        33,
                                        0x8000000000000000,
                                        0x7fff,
                                        0x8000,
                                        0xff,
                                        0x80,
                                        0xaaaaaaaaaaaaaaaa};
    if (type == ISA_F32X2) return (special(2 * i, ISA_F32) & UINT32_MAX) | special(2 * i + 1, ISA_F32) << 32;
    if (type == ISA_F16X2 || type == ISA_BF16X2)
        return (special(2 * i, ISA_F16) & 0xffff) | (special(2 * i + 1, ISA_F16) & 0xffff) << 16;
    uint64_t random = mix(i * 77 + 5);
    if (i % 3 == 2) return random;
    unsigned pick = (unsigned)(random >> 20);
    if (type == ISA_F32) return singles[pick % SW_COUNT_OF(singles)];
    if (type == ISA_F64) return doubles[pick % SW_COUNT_OF(doubles)];
    if (type == ISA_F16 || type == ISA_BF16) return halves[pick % SW_COUNT_OF(halves)];
    return integers[pick % SW_COUNT_OF(integers)];
}

static uint64_t element(const struct exec_buffer *buffer, uint64_t i)
{
    bool real = buffer->type == ISA_F32 || buffer->type == ISA_F64;
    unsigned bytes = isa_type_bits(buffer->type) / 8;
    if (strcmp(buffer->init, "iota") == 0) return real ? float_bits((double)i, bytes) : i;
    if (strcmp(buffer->init, "special") == 0) return special(i, buffer->type);
    if (strcmp(buffer->init, "small") == 0)
        return real ? float_bits((double)(mix(i) % 2001) / 100 - 10, bytes) : mix(i) % 100;
    if (strcmp(buffer->init, "random") == 0)
        return real ? float_bits((double)(int64_t)mix(i) * 0x1p-60, bytes) : mix(i);
    return 0;
}

void exec_buffers_make(struct vmem *vmem, struct exec_case *test)
{
    for (unsigned b = 0; b < test->buffer_count; b++) {
        struct exec_buffer *buffer = &test->buffers[b];
        unsigned bytes = isa_type_bits(buffer->type) / 8;
        if (vmem_alloc(vmem, buffer->bytes, VMEM_DEVICE, 0, 0, 0, &buffer->at) != SW_OK) exit(2);
        buffer->initial = sw_xmalloc(buffer->bytes);
        buffer->wanted = sw_xmalloc(buffer->bytes);
        if (buffer->given) memcpy(buffer->initial, buffer->given, buffer->bytes);
        for (uint64_t i = 0; i < buffer->count && !buffer->given; i++) {
            uint64_t bits = element(buffer, i + b * 1000003u * (buffer->init[0] != 'i'));
            memcpy(buffer->initial + i * bytes, &bits, bytes);
        }
    }
}

void exec_buffers_fill(struct exec_case *test)
{
    for (unsigned b = 0; b < test->buffer_count; b++)
        memcpy((void *)(uintptr_t)test->buffers[b].at, test->buffers[b].initial, test->buffers[b].bytes);
}

void exec_buffers_free(struct vmem *vmem, struct exec_case *test)
{
    for (unsigned b = 0; b < test->buffer_count; b++) {
        (void)vmem_release(vmem, test->buffers[b].at);
        free(test->buffers[b].initial);
        free(test->buffers[b].wanted);
    }
}

/* ---- module variables
 * ------------------------------------------------------------------------------------------- */

uint64_t *exec_symbols_make(struct vmem *vmem, const struct ptx_module *module)
{
    uint64_t *symbols = sw_xcalloc(module->var_count + 1, sizeof *symbols);
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        if ((var->space != PTX_SPACE_GLOBAL && var->space != PTX_SPACE_CONST) || !var->bytes) continue;
        if (vmem_alloc(vmem, var->bytes, VMEM_DEVICE, 0, 0, 0, &symbols[i]) == SW_OK) continue;
        exec_symbols_free(vmem, module, symbols);
        return NULL;
    }
    return symbols;
}

/* Function addresses differ between the oracle and compiled code, so tables of functions are filled by
 * whoever runs. */
static uint64_t reloc_target(const struct ptx_init_reloc *reloc, const uint64_t *symbols, bool oracle)
{
    if (reloc->var) return symbols[reloc->var->index] + (uint64_t)reloc->addend;
    if (oracle) return (uint64_t)(uintptr_t)reloc->function;
    const struct ptx_module *module = reloc->function->module;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i] == reloc->function) return JIT_FUNCTION_TOKEN(i);
    return 0;
}

void exec_symbols_fill(const struct ptx_module *module, const uint64_t *symbols, bool oracle)
{
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        if (!symbols[i]) continue;
        uint8_t *at = (uint8_t *)(uintptr_t)symbols[i];
        if (var->init)
            memcpy(at, var->init, var->bytes);
        else
            memset(at, 0, var->bytes);
        for (uint32_t r = 0; r < var->reloc_count; r++) {
            uint64_t value = reloc_target(&var->relocs[r], symbols, oracle) >> var->relocs[r].shift;
            memcpy(at + var->relocs[r].offset, &value, var->relocs[r].bytes);
        }
    }
}

void exec_symbols_free(struct vmem *vmem, const struct ptx_module *module, uint64_t *symbols)
{
    for (uint32_t i = 0; i < module->var_count; i++)
        if (symbols[i]) (void)vmem_release(vmem, symbols[i]);
    free(symbols);
}

void exec_pack_params(const struct exec_launch *launch, const struct ptx_function *function, uint8_t *out)
{
    for (unsigned i = 0; i < launch->param_count && i < function->param_count; i++) {
        const struct exec_param *param = &launch->params[i];
        uint64_t bits = param->buffer ? param->buffer->at : param->bits;
        memcpy(out + function->params[i]->offset, &bits, param->bytes);
    }
}

void exec_case_release(struct exec_case *test)
{
    for (unsigned b = 0; b < test->buffer_count; b++)
        free(test->buffers[b].given);
    free(test->text);
}
