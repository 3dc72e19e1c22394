/* SPDX-License-Identifier: Apache-2.0 */
/* What conform_peers.c (contexts, memory, plain copies) and conform_peers_other.c (batches, graphs, textures,
 * what kernels do with helpers) share. */
#ifndef CONFORM_PEERS_H
#define CONFORM_PEERS_H

#include "conform.h"

enum { PEERS_CONTEXTS = 4, PEERS_BYTES = 1 << 16 };
struct step { /* verb, context (which is current), and what else there is */
    char verb[24], a[16], b[16], c[16];
};
extern uint32_t peers_got;                 /* what a step read, if it did */
int peers_device(unsigned context);        /* its ordinal */
CUdeviceptr peers_named(const char *name); /* made when it is first named */
CUdeviceptr peers_out(unsigned context);   /* where its kernels write what they read */
CUresult peers_then_wait(CUresult result); /* of what was queued */
CUresult peers_enter(char number);         /* make that context current */
CUresult peers_run(CUfunction function, unsigned threads, unsigned context, uint64_t argument);

CUmemAccessDesc peers_access(const char *device, const char *what); /* h: the host; rw, r or none */

/* Memory of other letters (conform_peers_other.c), in the current context. */
bool peers_make_other(char letter, unsigned context, CUdeviceptr *out);
/* False: no verb of conform_peers_other.c. */
bool peers_do_other(const struct step *step, CUresult *result);
#endif
