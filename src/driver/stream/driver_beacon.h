/* SPDX-License-Identifier: Apache-2.0 */
/* driver: events of several processes (driver_beacon.c). */
#ifndef DRIVER_BEACON_H
#define DRIVER_BEACON_H

#include "driver/core/driver_process.h"

struct driver_beacon; /* shared page: how many records were issued, and which completed */
CUresult driver_beacon_new(struct driver_beacon **out);
void driver_beacon_free(struct driver_beacon *beacon);           /* NULL: nothing */
uint64_t driver_beacon_issue(struct driver_beacon *beacon);      /* the number of a new record */
uint64_t driver_beacon_last(const struct driver_beacon *beacon); /* by any process; 0: none */
void driver_beacon_complete(struct driver_beacon *beacon, uint64_t number);
bool driver_beacon_done(const struct driver_beacon *beacon, uint64_t number);
void driver_beacon_wait(const struct driver_beacon *beacon, uint64_t number);
#endif
