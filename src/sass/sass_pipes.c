/* SPDX-License-Identifier: Apache-2.0 */
/* Which pipes an instruction takes, and for how long.
 *
 * Models: lanes a cycle of each pipe (arch_pipes.def); integer multiplications on a part of the pipe of
 * 32-bit floats; the port of memory instructions. Does not model: which of two pipes ptxas chooses for an
 * addition or a move: half of them on either. Sources: as named. */
#include "sass/sass.h"

double sass_half_rate(const struct sass *m)
{
    return m->pipes->f16 / 2.0 * (double)m->p->sm_half_percent / 100;
}

static double held_cycles(const struct sass *m, const struct sass_lower *l)
{
    return m->gpu->cc_major >= 8 ? l->held : 0; /* before, banks are others: not modelled */
}

/* Between two memory instructions of a warp ptxas leaves 4 cycles, as long as load and store units take for
 * one of each scheduler, and 8 between loads of constants (820 of 840 pairs in the machine code of tests/hw,
 * 134 of 134). Of generations before Volta nobody looked. */
static double port_share(const struct sass *m, const struct sass_lower *l)
{
    enum { CONSTANT = 2, VOLTA = 7 }; /* inferred: as above */
    if (m->gpu->cc_major < VOLTA) return 0;
    return l->kind == SASS_CONSTANT ? CONSTANT : l->kind == SASS_MEMORY;
}

void sass_add_pipes(const struct sass *m, const struct sass_lower *l, double pipes[SASS_PIPES])
{
    const double share = SW_WARP_LANES * (double)m->pipes->schedulers;
    pipes[0] += l->half * share / sass_half_rate(m);
    if (sass_multiplies(l))
        pipes[SASS_MULTIPLIER] += l->fma * sass_multiplies(l) * share / m->pipes->multiply;
    else
        pipes[0] += l->fma * share / m->pipes->f32;
    pipes[1] += (l->alu - sass_either(l) / 2) * share / m->pipes->integer;
    pipes[SASS_MULTIPLIER] += sass_either(l) / 2 * share / m->pipes->integer;
    pipes[2] += l->xu * share / m->pipes->special;
    double ports = l->kind == SASS_WIDE_FMA ? SASS_PORTS_PERCENT / 100.0 : 1;
    pipes[3] += l->fp64 * ports * share / m->pipes->f64;
    pipes[SASS_PORT] += port_share(m, l) * sass_slots(l) * share / m->pipes->load;
}

/* What the pipe of 32-bit floats takes, of which only a part multiplies integers (from 8.6 on half of it). */
double sass_fma_cycles(const struct sass *m, double floats, double multiply)
{
    double part = (double)m->pipes->multiply / m->pipes->f32;
    double together = floats + multiply * (part < 1 ? part : 1);
    return together > multiply ? together : multiply;
}

void sass_units_add(const struct sass *m, uint32_t number, struct sass_units *units)
{
    const struct sass_lower *l = &m->lower[number];
    struct sass_lower slow = sass_slow_path(m, &m->kernel->instrs[number]);
    units->slots += sass_slots(l) + sass_slots(&slow);
    units->held += held_cycles(m, l);
    sass_add_pipes(m, l, units->pipes);
    sass_add_pipes(m, &slow, units->pipes);
}

double sass_units_cycles(const struct sass *m, const struct sass_units *units)
{
    double most = units->slots + units->held;
    double floats = sass_fma_cycles(m, units->pipes[0], units->pipes[SASS_MULTIPLIER]);
    if (floats > most) most = floats;
    for (uint32_t p = 1; p < SASS_PIPES; p++)
        if (units->pipes[p] > most) most = units->pipes[p];
    return most;
}
