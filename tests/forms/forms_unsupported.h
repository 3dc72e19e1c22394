/* SPDX-License-Identifier: Apache-2.0 */
/* forms_unsupported.c: 0 when all that unsupported.txt (`path`) lists is refused as it should be */
#ifndef FORMS_UNSUPPORTED_H
#define FORMS_UNSUPPORTED_H

#include <stdbool.h>

int forms_unsupported(const char *path, bool verbose);
#endif
