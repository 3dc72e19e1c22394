/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what is done wrong with memory, for a tool that checks (driver_misuse.c). */
#ifndef DRIVER_MISUSE_H
#define DRIVER_MISUSE_H

#include "driver_memory.h"

#include "event/event_finding.h"

/* Whose memory an address is, was, or is nearest to, into the finding; and in `other` who gave it back. */
void driver_misuse_describe(uint64_t address, struct event_finding *finding);
/* The same in words for the allocation at or nearest to an address: "variable 'table'", "made at
 * scale.cu:12"; empty: not known. */
void driver_misuse_say(uint64_t address, char *text, size_t bytes);
/* The call that this thread is in gives back an address that is not its to give: EVENT_FINDING_FREE, if that
 * is looked for. Returns CUDA_ERROR_INVALID_VALUE. */
CUresult driver_misuse_wrong_free(uint64_t address);
/* The same of an array's handle: CUDA_ERROR_INVALID_HANDLE. */
CUresult driver_misuse_wrong_handle(uint64_t handle);
/* What nobody wrote of memory that is freed, or at the end of the process of all, as EVENT_FINDING_UNUSED if
 * that is looked for. */
void driver_misuse_unused(const struct driver_allocation *allocation);
void driver_misuse_unused_at_end(void);
/* What is live, as EVENT_FINDING_LEAK if that is looked for; context: made in it alone, NULL: in any. */
void driver_misuse_leaks(const struct driver_context *context);
#endif
