/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiplications go into fused multiply-adds, as ptxas decides it: PTX lets mul, add and sub without a
 * rounding modifier be contracted, the result is rounded once instead of twice, and so a GPU's bits depend on
 * the choice. nvcc leaves a - b * c to ptxas, so nearly every program has some.
 *
 * The rule, found by reading the machine code that ptxas 13.0 makes for sm_90 of some 350 small kernels
 * (tests/unit/ptx/test_ptx_contract.c holds those that decided it):
 * - A product is contracted when all its uses are additions or subtractions of its type, with equal .ftz, in
 *   its basic block, none of them with a rounding modifier; then it goes into each, and the mul is gone. One
 *   other use, a use in another block, or x + x of the product, and nothing of it is. Neither mul nor the use
 *   has a rounding modifier, the mul no .sat and no guard; neg and mov between are looked through.
 * - Where both operands of an addition could go, one with a single use goes before one with several, then the
 *   left one; the other is then an addend, which is not a use that can be contracted.
 * - A call ends a block here, even one that is inlined; a barrier does not. Blocks are those of the text.
 *
 * Method: one pass a block that attributes uses to the definitions they see, then two over its additions.
 *
 * Does not model: products carried around a loop that ptxas unrolls, uses that ptxas finds dead, jumps that
 * it removes, the product inside an approximate division. A multiplication whose operand is overwritten
 * before the addition is left alone, where ptxas would keep the old value. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A product, or a copy or negation of one. */
struct product {
    uint32_t instr, root; /* root: in products; itself if it is the mul */
    uint32_t version[2];  /* of the mul's operands: how often they were written in this block */
    uint32_t uses;        /* of the root: by additions, those of copies included */
    uint32_t open;        /* of those: additions that did not take another product */
    uint32_t seen;        /* reads attributed to this definition */
    uint32_t first_use;   /* of the root: in `uses` */
    bool negated, bad;    /* bad: of the root */
};

struct use {
    uint32_t sum, next; /* in sums; in uses */
    unsigned side;      /* operand 1 or 2 of the addition */
    bool negated;
};

struct sum { /* an addition that may take a product */
    uint32_t instr;
    uint32_t root[2]; /* of operands 1 and 2, or NONE */
    bool taken;
};

struct pass {
    const struct ptx_function *f;
    struct ptx_contraction *out;
    uint32_t *reads;   /* of each register, in the whole function */
    uint32_t *current; /* product that the register holds at this point of the block, or NONE */
    uint32_t *version;
    bool *leader;
    VEC(struct product) products;
    VEC(struct use) uses;
    VEC(struct sum) sums;
    VEC(uint32_t) written; /* registers to forget at the block's end */
};

/* ---- what can take part */

static bool is_contracted_type(enum isa_type type)
{
    return type == ISA_F32 || type == ISA_F64 || type == ISA_F16 || type == ISA_F16X2 || type == ISA_BF16 ||
           type == ISA_BF16X2;
}

static bool is_plain_operand(const struct ptx_operand *operand)
{
    if (operand->kind == ISA_OPD_FLOAT) return true;
    return operand->kind == ISA_OPD_REG && !operand->negate && !operand->half;
}

static bool contract_is_plain(const struct ptx_instr *instr, unsigned operands)
{
    if (instr->operand_count != operands || instr->operands[0].kind != ISA_OPD_REG || instr->operands[0].half)
        return false;
    for (unsigned i = 1; i < operands; i++)
        if (!is_plain_operand(&instr->operands[i])) return false;
    return is_contracted_type(ptx_instr_type(instr, 0)) && ptx_mod_of(instr, ISA_CAT_ROUND) == ISA_MOD_NONE;
}

static bool is_product(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_MUL && instr->guard == PTX_NO_REG && contract_is_plain(instr, 3) &&
           !ptx_has(instr, ISA_MOD_SAT);
}

static bool is_sum(const struct ptx_instr *instr)
{
    return (instr->op == ISA_OP_ADD || instr->op == ISA_OP_SUB) && contract_is_plain(instr, 3);
}

static bool same_kind(const struct ptx_instr *a, const struct ptx_instr *b)
{
    return ptx_instr_type(a, 0) == ptx_instr_type(b, 0) && ptx_has(a, ISA_MOD_FTZ) == ptx_has(b, ISA_MOD_FTZ);
}

/* mov or neg of a product, which then stands for it. */
static bool is_copy(const struct pass *p, const struct ptx_instr *instr, const struct product *of)
{
    if (instr->guard != PTX_NO_REG || instr->operand_count != 2) return false;
    if (instr->operands[0].kind != ISA_OPD_REG || !is_plain_operand(&instr->operands[1])) return false;
    if (instr->op == ISA_OP_NEG) return same_kind(instr, &p->f->instrs[p->products.at[of->root].instr]);
    return instr->op == ISA_OP_MOV &&
           isa_type_bits(ptx_instr_type(instr, 0)) == isa_type_bits(p->f->regs[instr->operands[0].reg].type);
}

/* ---- one block: definitions and uses */

static struct product *product_in(struct pass *p, const struct ptx_operand *operand)
{
    if (operand->kind != ISA_OPD_REG || p->current[operand->reg] == NONE) return NULL;
    return &p->products.at[p->current[operand->reg]];
}

static struct product *root_of(struct pass *p, const struct product *product)
{
    return &p->products.at[product->root];
}

static bool operands_kept(struct pass *p, const struct product *root)
{
    const struct ptx_instr *mul = &p->f->instrs[root->instr];
    for (unsigned k = 0; k < 2; k++)
        if (mul->operands[k + 1].kind == ISA_OPD_REG &&
            p->version[mul->operands[k + 1].reg] != root->version[k])
            return false;
    return true;
}

static void use_in_sum(struct pass *p, uint32_t sum, unsigned side, const struct product *product)
{
    struct product *root = root_of(p, product);
    root->uses++;
    root->open++;
    *vec_push(&p->uses) = (struct use){sum, root->first_use, side, product->negated};
    root->first_use = (uint32_t)p->uses.count - 1;
    if (!operands_kept(p, root)) p->out->saved[root->instr] = true;
}

static void read_sum(struct pass *p, uint32_t i)
{
    const struct ptx_instr *instr = &p->f->instrs[i];
    struct sum sum = {.instr = i, .root = {NONE, NONE}};
    for (unsigned side = 1; side <= 2; side++) {
        struct product *product = product_in(p, &instr->operands[side]);
        if (!product) continue;
        struct product *root = root_of(p, product);
        if (same_kind(instr, &p->f->instrs[root->instr]))
            sum.root[side - 1] = product->root;
        else
            root->bad = true;
    }
    if (sum.root[0] == NONE && sum.root[1] == NONE) return;
    if (sum.root[0] == sum.root[1]) {
        p->products.at[sum.root[0]].bad = true;
        return;
    }
    *vec_push(&p->sums) = sum;
    for (unsigned side = 1; side <= 2; side++)
        if (sum.root[side - 1] != NONE)
            use_in_sum(p, (uint32_t)p->sums.count - 1, side, product_in(p, &instr->operands[side]));
}

/* Reads of one instruction: count them for their definitions, and say which are no uses to contract. */
static void read_instr(struct pass *p, uint32_t i)
{
    const struct ptx_instr *instr = &p->f->instrs[i];
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_uses(instr, regs, PTX_INSTR_REGS);
    bool sum = is_sum(instr);
    for (unsigned k = 0; k < count; k++) {
        if (p->current[regs[k]] == NONE) continue;
        struct product *product = &p->products.at[p->current[regs[k]]];
        product->seen++;
        if (!sum && !is_copy(p, instr, product)) root_of(p, product)->bad = true;
    }
    if (sum) read_sum(p, i);
}

static void contract_define(struct pass *p, uint32_t reg, uint32_t product)
{
    p->current[reg] = product;
    p->version[reg]++;
    *vec_push(&p->written) = reg;
}

static void write_instr(struct pass *p, uint32_t i)
{
    const struct ptx_instr *instr = &p->f->instrs[i];
    uint32_t regs[PTX_INSTR_REGS];
    struct product made = {.instr = i, .root = (uint32_t)p->products.count, .first_use = NONE};
    bool makes = is_product(instr);
    if (makes) {
        for (unsigned k = 0; k < 2; k++)
            if (instr->operands[k + 1].kind == ISA_OPD_REG)
                made.version[k] = p->version[instr->operands[k + 1].reg];
    } else if (instr->operand_count == 2) {
        struct product *from = product_in(p, &instr->operands[1]);
        makes = from && is_copy(p, instr, from);
        if (makes) {
            made.root = from->root;
            made.negated = from->negated != (instr->op == ISA_OP_NEG);
        }
    }
    unsigned count = ptx_instr_defs(instr, regs, PTX_INSTR_REGS);
    for (unsigned k = 0; k < count; k++) {
        if (instr->guard != PTX_NO_REG && p->current[regs[k]] != NONE)
            root_of(p, &p->products.at[p->current[regs[k]]])->bad = true;
        contract_define(p, regs[k], NONE);
    }
    if (!makes) return;
    *vec_push(&p->products) = made;
    contract_define(p, instr->operands[0].reg, (uint32_t)p->products.count - 1);
}

/* A value that the block leaves in its register must not be read elsewhere. */
static void end_block(struct pass *p)
{
    for (size_t i = 0; i < p->written.count; i++) {
        uint32_t reg = p->written.at[i];
        if (p->current[reg] != NONE) {
            struct product *product = &p->products.at[p->current[reg]];
            if (p->reads[reg] != product->seen) root_of(p, product)->bad = true;
            p->current[reg] = NONE;
        }
        p->version[reg] = 0;
    }
    p->written.count = 0;
}

/* ---- choosing */

static bool can_go(const struct product *root)
{
    return !root->bad && root->uses > 0 && root->open == root->uses;
}

static void contract_take(struct pass *p, uint32_t root)
{
    const struct product *product = &p->products.at[root];
    for (uint32_t u = product->first_use; u != NONE; u = p->uses.at[u].next) {
        const struct use *use = &p->uses.at[u];
        struct sum *sum = &p->sums.at[use->sum];
        bool minus = p->f->instrs[sum->instr].op == ISA_OP_SUB;
        sum->taken = true;
        p->out->fused[sum->instr] =
            (struct ptx_fusion){.mul = product->instr,
                                .addend = (uint8_t)(3 - use->side),
                                .minus_product = use->negated != (minus && use->side == 2),
                                .minus_addend = minus && use->side == 1};
        uint32_t other = sum->root[2 - use->side];
        if (other != NONE) p->products.at[other].open--;
    }
}

static void contract_choose(struct pass *p, bool single)
{
    for (size_t s = 0; s < p->sums.count; s++)
        for (unsigned side = 0; side < 2 && !p->sums.at[s].taken; side++) {
            uint32_t root = p->sums.at[s].root[side];
            if (root == NONE || !can_go(&p->products.at[root])) continue;
            if (!single || p->products.at[root].uses == 1) contract_take(p, root);
        }
}

/* Products all of whose uses took them are gone, with their copies. */
static void drop_products(struct pass *p)
{
    for (size_t i = 0; i < p->products.count; i++) {
        const struct product *root = root_of(p, &p->products.at[i]);
        bool gone = can_go(root) && p->sums.at[p->uses.at[root->first_use].sum].taken &&
                    p->out->fused[p->sums.at[p->uses.at[root->first_use].sum].instr].mul == root->instr;
        if (gone) p->out->dropped[p->products.at[i].instr] = true;
    }
}

static void finish_block(struct pass *p)
{
    end_block(p);
    contract_choose(p, true);
    contract_choose(p, false);
    drop_products(p);
    p->products.count = p->uses.count = p->sums.count = 0;
}

/* ---- the whole */

static bool ends_block(const struct ptx_instr *instr)
{
    return ptx_instr_is_branch(instr) || ptx_instr_is_exit(instr) || instr->op == ISA_OP_CALL;
}

static void find_leaders(struct pass *p)
{
    const struct ptx_function *f = p->f;
    for (uint32_t i = 0; i < f->instr_count; i++) {
        if (ends_block(&f->instrs[i])) p->leader[i + 1] = true;
        for (unsigned o = 0; o < f->instrs[i].operand_count; o++)
            if (f->instrs[i].operands[o].kind == ISA_OPD_LABEL)
                p->leader[f->instrs[i].operands[o].target] = true;
    }
    for (uint32_t t = 0; t < f->table_count; t++)
        for (uint32_t i = 0; f->tables[t]->kind == PTX_TABLE_BRANCHES && i < f->tables[t]->count; i++)
            p->leader[f->tables[t]->targets[i]] = true;
}

/* Reads of every register; false: there is no product, so nothing to do. */
static bool count_reads(struct pass *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->f->instr_count; i++) {
        uint32_t regs[PTX_INSTR_REGS];
        unsigned count = ptx_instr_uses(&p->f->instrs[i], regs, PTX_INSTR_REGS);
        for (unsigned k = 0; k < count; k++)
            p->reads[regs[k]]++;
        any |= is_product(&p->f->instrs[i]);
    }
    for (uint32_t i = 0; i < p->f->return_count; i++)
        if (p->f->return_regs && p->f->return_regs[i] != PTX_NO_REG) p->reads[p->f->return_regs[i]]++;
    return any;
}

static bool is_for_debugging(const struct ptx_module *module)
{
    for (uint32_t i = 0; module && i < module->target_count; i++)
        if (strcmp(module->targets[i], "debug") == 0) return true;
    return false;
}

static void contract_run(struct pass *p)
{
    find_leaders(p);
    for (uint32_t i = 0; i < p->f->instr_count; i++) {
        if (p->leader[i]) finish_block(p);
        read_instr(p, i);
        write_instr(p, i);
    }
    finish_block(p);
}

void ptx_contract(const struct ptx_function *f, struct ptx_contraction *out)
{
    struct pass p = {.f = f, .out = out};
    uint32_t regs = f->reg_count + 1u;
    *out = (struct ptx_contraction){0};
    if (is_for_debugging(f->module)) return;
    p.reads = sw_xcalloc(regs, sizeof *p.reads);
    if (count_reads(&p)) {
        p.current = sw_xmalloc(regs * sizeof *p.current);
        p.version = sw_xcalloc(regs, sizeof *p.version);
        p.leader = sw_xcalloc(f->instr_count + 1u, sizeof *p.leader);
        out->fused = sw_xmalloc((f->instr_count + 1u) * sizeof *out->fused);
        out->saved = sw_xcalloc(f->instr_count + 1u, sizeof *out->saved);
        out->dropped = sw_xcalloc(f->instr_count + 1u, sizeof *out->dropped);
        for (uint32_t r = 0; r < regs; r++)
            p.current[r] = NONE;
        for (uint32_t i = 0; i < f->instr_count; i++)
            out->fused[i].mul = NONE;
        contract_run(&p);
    }
    free(p.reads);
    free(p.current);
    free(p.version);
    free(p.leader);
    vec_release(&p.products);
    vec_release(&p.uses);
    vec_release(&p.sums);
    vec_release(&p.written);
}

void ptx_contraction_release(struct ptx_contraction *contraction)
{
    free(contraction->fused);
    free(contraction->dropped);
    free(contraction->saved);
    map_release(&contraction->copies);
}
