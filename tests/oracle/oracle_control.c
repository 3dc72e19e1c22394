/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: branches, calls and barriers of one lane.
 * Method: a call copies its arguments into the callee's frame, a return copies results back; frames are a
 * list. External functions are those that CUDA's compilers call: vprintf, malloc, free, __assertfail. Limits:
 * indirect calls need a function address made by mov. */
#include "oracle_priv.h"

#include "engine/helpers/engine_printf.h" /* engine_printf_format: formatting is tested on its own */

#include <string.h>

/* ---- frames
 * ----------------------------------------------------------------------------------------------------- */

static uint32_t place(uint32_t *at, const struct ptx_var *var)
{
    *at = (uint32_t)sw_align_up(*at, var->align ? var->align : 1);
    uint32_t here = *at;
    *at += (uint32_t)var->bytes;
    return here;
}

const struct layout *oracle_layout(struct oracle *oracle, const struct ptx_function *function)
{
    struct layout *layout = map_get_u64(&oracle->layouts, (uint64_t)(uintptr_t)function);
    if (layout) return layout;
    layout = ARENA_NEW(&oracle->arena, struct layout);
    layout->function = function;
    layout->vars = ARENA_ARRAY(&oracle->arena, uint32_t, function->var_count + 1);
    layout->params = ARENA_ARRAY(&oracle->arena, uint32_t, function->param_count + 1);
    layout->returns = ARENA_ARRAY(&oracle->arena, uint32_t, function->return_count + 1);
    for (uint32_t i = 0; i < function->var_count; i++)
        if (function->vars[i]->space == PTX_SPACE_LOCAL || function->vars[i]->space == PTX_SPACE_PARAM)
            layout->vars[i] = place(&layout->bytes, function->vars[i]);
    for (uint32_t i = 0; i < function->param_count; i++)
        layout->params[i] = place(&layout->bytes, function->params[i]);
    for (uint32_t i = 0; i < function->return_count; i++)
        layout->returns[i] = place(&layout->bytes, function->returns[i]);
    layout->bytes = (uint32_t)sw_align_up(layout->bytes, 16);
    map_set_u64(&oracle->layouts, (uint64_t)(uintptr_t)function, layout);
    return layout;
}

void oracle_enter(struct exec *exec, const struct ptx_function *function, struct frame *caller)
{
    struct lane *lane = exec->lane;
    const struct layout *layout = oracle_layout(exec->oracle, function);
    struct frame *frame = sw_xcalloc(1, sizeof *frame);
    *frame =
        (struct frame){.caller = caller, .layout = layout, .function = function, .base = lane->local_used};
    frame->regs = sw_xcalloc((size_t)function->reg_count + 1, sizeof *frame->regs);
    if (exec->oracle->launch->watch) frame->known = sw_xcalloc((size_t)function->reg_count + 1, 1);
    lane->local_used += layout->bytes;
    lane->frame = frame;
    lane->depth++;
    if (lane->local_used > LOCAL_BYTES)
        oracle_fail(exec->oracle, SW_ILLEGAL_ADDRESS, "oracle: the local memory of a thread is used up");
}

static void leave(struct lane *lane)
{
    struct frame *frame = lane->frame;
    lane->local_used = frame->base;
    lane->frame = frame->caller;
    lane->depth--;
    free(frame->regs);
    free(frame->known);
    free(frame);
}

/* ---- calls
 * ------------------------------------------------------------------------------------------------------ */

struct call {
    const struct ptx_operand *returns, *target, *args;
};

static struct call call_parts(const struct ptx_instr *instr)
{
    struct call call = {0};
    unsigned next = 0;
    if (instr->operands[0].kind == ISA_OPD_LIST) call.returns = &instr->operands[next++];
    call.target = &instr->operands[next++];
    if (next < instr->operand_count && instr->operands[next].kind == ISA_OPD_LIST)
        call.args = &instr->operands[next];
    return call;
}

/* Copy between the caller's operand (a .param variable, a register, a constant) and raw bytes. */
static void take_argument(struct exec *exec, const struct ptx_operand *operand, uint8_t *to, size_t bytes)
{
    if (operand->kind == ISA_OPD_VAR) {
        const uint8_t *from = (const uint8_t *)(uintptr_t)oracle_address_of(exec, operand->var);
        oracle_watch_local(exec, from + operand->offset, bytes, false);
        memcpy(to, from + operand->offset, bytes);
        return;
    }
    struct value value = oracle_read(exec, operand, bytes == 4 ? ISA_B32 : ISA_B64);
    memcpy(to, &value, bytes);
}

static void give_result(struct exec *exec, const struct ptx_operand *operand, const uint8_t *from,
                        size_t bytes)
{
    if (operand->kind == ISA_OPD_VAR) {
        uint8_t *to = (uint8_t *)(uintptr_t)oracle_address_of(exec, operand->var) + operand->offset;
        oracle_watch_local(exec, to, bytes, true);
        memcpy(to, from, bytes);
        return;
    }
    struct value value = {0, 0};
    memcpy(&value, from, bytes);
    if (operand->kind == ISA_OPD_REG) {
        oracle_watch_known(exec, operand->reg);
        exec->lane->frame->regs[operand->reg] = value;
    }
}

static void call_function(struct exec *exec, const struct call *call, const struct ptx_function *function)
{
    struct frame *caller = exec->lane->frame;
    enum { PARAM_BYTES = 8192 };
    static uint8_t bytes[PARAM_BYTES];
    const struct layout *layout = oracle_layout(exec->oracle, function);
    for (uint32_t i = 0; i < function->param_count; i++)
        take_argument(exec, &call->args->elements[i], bytes + layout->params[i], function->params[i]->bytes);
    oracle_enter(exec, function, caller);
    for (uint32_t i = 0; i < function->param_count; i++) {
        const struct ptx_var *param = function->params[i];
        uint8_t *to = exec->lane->local + exec->lane->frame->base + layout->params[i];
        oracle_watch_local(exec, to, param->bytes, true);
        memcpy(to, bytes + layout->params[i], param->bytes);
        if (function->param_regs && function->param_regs[i] != PTX_NO_REG) {
            oracle_watch_known(exec, function->param_regs[i]);
            memcpy(&exec->lane->frame->regs[function->param_regs[i]], bytes + layout->params[i],
                   param->bytes);
        }
    }
}

static uint64_t argument(struct exec *exec, const struct call *call, unsigned i, size_t bytes)
{
    uint64_t value = 0;
    take_argument(exec, &call->args->elements[i], (uint8_t *)&value, bytes);
    return value;
}

static uint32_t external_vprintf(struct exec *exec, const struct call *call)
{
    struct str text = {0};
    const struct oracle_launch *launch = exec->oracle->launch;
    int count = engine_printf_format(NULL, (const char *)(uintptr_t)argument(exec, call, 0, 8),
                                     (const uint8_t *)(uintptr_t)argument(exec, call, 1, 8), &text);
    if (launch->print) launch->print(launch->user, str_text(&text), text.length);
    str_release(&text);
    return (uint32_t)count;
}

static void call_external(struct exec *exec, const struct call *call, const struct ptx_function *function)
{
    uint64_t result = 0;
    size_t bytes = 8;
    if (strcmp(function->name, "__assertfail") != 0)
        oracle_watch_undefined(exec, "a call of the system's function");
    if (strcmp(function->name, "vprintf") == 0) {
        result = external_vprintf(exec, call);
        bytes = 4;
    } else if (strcmp(function->name, "malloc") == 0) {
        result = (uint64_t)(uintptr_t)calloc(1, argument(exec, call, 0, 8));
    } else if (strcmp(function->name, "free") == 0) {
        free((void *)(uintptr_t)argument(exec, call, 0, 8));
    } else if (strcmp(function->name, "__assertfail") == 0) {
        oracle_fail(exec->oracle, SW_ASSERT, "assertion failed");
    } else {
        oracle_fail(exec->oracle, SW_UNSUPPORTED, "oracle: call of '%s'", function->name);
    }
    if (call->returns && call->returns->count)
        give_result(exec, &call->returns->elements[0], (uint8_t *)&result, bytes);
    exec->lane->frame->pc++;
}

static void step_call(struct exec *exec)
{
    struct call call = call_parts(exec->instr);
    const struct ptx_function *function = call.target->function;
    if (call.target->kind == ISA_OPD_REG) oracle_watch_undefined(exec, "a call of an address");
    if (call.target->kind == ISA_OPD_REG)
        function = (const struct ptx_function *)(uintptr_t)oracle_read(exec, call.target, ISA_B64).lo;
    if (!function) oracle_fail(exec->oracle, SW_ILLEGAL_ADDRESS, "call of address 0");
    if (function->has_body)
        call_function(exec, &call, function);
    else
        call_external(exec, &call, function);
}

static void step_return(struct exec *exec)
{
    struct lane *lane = exec->lane;
    struct frame *callee = lane->frame, *caller = callee->caller;
    if (!caller) {
        leave(lane);
        return;
    }
    const struct ptx_function *function = callee->function;
    struct call call = call_parts(&caller->function->instrs[caller->pc]);
    for (uint32_t i = 0; i < function->return_count && call.returns; i++) {
        size_t size = function->returns[i]->bytes;
        const uint8_t *from = lane->local + callee->base + callee->layout->returns[i];
        if (function->return_regs && function->return_regs[i] != PTX_NO_REG) {
            oracle_watch_read(exec, function->return_regs[i]);
            from = (const uint8_t *)&callee->regs[function->return_regs[i]];
        } else {
            oracle_watch_local(exec, from, size, false);
        }
        lane->frame = caller;
        give_result(exec, &call.returns->elements[i], from, size);
        lane->frame = callee;
    }
    leave(lane);
    lane->frame->pc++;
}

static void step_exit(struct exec *exec)
{
    while (exec->lane->frame)
        leave(exec->lane);
}

/* ---- barriers
 * --------------------------------------------------------------------------------------------------- */

/* bar.sync a{,b}  bar.arrive a,b  bar.red.op d,a{,b},p ; barrier.cta alike */
static void step_barrier(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    struct lane *lane = exec->lane;
    if (ptx_has(instr, ISA_MOD_CLUSTER)) { /* of one block */
        if (!ptx_has(instr, ISA_MOD_ARRIVE)) {
            lane->waiting = CLUSTER_BARRIER;
            return;
        }
        lane->in_cluster = true;
        lane->frame->pc++;
        return;
    }
    bool red = ptx_has(instr, ISA_MOD_RED), arrive = ptx_has(instr, ISA_MOD_ARRIVE);
    unsigned first = red, last = instr->operand_count - red;
    uint64_t id = instr->operand_count > first ? oracle_get(exec, first, ISA_U32) : 0;
    if (id >= CLUSTER_BARRIER) oracle_fail(exec->oracle, SW_LAUNCH_FAILED, "barrier number %u", (unsigned)id);
    uint32_t count = last > first + 1 ? (uint32_t)oracle_get(exec, first + 1, ISA_U32) : 0;
    if (arrive) { /* whole warps arrive: count each thread that does as one, the missing lanes of a part warp
                     too */
        exec->warp->arrivals[id] += 1;
        if (lane->index == exec->warp->count - 1) exec->warp->arrivals[id] += 32 - exec->warp->count;
        lane->frame->pc++;
        return;
    }
    lane->waiting = (int)id;
    lane->wait_count = count;
    lane->wait_predicate = false;
    if (red) {
        const struct ptx_operand *predicate = &instr->operands[instr->operand_count - 1];
        lane->wait_predicate = oracle_read(exec, predicate, ISA_PRED).lo & 1;
    }
}

/* ---- branches
 * --------------------------------------------------------------------------------------------------- */

static void step_table_branch(struct exec *exec)
{
    const struct ptx_table *table = exec->instr->operands[1].table;
    uint64_t index = oracle_get(exec, 0, ISA_U32);
    if (index >= table->count) oracle_watch_undefined(exec, "an index past a table");
    if (index >= table->count) oracle_fail(exec->oracle, SW_LAUNCH_FAILED, "brx.idx past its table");
    exec->lane->frame->pc = table->targets[index];
}

/* ---- alloca: behind the variables of the functions that are being run */

static void step_stack(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    struct lane *lane = exec->lane;
    enum isa_type type = ptx_instr_type(instr, 0);
    oracle_watch_undefined(exec, "where a stack is");
    if (instr->op == ISA_OP_STACKSAVE) oracle_set(exec, 0, type, lane->local_used);
    if (instr->op == ISA_OP_STACKRESTORE) lane->local_used = (uint32_t)oracle_get(exec, 0, type);
    if (instr->op == ISA_OP_ALLOCA) {
        uint64_t align = instr->operand_count > 2 ? instr->operands[2].bits : 8;
        uint64_t size = oracle_get(exec, 1, type), at = sw_align_up(lane->local_used, align ? align : 1);
        if (at > LOCAL_BYTES || size > LOCAL_BYTES - at)
            oracle_fail(exec->oracle, SW_ILLEGAL_ADDRESS, "oracle: the local memory of a thread is used up");
        lane->local_used = (uint32_t)(at + size);
        oracle_set(exec, 0, type, at);
    }
    lane->frame->pc++;
}

bool oracle_control(struct exec *exec)
{
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_BRA: exec->lane->frame->pc = exec->instr->operands[0].target; return true;
    case ISA_OP_BRX: step_table_branch(exec); return true;
    case ISA_OP_CALL: step_call(exec); return true;
    case ISA_OP_RET: step_return(exec); return true;
    case ISA_OP_EXIT: step_exit(exec); return true;
    case ISA_OP_BAR:
    case ISA_OP_BARRIER: step_barrier(exec); return true;
    case ISA_OP_ALLOCA:
    case ISA_OP_STACKSAVE:
    case ISA_OP_STACKRESTORE: step_stack(exec); return true;
    case ISA_OP_BRKPT:
    case ISA_OP_TRAP: oracle_fail(exec->oracle, SW_LAUNCH_FAILED, "trap");
    case ISA_OP_MEMBAR:
    case ISA_OP_FENCE:
    case ISA_OP_NANOSLEEP:
    case ISA_OP_PREFETCH:
    case ISA_OP_PREFETCHU:
    case ISA_OP_DISCARD:
    case ISA_OP_APPLYPRIORITY:
    case ISA_OP_PMEVENT:
    case ISA_OP_GRIDDEPCONTROL:
    case ISA_OP_SETMAXNREG: exec->lane->frame->pc++; return true;
    default: return false;
    }
}
