/* SPDX-License-Identifier: Apache-2.0 */
/* A machine of two GPUs, as the driver gives it to the tools: a frozen one, which is named TEST90, and a real
 * one with one copy engine, "fx570". */
#ifndef FROZEN_MACHINE_H
#define FROZEN_MACHINE_H

#include "frozen_gpu.h"

#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { FROZEN_MACHINE = 2 }; /* definition: devices */

static inline const struct arch_gpu *const *frozen_machine(void)
{
    static struct arch_gpu gpus[FROZEN_MACHINE];
    static const struct arch_gpu *const machine[FROZEN_MACHINE] = {&gpus[0], &gpus[1]};
    assert_int_equal(arch_gpu_load(TEST90, &gpus[0], NULL), SW_OK);
    assert_int_equal(arch_gpu_load("fx570", &gpus[1], NULL), SW_OK);
    snprintf(gpus[0].origin, sizeof gpus[0].origin, "%s", TEST90); /* also where the path has links */
    return machine;
}
#endif
