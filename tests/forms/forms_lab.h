/* SPDX-License-Identifier: Apache-2.0 */
/* forms_lab: kernels with the forms' parameters (in, out, cells, blob), in compiled code and in the oracle.
 */
#ifndef FORMS_LAB_H
#define FORMS_LAB_H

#include "forms.h"

#include "engine/engine.h"

enum { LAB_ENGINES = JIT_ISA_COUNT * 2 };

struct forms_lab {
    struct vmem *vmem;
    struct engine
        *engines[LAB_ENGINES]; /* by isa; behind those the same with 4 threads; NULL: this CPU has it not */
    dev_addr in, out, cells;
    size_t out_bytes;
};

struct forms_job {
    const struct ptx_module *module;
    uint64_t *symbols;
    const char *kernel;
    uint32_t blocks, threads;
    size_t out_bytes; /* cleared before it runs */
};

void forms_lab_open(struct forms_lab *lab, size_t out_bytes, bool more_threads);
const char *forms_lab_name(unsigned engine);
/* Parses, verifies, and places constants; released by forms_job_close. */
enum sw_status forms_job_open(struct forms_lab *lab, const char *text, size_t length, struct forms_job *job,
                              struct sw_error *error);
void forms_job_close(struct forms_lab *lab, struct forms_job *job);
enum sw_status forms_job_compiled(struct forms_lab *lab, const struct forms_job *job, unsigned engine,
                                  struct sw_error *error);
enum sw_status forms_job_oracle(struct forms_lab *lab, const struct forms_job *job, struct sw_error *error);
#endif
