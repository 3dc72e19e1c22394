/* SPDX-License-Identifier: Apache-2.0 */
/* The error log of a link. */
#include "nvjitlink_priv.h"

#include <stdarg.h>

void nvjitlink_say(struct nvJitLink *link, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(&link->errors, format, args);
    va_end(args);
    str_add_char(&link->errors, '\n');
}
