/* SPDX-License-Identifier: Apache-2.0 */
/* The one log sink. Libraries report through it; by default lines go to stderr, prefixed ==SOFTWARP==. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdarg.h>

typedef void (*sw_log_sink)(void *user, const char *line); /* line: no prefix, no newline; any thread */

void sw_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
void sw_log_once(int *done, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* *done: static, 0 */
/* Called with every line as well, before the sink, by the thread that logs; NULL: nobody. */
void sw_log_listen(void (*listener)(const char *line));
void sw_log_set_sink(sw_log_sink sink, void *user); /* NULL: stderr again */
#endif
