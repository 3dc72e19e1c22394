/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what the program does wrong, told to a tool that checks (driver_finding.c). */
#ifndef DRIVER_FINDING_H
#define DRIVER_FINDING_H

#include "event/event_finding.h"

/* Does the tool look for one of these (bits of enum event_check)? */
bool driver_checks(uint32_t checks);
/* Any thread; there is a tool that checks. */
void driver_finding_tell(const struct event_finding *finding);
/* The host's side of a finding: the call that this thread is in. */
struct event_place driver_finding_here(const void *stub); /* stub: as of driver_caller_find */

/* A call of the program, in this thread, is about to return this error: a finding, unless it is an answer, or
 * one that repeats what is told already. name, text: CUDA's; stub: as of driver_caller_find. The runtime
 * library finds this function by cuGetProcAddress as DRIVER_CALL_FAILED. */
typedef void driver_call_failed_fn(int error, const char *name, const char *text, const void *stub);
driver_call_failed_fn driver_call_failed;
#define DRIVER_CALL_FAILED "softwarpCallFailed"
/* The same of a function of the driver; of a call of the runtime library it is that one's to tell. */
void driver_entry_failed(unsigned result);
/* A finding of another kind says already why the call that this thread is in will fail. */
void driver_call_is_told(void);
#endif
