/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: mma, mma.sp, wmma, ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14).
 * Method: element by element: element i of register r of a lane is a place in a matrix (place_of), and that a
 * place in memory. wmma's fragments, whose layout PTX leaves open, are an H200's. Limits: no wgmma; all lanes
 * of the warp are there. */
#include "oracle_matrix.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_operand *register_at(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

static unsigned register_count(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_VEC ? operand->count : 1;
}

static struct exec lane_of(const struct exec *exec, unsigned lane)
{
    struct exec one = *exec;
    one.lane = &exec->warp->lanes[lane];
    return one;
}

static uint64_t get(const struct exec *exec, unsigned lane, const struct ptx_operand *operand, unsigned reg,
                    unsigned bits)
{
    struct exec one = lane_of(exec, lane);
    return oracle_read(&one, register_at(operand, reg), bits == 64 ? ISA_B64 : ISA_B32).lo;
}

static void set(const struct exec *exec, unsigned lane, const struct ptx_operand *operand, unsigned reg,
                unsigned bits, uint64_t value)
{
    struct exec one = lane_of(exec, lane);
    oracle_write(&one, register_at(operand, reg), bits == 64 ? ISA_B64 : ISA_B32, (struct value){value, 0});
}

/* ---- where elements are */

struct fragment {
    char letter; /* a b c d */
    enum isa_type type;
    unsigned m, n, k; /* k: as stored */
    bool wmma;
};
struct place {
    unsigned row, column;
};

static unsigned per_register(enum isa_type type)
{
    unsigned bits = isa_type_bits(type);
    return bits >= 32 ? 1 : 32 / bits;
}

/* Blocks of 8 rows (of b: columns) come in pairs; within a pair, elements are ordered by block, then by
 * k. */
static struct place place_of_factor(const struct fragment *f, unsigned reg, unsigned i, unsigned lane)
{
    unsigned q = per_register(f->type), deep = f->k / (4 * q), outer = f->letter == 'a' ? f->m : f->n;
    bool paired = f->letter == 'a' ? f->n != 32 && f->m >= 16 : f->n == 32;
    if (f->wmma && deep * outer / 8) reg %= deep * outer / 8; /* the rest are copies */
    unsigned group = deep * (paired ? 2 : 1), within = reg % group;
    unsigned block = paired ? 2 * (reg / group) + within % 2 : reg / group,
             layer = paired ? within / 2 : within;
    unsigned at = 8 * block + lane / 4, depth = 4 * q * layer + lane % 4 * q + i;
    return f->letter == 'a' ? (struct place){at, depth} : (struct place){depth, at};
}

static struct place place_of_sum(const struct fragment *f, unsigned reg, unsigned i, unsigned lane)
{
    unsigned e = reg * per_register(f->type) + i, pair = e / 2, tall = f->n == 32 ? 4 : f->m / 8;
    unsigned x = pair % tall * 8 + lane / 4, y = pair / tall * 8 + lane % 4 * 2 + e % 2;
    return f->n == 32 ? (struct place){y, x} : (struct place){x, y};
}

static struct place place_of(const struct fragment *f, unsigned reg, unsigned i, unsigned lane)
{
    return f->letter == 'a' || f->letter == 'b' ? place_of_factor(f, reg, i, lane)
                                                : place_of_sum(f, reg, i, lane);
}

static bool shape_of(const struct ptx_instr *instr, unsigned *m, unsigned *n, unsigned *k)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (sscanf(isa_mod_text((enum isa_mod)instr->mods[i]), "m%un%uk%u", m, n, k) == 3) return true;
    return false;
}

static uint64_t piece(uint64_t word, enum isa_type type, unsigned i)
{
    unsigned bits = isa_type_bits(type);
    return bits >= 32 ? word : word >> i * bits & ((UINT64_C(1) << bits) - 1);
}

/* ---- multiplication */

static struct fragment fragment_of(const struct oracle_product *p, char letter)
{
    struct fragment f = {.letter = letter, .m = p->m, .n = p->n, .k = p->k, .wmma = p->wmma};
    f.type = letter == 'a' ? p->a_type : letter == 'b' ? p->b_type : letter == 'c' ? p->c_type : p->d_type;
    if (letter == 'a' && p->sparse) f.k /= 2;
    return f;
}

/* The 4 metadata bits that select two elements of a group; for 4-bit types, pairs count as one element.
 * */
static unsigned metadata_at(const struct exec *exec, const struct oracle_product *p, unsigned row,
                            unsigned group)
{
    unsigned selector = (unsigned)exec->instr->operands[5].bits, lane = row % 8 * 4, high = row / 8, bits;
    unsigned groups = p->a_type == ISA_TF32 ? p->k / 2 : isa_type_bits(p->a_type) == 4 ? p->k / 8 : p->k / 4;
    bool narrow = isa_type_bits(p->a_type) < 16;
    if (groups == 4)
        bits = 16 * high + 4 * group, lane += selector;
    else if (groups == 8 && narrow)
        bits = 4 * group, lane += 2 * selector + high;
    else if (groups == 8)
        bits = 16 * high + 4 * (group % 4), lane += 2 * selector + group / 4;
    else
        bits = 4 * (group % 8), lane += high + 2 * (group / 8);
    return (unsigned)get(exec, lane, &exec->instr->operands[4], 0, 32) >> bits & 15;
}

static unsigned dense_column(const struct exec *exec, const struct oracle_product *p, unsigned row,
                             unsigned column)
{
    if (p->a_type == ISA_TF32) return column * 2 + (metadata_at(exec, p, row, column) == 14);
    if (isa_type_bits(p->a_type) == 4) {
        unsigned nibble = metadata_at(exec, p, row, column / 4);
        return column / 4 * 8 + (nibble >> column / 2 % 2 * 2 & 3) * 2 + column % 2;
    }
    return column / 2 * 4 + (metadata_at(exec, p, row, column / 2) >> column % 2 * 2 & 3);
}

static void read_factor(const struct exec *exec, struct oracle_product *p, char letter)
{
    const struct ptx_operand *operand = &exec->instr->operands[letter == 'a' ? 1 : letter == 'b' ? 2 : 3];
    struct fragment f = fragment_of(p, letter);
    unsigned elements = letter == 'a' ? f.m * f.k : letter == 'b' ? f.k * f.n : f.m * f.n;
    unsigned own = elements / 32 / per_register(f.type); /* the rest are copies */
    for (unsigned reg = 0; reg < own; reg++)
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned i = 0; i < per_register(f.type); i++) {
                uint64_t code = piece(get(exec, lane, operand, reg, isa_type_bits(f.type)), f.type, i);
                struct place at = place_of(&f, reg, i, lane);
                if (letter == 'c') p->c[at.row][at.column] = code;
                if (letter == 'b') p->b[at.row][at.column] = code;
                if (letter != 'a') continue;
                unsigned column = p->sparse ? dense_column(exec, p, at.row, at.column) : at.column;
                p->a[at.row][column] = code;
                p->present[at.row][column] = true;
            }
}

static void write_sum(const struct exec *exec, const struct oracle_product *p)
{
    const struct ptx_operand *operand = &exec->instr->operands[0];
    struct fragment f = fragment_of(p, 'd');
    unsigned bits = isa_type_bits(f.type);
    for (unsigned reg = 0; reg < register_count(operand); reg++)
        for (unsigned lane = 0; lane < 32; lane++) {
            uint64_t word = 0;
            for (unsigned i = 0; i < per_register(f.type); i++) {
                struct place at = place_of(&f, reg, i, lane);
                word |= p->d[at.row][at.column] << (bits < 32 ? i * bits : 0);
            }
            set(exec, lane, operand, reg, bits, word);
        }
}

/* ---- mma.m8n8k4 of f16: lanes q to q + 3 and q + 16 to q + 19 have one product */

static bool is_column(const struct ptx_instr *instr, unsigned which)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        bool column = instr->mods[i] == ISA_MOD_COL;
        if ((column || instr->mods[i] == ISA_MOD_ROW) && which-- == 0) return column;
    }
    return false;
}

static struct place place_in_quad(enum isa_type type, unsigned element, unsigned lane)
{
    unsigned low = lane < 16 ? 0 : 4;
    if (type == ISA_F16) return (struct place){low + lane % 4, element};
    return (struct place){low + (lane & 1) + (element & 2), (element & 4) + (lane & 2) + (element & 1)};
}

static void read_quad(const struct exec *exec, struct oracle_product *p, unsigned quad)
{
    const struct ptx_operand *operands = exec->instr->operands;
    for (unsigned l = 0; l < 8; l++) {
        unsigned lane = quad + l % 4 + l / 4 * 16, at = l % 4, upper = l / 4 * 4;
        for (unsigned e = 0; e < 4; e++) {
            uint64_t a = piece(get(exec, lane, &operands[1], e / 2, 32), ISA_F16, e % 2);
            uint64_t b = piece(get(exec, lane, &operands[2], e / 2, 32), ISA_F16, e % 2);
            if (is_column(exec->instr, 0))
                p->a[upper + e][at] = a;
            else
                p->a[upper + at][e] = a;
            if (is_column(exec->instr, 1))
                p->b[e][upper + at] = b;
            else
                p->b[at][upper + e] = b;
        }
        for (unsigned e = 0; e < 8; e++) {
            struct place place = place_in_quad(p->c_type, e, lane);
            unsigned q = per_register(p->c_type);
            p->c[place.row][place.column] = piece(get(exec, lane, &operands[3], e / q, 32), p->c_type, e % q);
        }
    }
}

static void write_quad(const struct exec *exec, const struct oracle_product *p, unsigned quad)
{
    unsigned q = per_register(p->d_type);
    for (unsigned l = 0; l < 8; l++) {
        unsigned lane = quad + l % 4 + l / 4 * 16;
        for (unsigned reg = 0; reg < 8 / q; reg++) {
            uint64_t word = 0;
            for (unsigned i = 0; i < q; i++) {
                struct place place = place_in_quad(p->d_type, reg * q + i, lane);
                word |= p->d[place.row][place.column] << 16 * i;
            }
            set(exec, lane, &exec->instr->operands[0], reg, 32, word);
        }
    }
}

static void multiply(struct exec *exec)
{
    static struct oracle_product p;
    const struct ptx_instr *instr = exec->instr;
    bool two = instr->type_count == 2;
    memset(&p, 0, sizeof p);
    p.instr = instr;
    p.d_type = ptx_instr_type(instr, 0);
    p.a_type = two ? ISA_F16 : ptx_instr_type(instr, 1);
    p.b_type = two ? ISA_F16 : ptx_instr_type(instr, 2);
    p.c_type = ptx_instr_type(instr, two ? 1 : 3);
    p.wmma = instr->op == ISA_OP_WMMA;
    p.sparse = ptx_has(instr, ISA_MOD_SP) || ptx_has(instr, ISA_MOD_SP__ORDERED_METADATA);
    if (!shape_of(instr, &p.m, &p.n, &p.k)) oracle_unsupported(exec);
    p.quads = !p.wmma && p.a_type == ISA_F16 && p.m == 8;
    for (unsigned quad = 0; p.quads && quad < 16; quad += 4) {
        read_quad(exec, &p, quad);
        oracle_multiply(&p);
        write_quad(exec, &p, quad);
    }
    if (p.quads) return;
    read_factor(exec, &p, 'a');
    read_factor(exec, &p, 'b');
    read_factor(exec, &p, 'c');
    oracle_multiply(&p);
    write_sum(exec, &p);
}

/* ---- wmma.load, wmma.store */

static uint64_t read_bits(const uint8_t *base, size_t element, unsigned bits)
{
    uint64_t word = 0;
    if (bits < 8) return base[element * bits / 8] >> element * bits % 8 & ((1u << bits) - 1);
    memcpy(&word, base + element * bits / 8, bits / 8);
    return word;
}

static void move_fragment(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    bool store = ptx_has(instr, ISA_MOD_STORE), columns = ptx_has(instr, ISA_MOD_COL);
    struct fragment f = {.type = ptx_instr_type(instr, 0), .wmma = true};
    f.letter = ptx_has(instr, ISA_MOD_A) ? 'a' : ptx_has(instr, ISA_MOD_B) ? 'b' : 'c';
    if (!shape_of(instr, &f.m, &f.n, &f.k)) oracle_unsupported(exec);
    unsigned bits = isa_type_bits(f.type), wide = f.letter == 'a' ? f.k : f.n,
             tall = f.letter == 'b' ? f.k : f.m;
    const struct ptx_operand *regs = &instr->operands[store];
    for (unsigned lane = 0; lane < 32; lane++) {
        struct exec one = lane_of(exec, lane);
        uint8_t *base = oracle_pointer(&one, &instr->operands[!store], ptx_instr_space(instr));
        size_t stride = columns ? tall : wide;
        if (instr->operand_count > 2) stride = (uint32_t)oracle_get(&one, 2, ISA_B32);
        for (unsigned reg = 0; reg < register_count(regs); reg++) {
            uint64_t word = store ? get(exec, lane, regs, reg, bits) : 0;
            for (unsigned i = 0; i < per_register(f.type); i++) {
                struct place at = place_of(&f, reg, i, lane);
                size_t element = columns ? at.column * stride + at.row : at.row * stride + at.column;
                uint64_t code = piece(word, f.type, i);
                if (store)
                    memcpy(base + element * bits / 8, &code, bits / 8);
                else
                    word |= read_bits(base, element, bits) << (bits < 32 ? i * bits : 0);
            }
            if (!store) set(exec, lane, regs, reg, bits, word);
        }
    }
}

/* ---- ldmatrix, stmatrix, movmatrix */

static void move_rows(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    bool store = instr->op == ISA_OP_STMATRIX, turned = ptx_has(instr, ISA_MOD_TRANS);
    const struct ptx_operand *regs = &instr->operands[store];
    for (unsigned matrix = 0; matrix < register_count(regs); matrix++)
        for (unsigned row = 0; row < 8; row++) {
            struct exec one = lane_of(exec, matrix * 8 + row);
            uint8_t *memory = oracle_pointer(&one, &instr->operands[!store], ptx_instr_space(instr));
            for (unsigned column = 0; column < 8; column++) {
                unsigned lane = turned ? column * 4 + row / 2 : row * 4 + column / 2,
                         half = turned ? row % 2 : column % 2;
                uint64_t word = get(exec, lane, regs, matrix, 32);
                uint16_t code = (uint16_t)(word >> 16 * half);
                if (store) {
                    memcpy(memory + 2 * column, &code, 2);
                    continue;
                }
                memcpy(&code, memory + 2 * column, 2);
                word = (word & ~(UINT64_C(0xffff) << 16 * half)) | (uint64_t)code << 16 * half;
                set(exec, lane, regs, matrix, 32, word);
            }
        }
}

static void turn(struct exec *exec)
{
    uint64_t from[32], to[32] = {0};
    for (unsigned lane = 0; lane < 32; lane++)
        from[lane] = get(exec, lane, &exec->instr->operands[1], 0, 32);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = 0; column < 8; column++)
            to[row * 4 + column / 2] |= (from[column * 4 + row / 2] >> row % 2 * 16 & 0xffff)
                                        << column % 2 * 16;
    for (unsigned lane = 0; lane < 32; lane++)
        set(exec, lane, &exec->instr->operands[0], 0, 32, to[lane]);
}

void oracle_matrix(struct exec *exec)
{
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX: move_rows(exec); return;
    case ISA_OP_MOVMATRIX: turn(exec); return;
    case ISA_OP_WMMA:
        if (!ptx_has(exec->instr, ISA_MOD_MMA)) {
            move_fragment(exec);
            return;
        }
        break;
    default: break;
    }
    multiply(exec);
}

bool oracle_is_matrix_op(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_MMA:
    case ISA_OP_WMMA:
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX:
    case ISA_OP_MOVMATRIX: return true;
    default: return false;
    }
}
