/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel did that faulted (engine_diagnose.c). */
#ifndef ENGINE_DIAGNOSE_H
#define ENGINE_DIAGNOSE_H

#include "engine/core/engine_job.h"

/* The job failed by a fault: thread, line and access into its error, where they can be found out. together:
 * its blocks waited for each other. */
void engine_diagnose(struct engine_job *failed, bool together);
#endif
