/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the approximate instructions of one lane (rcp, sqrt, rsqrt, div, ex2, lg2, sin, cos, tanh).
 * Method: oracle_mufu.h, chosen by type and .ftz; rsqrt.approx.f64 is a seed of 21 bits and one step of third
 * order. Limits: the H200's bits; other GPUs were not measured. */
#include "oracle_mufu.h"
#include "oracle_priv.h"

static uint32_t flushed(enum isa_op op, uint32_t a)
{
    switch ((unsigned)op) {
    case ISA_OP_RCP: return mufu_rcp(a);
    case ISA_OP_SQRT: return mufu_sqrt(a);
    case ISA_OP_RSQRT: return mufu_rsqrt(a);
    case ISA_OP_EX2: return mufu_ex2(a);
    case ISA_OP_LG2: return mufu_lg2(a);
    case ISA_OP_SIN: return oracle_sin(a);
    case ISA_OP_COS: return oracle_cos(a);
    default: return mufu_tanh(a);
    }
}

static uint32_t with_denormals(enum isa_op op, uint32_t a)
{
    switch ((unsigned)op) {
    case ISA_OP_RCP: return oracle_rcp(a);
    case ISA_OP_SQRT: return oracle_sqrt(a);
    case ISA_OP_RSQRT: return oracle_rsqrt(a);
    case ISA_OP_EX2: return oracle_ex2(a);
    case ISA_OP_LG2: return oracle_lg2(a);
    default: return flushed(op, a);
    }
}

static uint64_t wide(const struct ptx_instr *instr, uint64_t a)
{
    uint32_t high = (uint32_t)(a >> 32);
    if (instr->op == ISA_OP_RCP) return (uint64_t)mufu_rcp64h(high) << 32;
    return ptx_has(instr, ISA_MOD_FTZ) ? (uint64_t)mufu_rsqrt64h(high) << 32 : oracle_rsqrt64(a);
}

uint64_t oracle_approximate(const struct ptx_instr *instr, enum isa_type type, const uint64_t v[3])
{
    bool ftz = ptx_has(instr, ISA_MOD_FTZ);
    if (type == ISA_F64) return wide(instr, v[0]);
    if (type != ISA_F32) return oracle_half((uint32_t)v[0], type == ISA_BF16, instr->op == ISA_OP_TANH);
    if (instr->op == ISA_OP_DIV)
        return oracle_div((uint32_t)v[0], (uint32_t)v[1], ptx_has(instr, ISA_MOD_FULL), ftz);
    return ftz ? flushed(instr->op, (uint32_t)v[0]) : with_denormals(instr->op, (uint32_t)v[0]);
}
