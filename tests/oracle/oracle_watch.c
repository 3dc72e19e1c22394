/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: say of a kernel that may do anything whether its result is defined, so that it can be compared.
 * Method: registers, bytes of shared and of local memory are known once they were written; reading another
 * one ends the run as undefined. Every byte that a thread accesses is remembered with the thread and with the
 * number of barriers that its block has passed: an access by another thread without a barrier between, one of
 * them a write, is a race. Atomics that commute, whose result nobody reads, are none. Device memory is what
 * the caller says; where nothing is mapped, an access is the kernel's error.
 * Limits: all barriers of a block order all its threads; blocks are ordered by nothing. What warps tell each
 * other by other means is a race, too. Other instructions that access memory are not followed: undefined. */
#include "oracle_priv.h"

#include <string.h>
#include <sys/mman.h>

enum { SLOTS = 1 << 16 };

struct touched { /* a byte */
    uint64_t address;
    uint32_t generation, epoch; /* slots of earlier runs are free */
    uint32_t writer, reader;    /* number of the thread + 1; 0: nobody */
    uint64_t operation;         /* of atomics; 0: plain */
};

/* One oracle runs at a time. */
static struct touched table[SLOTS];
static uint32_t generation, used;

_Noreturn static void undefined(struct exec *exec, const char *why)
{
    oracle_fail(exec->oracle, SW_UNSUPPORTED, "undefined: %s in line %u", why, exec->instr->line);
}

void oracle_watch_begin(void)
{
    generation++;
    used = 0;
}

/* ---- registers */

void oracle_watch_known(struct exec *exec, uint32_t reg)
{
    if (exec->oracle->launch->watch && reg != PTX_NO_REG) exec->lane->frame->known[reg] = true;
}

void oracle_watch_read(struct exec *exec, uint32_t reg)
{
    if (exec->oracle->launch->watch && !exec->lane->frame->known[reg])
        undefined(exec, "a register is read before it is written");
}

void oracle_watch_address(struct exec *exec)
{
    if (exec->oracle->launch->watch) exec->oracle->launch->watch->addresses = true;
}

void oracle_watch_undefined(struct exec *exec, const char *why)
{
    if (exec->oracle->launch->watch) undefined(exec, why);
}

/* ---- races */

static struct touched *slot_of(struct exec *exec, uint64_t address)
{
    uint64_t at = address * 0x9e3779b97f4a7c15u >> 48;
    while (table[at].generation == generation && table[at].address != address)
        at = (at + 1) % SLOTS;
    if (table[at].generation == generation) return &table[at];
    if (++used > SLOTS / 2) undefined(exec, "more memory is accessed than is remembered");
    table[at] = (struct touched){.address = address, .generation = generation};
    return &table[at];
}

static uint32_t thread_of(const struct exec *exec, uint64_t *block)
{
    const uint32_t *dim = exec->oracle->launch->block, *grid = exec->oracle->launch->grid,
                   *tid = exec->lane->tid, *at = exec->block->ctaid;
    *block = at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
    return 1 + tid[0] + dim[0] * (tid[1] + dim[1] * tid[2]) + (uint32_t)*block * dim[0] * dim[1] * dim[2];
}

static void touch(struct exec *exec, uint64_t address, bool writes, uint64_t operation)
{
    struct touched *slot = slot_of(exec, address);
    uint64_t block;
    uint32_t me = thread_of(exec, &block);
    uint32_t epoch = ((uint32_t)block << 20) + exec->block->barriers + 1;
    if (slot->epoch != epoch && slot->epoch >> 20 == epoch >> 20)
        *slot = (struct touched){.address = address, .generation = generation};
    bool other_wrote = slot->writer && slot->writer != me, other_read = slot->reader && slot->reader != me;
    bool commute = operation && operation != UINT64_MAX && operation == slot->operation;
    if ((other_wrote || (writes && other_read)) && !commute) undefined(exec, "a race");
    slot->epoch = epoch;
    if (writes)
        slot->writer = me;
    else
        slot->reader = slot->reader && slot->reader != me ? UINT32_MAX : me;
    slot->operation = operation;
}

/* ---- memory */

static void need_known(struct exec *exec, uint8_t *known, uint64_t bytes, bool writes, bool reads)
{
    for (uint64_t i = 0; i < bytes; i++) {
        if (reads && !known[i]) undefined(exec, "memory is read before it is written");
        if (writes) known[i] = true;
    }
}

/* Local memory, and parameters of calls, which stand in it. */
void oracle_watch_local(struct exec *exec, const void *at, uint64_t bytes, bool writes)
{
    if (!exec->oracle->launch->watch) return;
    uint64_t offset = (uint64_t)((const uint8_t *)at - exec->lane->local);
    if (offset >= LOCAL_BYTES || bytes > LOCAL_BYTES - offset)
        undefined(exec, "an access outside of local memory");
    need_known(exec, exec->lane->local_known + offset, bytes, writes, !writes);
}

static bool is_mapped(uint64_t address)
{
    unsigned char there;
    return address >> 47 == 0 && mincore((void *)(uintptr_t)(address & ~UINT64_C(4095)), 1, &there) == 0;
}

static void global(struct exec *exec, uint64_t address, uint64_t bytes)
{
    const struct oracle_watch *watch = exec->oracle->launch->watch;
    if (watch->is_memory(watch->user, address, bytes)) return;
    if (is_mapped(address) || is_mapped(address + bytes - 1))
        undefined(exec, "an access of memory that is not the device's");
    oracle_fail(exec->oracle, SW_ILLEGAL_ADDRESS, "%s at %#llx",
                exec->instr->op == ISA_OP_LD ? "load" : "store", (unsigned long long)address);
}

static void shared(struct exec *exec, uint64_t offset, uint64_t bytes, bool writes, bool reads)
{
    uint32_t size = exec->oracle->own_shared_bytes;
    if (offset >= size || bytes > size - offset) undefined(exec, "an access outside of shared memory");
    need_known(exec, exec->block->shared_known + offset, bytes, writes, reads);
}

/* Within the variable that the operand names: others stand elsewhere in compiled code. */
static void within(struct exec *exec, const struct ptx_operand *operand, uint64_t bytes)
{
    const struct ptx_var *var = operand->var;
    bool open = var && var->space == PTX_SPACE_SHARED && !var->bytes;
    if (!var || var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST || open) return;
    if (operand->offset < 0 || (uint64_t)operand->offset > var->bytes ||
        bytes > var->bytes - (uint64_t)operand->offset)
        undefined(exec, "an access outside of a variable");
}

/* A number for the kind of an atomic: those that commute with themselves; UINT64_MAX: one that does not. */
static uint64_t operation_of(const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    static const enum isa_mod commuting[] = {ISA_MOD_ADD, ISA_MOD_AND, ISA_MOD_OR,
                                             ISA_MOD_XOR, ISA_MOD_MIN, ISA_MOD_MAX};
    bool used_result = instr->op == ISA_OP_ATOM && instr->operands[0].kind != ISA_OPD_SINK;
    if (used_result || oracle_is_float(type) || oracle_half_of(type)) return UINT64_MAX;
    for (size_t i = 0; i < SW_COUNT_OF(commuting); i++)
        if (ptx_has(instr, commuting[i]))
            return (uint64_t)type << 32 | ptx_vector_count(instr) << 8 | (i + 1);
    return UINT64_MAX;
}

/* Parameters of the entry */
static bool is_param(const struct exec *exec, const uint8_t *at, uint64_t bytes)
{
    const uint8_t *params = exec->oracle->launch->params;
    uint64_t size = exec->oracle->entry->param_bytes;
    return at >= params && (uint64_t)(at - params) < size && bytes <= size - (uint64_t)(at - params);
}

void oracle_watch_access(struct exec *exec, const struct ptx_operand *operand, const uint8_t *at)
{
    const struct ptx_instr *instr = exec->instr;
    if (!exec->oracle->launch->watch) return;
    bool atomic = instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED, store = instr->op == ISA_OP_ST;
    if (!atomic && !store && instr->op != ISA_OP_LD && instr->op != ISA_OP_LDU)
        undefined(exec, "an instruction that is not followed");
    uint64_t element = isa_type_bits(ptx_instr_type(instr, 0)) / 8, bytes = element * ptx_vector_count(instr);
    uint64_t address = (uint64_t)(uintptr_t)at, offset = (uint64_t)(at - exec->block->shared);
    uint64_t local = (uint64_t)(at - exec->lane->local);
    bool writes = store || atomic, reads = !store;
    within(exec, operand, bytes);
    enum ptx_space space = ptx_instr_space(instr);
    if (space == PTX_SPACE_GENERIC && operand->var) space = operand->var->space;
    bool in_shared =
        space == PTX_SPACE_SHARED || (space == PTX_SPACE_GENERIC && offset < exec->oracle->shared_bytes);
    if ((in_shared ? offset : address) % bytes)
        oracle_fail(exec->oracle, SW_MISALIGNED_ADDRESS, "misaligned");
    if (in_shared)
        shared(exec, offset, bytes, writes, reads);
    else if (space == PTX_SPACE_LOCAL || local < LOCAL_BYTES)
        oracle_watch_local(exec, at, bytes, writes);
    else if (!is_param(exec, at, bytes))
        global(exec, address, bytes);
    if (local < LOCAL_BYTES || space == PTX_SPACE_LOCAL || is_param(exec, at, bytes)) return;
    for (uint64_t i = 0; i < bytes; i++)
        touch(exec, address + i, writes, atomic ? operation_of(instr) : 0);
}
