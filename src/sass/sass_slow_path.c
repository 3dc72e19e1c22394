/* SPDX-License-Identifier: Apache-2.0 */
/* What the slow ways of divisions, square roots and reciprocals of 32-bit floats cost.
 *
 * Models: passes through the routines that warps call when one of their lanes has to (event_slots.slow), each
 * as long. Does not model: slow ways of 64-bit floats and of sines of large numbers. Sources: the routine's
 * machine code (ptxas 13.0, 9.0): 32 instructions for a dividend of zero, 64 for a quotient that is no normal
 * number, 95 for a warp with both, which is what launches of even number execute that come there
 * (softmax_rows, softmax_row; fourier for the first). Latency: ptxas' distances on these ways, with the call:
 * about 190 cycles for a dividend of zero, 445 for the other, which is two passes. */
#include "sass/sass.h"

/* inferred from the routine's machine code: as above */
static const struct sass_lower PASS = {.fma = 5, .alu = 19, .other = 8, .latency = 200, .kind = SASS_SLOW};

struct sass_lower sass_slow_path(const struct sass *m, const struct event_instr *i)
{
    double warps = (double)sass_count(m, i->slots.warps), passes = (double)sass_count(m, i->slots.slow);
    double each = warps > 0 ? passes / warps : 0;
    struct sass_lower l = PASS;
    l.fma *= each;
    l.alu *= each;
    l.other *= each;
    l.latency *= each;
    return l;
}
