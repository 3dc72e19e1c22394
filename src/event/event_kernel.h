/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel is to tools: the table that says what each of its instructions is. */
#ifndef EVENT_KERNEL_H
#define EVENT_KERNEL_H

#include "event_counter.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

struct event_loc {
    const char *file;               /* "" when not known */
    uint32_t line, column;          /* 0: not known */
    const char *function;           /* inlined function, or NULL */
    const struct event_loc *caller; /* where it was inlined, or NULL */
};

#define EVENT_NO_REG UINT32_MAX
/* An operand as PTX writes it. */
struct event_operand {
    uint8_t kind;       /* enum isa_operand_kind */
    uint8_t type;       /* enum isa_type: as which reg is declared; of a variable: of an element */
    uint8_t type2;      /* the same of reg2 */
    bool negate;        /* !reg or -reg */
    bool is_f32;        /* FLOAT: bits are those of a 32-bit float */
    bool parameter;     /* reg: a parameter of a call that was inlined */
    uint16_t sreg;      /* SREG: enum isa_sreg */
    uint32_t reg, reg2; /* as in event_instr.regs; EVENT_NO_REG: none */
    uint64_t bits;    /* INT, FLOAT: the value; VAR, MEM: the offset, or the address where there is no base */
    const char *name; /* of a variable or function; NULL: none */
    uint32_t count;
    const struct event_operand *elements; /* of VEC and LIST; of MEM: what follows after the address */
};
struct event_instr {
    struct isa_instr isa;  /* what it is */
    uint8_t cls;           /* enum isa_class */
    uint8_t unit;          /* enum isa_unit */
    uint8_t space;         /* enum isa_space */
    uint8_t flop;          /* enum isa_flop */
    uint16_t bytes;        /* memory: bytes a lane moves */
    bool guarded, returns; /* ATOMIC: returns false for red */
    bool is_read, is_write;
    uint32_t ptx_line;
    const struct event_loc *loc; /* NULL: no .loc */
    const char *op;              /* "ld.global.f32", to be shown */
    const char *text;            /* the whole instruction, to be shown */
    uint8_t operand_count;
    bool guard_negate;                    /* @!p */
    const struct event_operand *operands; /* in written order */
    struct event_slots slots;
    uint32_t block;               /* number in event_kernel.blocks, or EVENT_NO_BLOCK: not reachable */
    uint8_t def_count, use_count; /* of regs: written, then read (guard and address included) */
    const uint32_t *regs;
};
static inline bool event_has(const struct event_instr *instr, enum isa_mod mod)
{
    return isa_has(&instr->isa, mod);
}
/* Operand n; one of no kind where there is none. */
static inline const struct event_operand *event_operand_at(const struct event_instr *instr, uint32_t n)
{
    static const struct event_operand NONE = {.reg = EVENT_NO_REG, .reg2 = EVENT_NO_REG};
    return n < instr->operand_count ? &instr->operands[n] : &NONE;
}
static inline const struct event_operand *event_last_operand(const struct event_instr *instr)
{
    return event_operand_at(instr, instr->operand_count - 1u);
}
/* The integer that an operand is; 0: it is none. */
static inline uint64_t event_integer(const struct event_operand *operand)
{
    return operand->kind == ISA_OPD_INT ? operand->bits : 0;
}
/* The register of the guard, which is the first of those that are read; EVENT_NO_REG: none. */
static inline uint32_t event_guard(const struct event_instr *instr)
{
    return instr->guarded && instr->use_count ? instr->regs[instr->def_count] : EVENT_NO_REG;
}
static inline bool event_reads_clock(const struct event_instr *instr)
{
    for (uint32_t n = 0; n < instr->operand_count; n++)
        if (instr->operands[n].kind == ISA_OPD_SREG &&
            isa_sreg_is_clock((enum isa_sreg)instr->operands[n].sreg))
            return true;
    return false;
}
/* A barrier of a block or a cluster, not of a warp's lanes. */
static inline bool event_is_wide_barrier(const struct event_instr *instr)
{
    return instr->cls == ISA_CLASS_BARRIER && !event_has(instr, ISA_MOD_WARP);
}
/* A basic block: instructions that stand together in the table. */
#define EVENT_NO_BLOCK UINT32_MAX
enum { EVENT_BLOCK_BEFORE = 2, EVENT_INSTR_REGS = 48 /* more are left out */ };
struct event_block {
    uint32_t first, count;
    uint32_t before[EVENT_BLOCK_BEFORE]; /* blocks that control comes from, the later ones in the table first;
                                            EVENT_NO_BLOCK: none */
    bool more_before;                    /* control comes from others, too */
    bool nounroll;                       /* the loop that begins with it is not to be unrolled */
};

/* A kernel as compiled for a launch: lives as long as its module. */
struct event_kernel {
    const char *name; /* mangled */
    uint32_t instr_count;
    const struct event_instr *instrs; /* in flattened order */
    uint32_t slot_count;
    uint32_t registers;   /* per thread */
    bool registers_exact; /* from a cubin of the chosen SM; otherwise an estimate from liveness */
    uint32_t static_shared_bytes, local_bytes_per_thread, max_threads_per_block;
    uint32_t ptx_sm;           /* the .target */
    const char *ptx_name;      /* module name for messages */
    uint32_t registers_wanted; /* estimate without any bound: what is more than `registers` spills */
    uint32_t
        spill_bytes; /* a thread, in local memory: the cubin's frame less PTX's arrays; 0 without a cubin */
    uint32_t block_count, reg_count; /* reg_count: above every number in event_instr.regs */
    const struct event_block *blocks;
    uint64_t params_loaded; /* bit i: it may read memory through the i-th 8 bytes of its parameters; 63:
                               through those and all behind */
    uint64_t id;            /* never given twice in a process, another for each table of instructions */
};
#endif
