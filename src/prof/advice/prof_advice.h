/* SPDX-License-Identifier: Apache-2.0 */
/* What pages ask of the advice besides prof.h. */
#ifndef PROF_ADVICE_H
#define PROF_ADVICE_H

#include "prof/prof.h"

bool prof_hardly_saves(const struct prof_finding *finding); /* less than half a per cent of the time */
#endif
