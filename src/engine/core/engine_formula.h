/* SPDX-License-Identifier: Apache-2.0 */
/* How the addresses of findings came about (engine_formula.c). */
#ifndef ENGINE_FORMULA_H
#define ENGINE_FORMULA_H

#include "base/base.h"
#include "event/event_finding.h"

struct engine_job;
struct ptx_slices;

/* Of a launch's findings; {0} is empty, until engine_formulas_release. */
struct engine_formulas {
    struct ptx_slices *slices;
    struct arena texts;
    bool begun;
};
/* Sets finding->formula if the finding is of an access by a thread of the job, which is over, and its address
 * can be followed. Valid until the release. */
void engine_formula_set(struct engine_formulas *formulas, const struct engine_job *job,
                        struct event_finding *finding);
void engine_formulas_release(struct engine_formulas *formulas);
#endif
