/* SPDX-License-Identifier: Apache-2.0 */
/* driver: events of several processes (driver_ipc_event.c). */
#ifndef DRIVER_IPC_EVENT_H
#define DRIVER_IPC_EVENT_H

#include "driver/core/driver_process.h"

struct driver_ipc_event; /* shared page: how many records were issued, and which completed */
CUresult driver_ipc_event_new(struct driver_ipc_event **out);
void driver_ipc_event_free(struct driver_ipc_event *ipc_event);           /* NULL: nothing */
uint64_t driver_ipc_event_issue(struct driver_ipc_event *ipc_event);      /* the number of a new record */
uint64_t driver_ipc_event_last(const struct driver_ipc_event *ipc_event); /* by any process; 0: none */
void driver_ipc_event_complete(struct driver_ipc_event *ipc_event, uint64_t number);
bool driver_ipc_event_done(const struct driver_ipc_event *ipc_event, uint64_t number);
void driver_ipc_event_wait(const struct driver_ipc_event *ipc_event, uint64_t number);
#endif
