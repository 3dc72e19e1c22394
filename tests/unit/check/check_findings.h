/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up findings of two kernels in a source file that can be read. */
#ifndef CHECK_FINDINGS_H
#define CHECK_FINDINGS_H

#include "check/check.h"
#include "event/event_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_WRITE = 10, LINE_READ = 20, LINE_SHARED = 30, LINE_PLAIN = 40, LINE_HEADER = 50 }; /* of PTX */

static char source_path[] = "/tmp/softwarp-check-XXXXXX.cu";

static const struct event_loc CALLER = {.file = source_path, .line = 5, .column = 3};
static const struct event_loc LOCS[] = {
    {.file = source_path, .line = 2, .column = 5},
    {.file = source_path, .line = 3, .column = 9},
    {.file = source_path, .line = 4, .function = "inner", .caller = &CALLER}};
static const struct event_loc HEADER = {.file = "/usr/local/cuda/include/mma.h", .line = 61, .column = 1};
static const struct event_instr INSTRS[] = {
    {.ptx_line = LINE_WRITE,
     .isa = {.type_count = 1, .types = {ISA_F32}},
     .bytes = 4,
     .is_write = true,
     .loc = &LOCS[0],
     .text = "st.global.f32 [%rd1], %f1;"},
    {.ptx_line = LINE_READ,
     .isa = {.type_count = 1, .types = {ISA_U32}},
     .bytes = 4,
     .is_read = true,
     .loc = &LOCS[1],
     .text = "ld.shared.u32 %r1, [%r2];"},
    {.ptx_line = LINE_SHARED,
     .isa = {.type_count = 1, .types = {ISA_S32}},
     .bytes = 4,
     .is_write = true,
     .loc = &LOCS[2],
     .text = "st.shared.s32 [%r2], %r3;"},
    {.ptx_line = LINE_PLAIN, .bytes = 8, .is_read = true, .text = "ld.b64 %rd3, [%rd4];"},
    {.ptx_line = LINE_HEADER, .bytes = 32, .is_read = true, .loc = &HEADER, .text = "wmma.load"},
};
static const struct event_kernel SCALE = {.name = "scale", .instr_count = 5, .instrs = INSTRS};
static const struct event_kernel SUM = {.name = "sum", .instr_count = 5, .instrs = INSTRS};

/* The file that LOCS name. */
static int source_write(void **state)
{
    (void)state;
    int file = mkstemps(source_path, 3);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream) return -1;
    fputs("__global__ void scale()\n    a[i] = x;\n\tsum += tile[i];\ntile[i] = 1;\n    inner();\n", stream);
    return fclose(stream);
}

static int source_remove(void **state)
{
    (void)state;
    return unlink(source_path);
}

static inline struct event_place place_in(const struct event_kernel *kernel, uint32_t line, uint32_t thread)
{
    return (struct event_place){.kernel = kernel,
                                .line = line,
                                .block = {3, 0, 0},
                                .thread = {thread, 0, 0},
                                .bytes = 4,
                                .writes = line == LINE_WRITE || line == LINE_SHARED};
}

static inline struct event_finding out_of_bounds(uint32_t thread)
{
    return (struct event_finding){.kind = EVENT_FINDING_BOUNDS,
                                  .space = ISA_SPACE_GLOBAL,
                                  .place = place_in(&SCALE, LINE_WRITE, thread),
                                  .address = 0x20000fa0 + 4 * (thread - 8),
                                  .base = 0x20000000,
                                  .size = 4000,
                                  .made = "cudaMalloc",
                                  .where = "/src/main.cu:31"};
}

/* A write of shared memory after a read of another warp. */
static inline struct event_finding race(void)
{
    struct event_finding f = {.kind = EVENT_FINDING_RACE,
                              .space = ISA_SPACE_SHARED,
                              .has_other = true,
                              .place = place_in(&SUM, LINE_SHARED, 0),
                              .other = place_in(&SUM, LINE_READ, 40),
                              .address = 0x40,
                              .size = 256,
                              .variable = "tile",
                              .count = 4};
    f.place.has_value = f.other.has_value = true;
    f.place.value = (uint32_t)-1, f.other.value = 7;
    return f;
}
#endif
