/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the first tier's code is generated once for what a kernel computes many times.
 * Method: an expression is a value without effects together with the values that it alone uses, in one block.
 * Expressions that are equal but for the values they begin with become calls of one function. A block that is
 * left with calls, loads, stores, addresses and scalars is selected by LLVM's fast instruction selector, one
 * instruction after the other; what it does not know makes the rest of the block a graph, which takes most of
 * the time of code generation.
 *
 *   %a = and %x, K1              %z = call @shared(%x)
 *   %b = icmp eq %a, 0     ->                              @shared(%0): the five on the left, ret
 *   %c = and %x, K2
 *   %z = select %b, %c, %x
 *
 * Masks go from one expression to another as integers: the one ends in a cast, the other repeats a cast back.
 * Limits: expressions of vectors alone, of SIZE_MOST instructions at most. */
#include "jit_compile_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

#include <string.h>

enum { SIZE_MOST = 48, INPUTS_MOST = 20 };

/* An instruction of the block, or one that is repeated for it. */
struct node {
    LLVMValueRef value;
    uint32_t size; /* of the expression that ends here */
    bool root;
};
struct share {
    struct jit *jit;
    VEC(struct node) nodes; /* of the block, in order */
    struct map index;       /* value: 1 + its node */
    struct map shapes;      /* text of an expression: struct shape */
    VEC(LLVMValueRef) dead; /* erased after the block: others would get their addresses, which are keys */
};
struct shape {
    uint32_t count;
    LLVMValueRef function; /* NULL: none yet */
    LLVMTypeRef type;
};
/* One expression, last instruction last. */
struct expression {
    LLVMValueRef steps[2 * SIZE_MOST], inputs[INPUTS_MOST];
    uint32_t step_count, input_count;
    bool fits;
    struct str text;
};

/* ---- what may be part of an expression */

static bool is_mask(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
    LLVMTypeRef element = LLVMGetElementType(type);
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1;
}

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool touches_vectors(LLVMValueRef instr)
{
    return is_vector(instr) || (LLVMGetNumOperands(instr) && is_vector(LLVMGetOperand(instr, 0)));
}

static bool is_pure_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.fabs.",
                                        "llvm.fma.",
                                        "llvm.umin.",
                                        "llvm.umax.",
                                        "llvm.smin.",
                                        "llvm.smax.",
                                        "llvm.ctpop.",
                                        "llvm.sqrt.",
                                        "llvm.floor.",
                                        "llvm.ceil.",
                                        "llvm.trunc.",
                                        "llvm.copysign.",
                                        "llvm.x86.avx512.vperm",
                                        "llvm.x86.avx512.pmadd"};
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    for (size_t i = 0; i < SW_COUNT_OF(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static bool is_pure(LLVMValueRef instr)
{
    if (!LLVMIsAInstruction(instr) || !touches_vectors(instr)) return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(instr);
    if (op >= LLVMAdd && op <= LLVMXor) return true;
    switch ((int)op) {
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector: return true;
    case LLVMCall: return is_pure_call(instr);
    default: return false;
    }
}

/* Repeated in each expression that uses it. */
static bool is_repeated(LLVMValueRef value)
{
    return LLVMIsABitCastInst(value) && is_vector(value);
}

/* ---- the expressions of a block */

static struct node *node_of(struct share *share, LLVMValueRef value)
{
    uintptr_t index = (uintptr_t)map_get_u64(&share->index, (uint64_t)(uintptr_t)value);
    return index ? &share->nodes.at[index - 1] : NULL;
}

static bool has_one_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

/* Used elsewhere than in one expression of its block. */
static bool is_root(LLVMValueRef value)
{
    if (!has_one_use(value)) return true;
    LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(value));
    return !is_pure(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value) ||
           (is_repeated(user) && is_root(user));
}

/* Masks that are roots get an integer between them and their users. */
static void pass_masks(struct jit *jit, LLVMBasicBlockRef block)
{
    enum { LANES_LEAST = 8 }; /* integers of fewer bits are none of the machine's */
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMTypeRef type = LLVMTypeOf(i);
        if (!is_mask(type) || LLVMGetVectorSize(type) < LANES_LEAST || !is_pure(i) || is_repeated(i))
            continue;
        if (!is_root(i) || !LLVMGetFirstUse(i)) continue;
        LLVMPositionBuilderBefore(jit->builder, LLVMGetNextInstruction(i));
        LLVMValueRef bits = LLVMBuildBitCast(jit->builder, i, jit_int(jit, LLVMGetVectorSize(type)), "");
        LLVMValueRef mask = LLVMBuildBitCast(jit->builder, bits, type, "");
        LLVMReplaceAllUsesWith(i, mask);
        LLVMSetOperand(bits, 0, i);
        i = mask;
    }
}

static void find_nodes(struct share *share, LLVMBasicBlockRef block)
{
    vec_clear(&share->nodes);
    map_release(&share->index);
    share->index = (struct map){0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_pure(i)) continue;
        struct node node = {.value = i, .size = 1, .root = is_root(i)};
        int count = LLVMGetNumOperands(i);
        for (int o = 0; o < count; o++) {
            struct node *from = node_of(share, LLVMGetOperand(i, (unsigned)o));
            if (!from || from->root) continue;
            if (node.size + from->size > SIZE_MOST)
                from->root = true;
            else
                node.size += from->size;
        }
        *vec_push(&share->nodes) = node;
        map_set_u64(&share->index, (uint64_t)(uintptr_t)i, (void *)share->nodes.count);
    }
}

static uint32_t input_of(struct expression *e, LLVMValueRef value)
{
    for (uint32_t i = 0; i < e->input_count; i++)
        if (e->inputs[i] == value) return i;
    if (e->input_count == INPUTS_MOST) {
        e->fits = false;
        return 0;
    }
    e->inputs[e->input_count] = value;
    return e->input_count++;
}

static uint64_t flags_of(LLVMValueRef instr)
{
    switch ((int)LLVMGetInstructionOpcode(instr)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: return (uint64_t)LLVMGetNSW(instr) << 1 | (uint64_t)LLVMGetNUW(instr);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: return (uint64_t)LLVMGetExact(instr);
    case LLVMICmp: return LLVMGetICmpPredicate(instr);
    case LLVMFCmp: return LLVMGetFCmpPredicate(instr);
    default: return 0;
    }
}

static void add_word(struct expression *e, uint64_t word)
{
    str_add_bytes(&e->text, (const char *)&word, sizeof word);
}

static void walk(struct share *share, struct expression *e, LLVMValueRef value);

/* A cast that is repeated, and was met before in this expression. */
static bool find_step(const struct expression *e, LLVMValueRef value, uint32_t *out)
{
    for (*out = 0; *out < e->step_count; (*out)++)
        if (e->steps[*out] == value) return true;
    return false;
}

static void walk_operand(struct share *share, struct expression *e, LLVMValueRef value)
{
    enum { CONSTANT = 1, STEP, STEP_AGAIN, INPUT };
    bool instr = LLVMIsAInstruction(value) != NULL;
    struct node *node = instr ? node_of(share, value) : NULL;
    uint32_t step;
    if (!instr && !LLVMIsAArgument(value)) {
        add_word(e, CONSTANT);
        add_word(e, (uint64_t)(uintptr_t)value);
    } else if (instr && is_repeated(value) && find_step(e, value, &step)) {
        add_word(e, STEP_AGAIN);
        add_word(e, step);
    } else if ((node && !node->root) || (instr && is_repeated(value))) {
        add_word(e, STEP);
        walk(share, e, value);
    } else {
        add_word(e, INPUT);
        add_word(e, input_of(e, value));
        add_word(e, (uint64_t)(uintptr_t)LLVMTypeOf(value));
        if (is_mask(LLVMTypeOf(value))) e->fits = false;
    }
}

static void walk(struct share *share, struct expression *e, LLVMValueRef value)
{
    if (e->step_count == SW_COUNT_OF(e->steps)) e->fits = false;
    if (!e->fits) return;
    add_word(e, (uint64_t)LLVMGetInstructionOpcode(value));
    add_word(e, (uint64_t)(uintptr_t)LLVMTypeOf(value));
    add_word(e, flags_of(value));
    int count = LLVMGetNumOperands(value);
    for (int o = 0; o < count && e->fits; o++)
        walk_operand(share, e, LLVMGetOperand(value, (unsigned)o));
    if (LLVMGetInstructionOpcode(value) == LLVMShuffleVector)
        for (unsigned m = 0; m < LLVMGetNumMaskElements(value); m++)
            add_word(e, (uint64_t)(int64_t)LLVMGetMaskValue(value, m));
    if (e->fits) e->steps[e->step_count++] = value;
}

static bool read_expression(struct share *share, struct expression *e, const struct node *node)
{
    e->step_count = e->input_count = 0;
    e->fits = node->root && LLVMGetFirstUse(node->value) && !is_repeated(node->value) &&
              !is_mask(LLVMTypeOf(node->value));
    str_clear(&e->text);
    if (e->fits) walk(share, e, node->value);
    return e->fits;
}

static struct shape *shape_of(struct share *share, const struct expression *e)
{
    struct shape *shape = map_get_n(&share->shapes, e->text.text, e->text.length);
    if (shape) return shape;
    shape = ARENA_NEW(&share->jit->arena, struct shape);
    const char *text = arena_copy(&share->jit->arena, e->text.text, e->text.length);
    map_set_n(&share->shapes, text, e->text.length, shape);
    return shape;
}

/* ---- functions */

static LLVMValueRef copied(struct map *copies, LLVMValueRef value)
{
    LLVMValueRef copy = map_get_u64(copies, (uint64_t)(uintptr_t)value);
    return copy ? copy : value;
}

static void fill_function(struct jit *jit, const struct expression *e, LLVMValueRef function)
{
    struct map copies = {0};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(jit->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(jit->context, function, ""));
    for (uint32_t i = 0; i < e->input_count; i++)
        map_set_u64(&copies, (uint64_t)(uintptr_t)e->inputs[i], LLVMGetParam(function, i));
    LLVMValueRef last = NULL;
    for (uint32_t s = 0; s < e->step_count; s++) {
        last = LLVMInstructionClone(e->steps[s]);
        int count = LLVMGetNumOperands(last);
        for (int o = 0; o < count; o++)
            LLVMSetOperand(last, (unsigned)o, copied(&copies, LLVMGetOperand(last, (unsigned)o)));
        LLVMInsertIntoBuilder(builder, last);
        map_set_u64(&copies, (uint64_t)(uintptr_t)e->steps[s], last);
    }
    LLVMBuildRet(builder, last);
    LLVMDisposeBuilder(builder);
    map_release(&copies);
}

static void make_function(struct jit *jit, const struct expression *e, struct shape *shape)
{
    LLVMTypeRef params[INPUTS_MOST];
    for (uint32_t i = 0; i < e->input_count; i++)
        params[i] = LLVMTypeOf(e->inputs[i]);
    LLVMTypeRef result = LLVMTypeOf(e->steps[e->step_count - 1]);
    shape->type = LLVMFunctionType(result, params, e->input_count, 0);
    shape->function = LLVMAddFunction(jit->module, "softwarp_shared", shape->type);
    LLVMSetLinkage(shape->function, LLVMInternalLinkage);
    jit_target_attributes(jit, shape->function);
    jit_attribute(jit, shape->function, "noinline");
    fill_function(jit, e, shape->function);
}

static void replace(struct share *share, struct expression *e)
{
    struct jit *jit = share->jit;
    struct shape *shape = shape_of(share, e);
    if (shape->count < 2) return;
    if (!shape->function) make_function(jit, e, shape);
    LLVMValueRef last = e->steps[e->step_count - 1];
    LLVMPositionBuilderBefore(jit->builder, last);
    LLVMValueRef result =
        LLVMBuildCall2(jit->builder, shape->type, shape->function, e->inputs, e->input_count, "");
    LLVMReplaceAllUsesWith(last, result);
    for (uint32_t s = 0; s < e->step_count; s++) /* a cast of several expressions is left to LLVM's passes */
        if (e->steps[s] == last || has_one_use(e->steps[s])) *vec_push(&share->dead) = e->steps[s];
}

static void erase_dead(struct share *share)
{
    for (size_t i = share->dead.count; i-- > 0;)
        if (!LLVMGetFirstUse(share->dead.at[i])) LLVMInstructionEraseFromParent(share->dead.at[i]);
    vec_clear(&share->dead);
}

static void share_function(struct share *share, struct expression *e, LLVMValueRef fn, bool count)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
        if (count) pass_masks(share->jit, b);
        find_nodes(share, b);
        for (size_t i = 0; i < share->nodes.count; i++) {
            if (!read_expression(share, e, &share->nodes.at[i])) continue;
            if (count)
                shape_of(share, e)->count++;
            else
                replace(share, e);
        }
        erase_dead(share);
    }
}

static bool is_shared_already(LLVMValueRef fn)
{
    size_t length;
    return sw_starts_with(LLVMGetValueName2(fn, &length), JIT_SHARED_PREFIX);
}

void jit_expressions_share(struct jit *jit)
{
    struct share share = {.jit = jit};
    struct expression e = {0};
    LLVMValueRef last = LLVMGetLastFunction(jit->module); /* those that are made come after it */
    for (int count = 1; count >= 0; count--)
        for (LLVMValueRef fn = LLVMGetFirstFunction(jit->module); fn;
             fn = fn == last ? NULL : LLVMGetNextFunction(fn))
            if (!is_shared_already(fn)) share_function(&share, &e, fn, count);
    str_release(&e.text);
    map_release(&share.index);
    map_release(&share.shapes);
    vec_release(&share.nodes);
    vec_release(&share.dead);
}
