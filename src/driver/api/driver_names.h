/* SPDX-License-Identifier: Apache-2.0 */
/* driver: included before all else in every file of the driver but those that see the exported names. A
 * function of driver_api.def that the driver defines, cuInit, is driver_cuInit in the object file; the
 * exported one stands in driver_watch.c. */
#ifndef DRIVER_NAMES_H
#define DRIVER_NAMES_H

#define DRIVER_RENAME(text)       _Pragma(#text)
#define DONE(symbol, name, since) DRIVER_RENAME(redefine_extname symbol driver_##symbol)
#define REFUSED(symbol, name, since)
#include "driver_api.def"
#undef DONE
#undef REFUSED
#undef DRIVER_RENAME
#endif
