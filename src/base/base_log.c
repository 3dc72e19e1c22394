/* SPDX-License-Identifier: Apache-2.0 */
/* One line, one write, so that lines of several threads do not mix. */
#include "base/base_log.h"

#include "base/base_str.h"

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sw_log_sink current_sink;
static void *current_user;
static void (*_Atomic current_listener)(const char *line);

static void to_stderr(const char *line)
{
    struct str out = {0};
    str_printf(&out, "==SOFTWARP== %s\n", line);
    ssize_t written = write(STDERR_FILENO, out.text, out.length);
    (void)written; /* nowhere left to complain */
    str_release(&out);
}

static void log_v(const char *format, va_list args)
{
    struct str line = {0};
    str_vprintf(&line, format, args);
    void (*listener)(const char *) = current_listener;
    if (listener) listener(str_text(&line));
    pthread_mutex_lock(&lock);
    if (current_sink)
        current_sink(current_user, str_text(&line));
    else
        to_stderr(str_text(&line));
    pthread_mutex_unlock(&lock);
    str_release(&line);
}

void sw_log(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_v(format, args);
    va_end(args);
}

void sw_log_once(int *done, const char *format, ...)
{
    if (__atomic_exchange_n(done, 1, __ATOMIC_RELAXED)) return;
    va_list args;
    va_start(args, format);
    log_v(format, args);
    va_end(args);
}

void sw_log_listen(void (*listener)(const char *line))
{
    current_listener = listener;
}

void sw_log_set_sink(sw_log_sink sink, void *user)
{
    pthread_mutex_lock(&lock);
    current_sink = sink;
    current_user = user;
    pthread_mutex_unlock(&lock);
}
