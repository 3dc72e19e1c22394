/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels print: kept until a synchronisation point, then written to the program's own stdout.
 *
 * CUDA keeps the text in a ring of CU_LIMIT_PRINTF_FIFO_SIZE bytes and loses what overflows. Here nothing is
 * lost: a full buffer is written early. Text left at exit is dropped, as on a GPU. */
#include "driver_error.h"

#include "ptx/ptx_ir.h"

#include <pthread.h>
#include <stdio.h>

enum { FULL_BYTES = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct str pending;

static void flush_locked(void)
{
    if (pending.length == 0) return;
    fwrite(pending.text, 1, pending.length,
           stdout); /* stdio, so that it keeps its place among the program's own */
    str_clear(&pending);
}

void driver_print(void *user, const char *text, size_t length)
{
    (void)user;
    pthread_mutex_lock(&lock);
    str_add_bytes(&pending, text, length);
    if (pending.length >= FULL_BYTES) flush_locked();
    pthread_mutex_unlock(&lock);
}

void driver_print_flush(void)
{
    pthread_mutex_lock(&lock);
    flush_locked();
    pthread_mutex_unlock(&lock);
}
