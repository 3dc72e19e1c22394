/* SPDX-License-Identifier: Apache-2.0 */
/* forms_hostile.c: forms with something wrong in them. */
#ifndef FORMS_HOSTILE_H
#define FORMS_HOSTILE_H

#include "forms.h"

#include "ptx/ptx.h"

/* Every stride-th form with every change; prints the variants that are accepted and should not be. */
int forms_hostile(const struct forms_table *table, unsigned stride);
#endif
