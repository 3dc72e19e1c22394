/* SPDX-License-Identifier: Apache-2.0 */
/* forms_undone.c: 0 when all that undone.txt (`path`) lists is refused as it should be */
#ifndef FORMS_UNDONE_H
#define FORMS_UNDONE_H

#include <stdbool.h>

int forms_undone(const char *path, bool verbose);
#endif
