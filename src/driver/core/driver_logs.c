/* SPDX-License-Identifier: Apache-2.0 */
/* cuLogs*: the last lines that the library said, to read back, and callbacks for those to come.
 *
 * Lines are those of the log (base_log.h): what is refused, what could not be compiled, and why kernels
 * failed; all count as errors. They are numbered; an iterator is the number of the next line to read. Differs
 * from CUDA: calls with wrong arguments say nothing. */
#include "driver_error.h"
#include "driver_object.h"

#include "ptx/ptx_ir.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 100, BUFFER_MOST = 25600 }; /* CUDA: "the maximum size of the buffer is 25600 bytes" */
struct CUlogsCallbackEntry_st {
    CUlogsCallback function;
    void *user;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *lines[LINES]; /* line n is at n % LINES */
static uint32_t next_line; /* its number */
static VEC(struct CUlogsCallbackEntry_st *) callbacks;
/* Of each thread: its lines since the mark. Not thread-local: a library that is opened later has little space
 * for such. */
static pthread_key_t marked_key;
static pthread_once_t marked_once = PTHREAD_ONCE_INIT;

static void marked_free(void *value)
{
    struct str *marked = value;
    str_release(marked);
    free(marked);
}

static void marked_make_key(void)
{
    if (pthread_key_create(&marked_key, marked_free) != 0) BUG("no thread-specific key is left");
}

static struct str *marked_of_thread(void)
{
    pthread_once(&marked_once, marked_make_key);
    struct str *marked = pthread_getspecific(marked_key);
    if (marked) return marked;
    marked = sw_xcalloc(1, sizeof *marked);
    pthread_setspecific(marked_key, marked);
    return marked;
}

static char *make_line(const char *message)
{
    struct str line = {0};
    struct timespec now;
    struct tm local;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &local);
    str_printf(&line, "[%02d:%02d:%02d.%03ld][%ld][CUDA][E] %s\n", local.tm_hour, local.tm_min, local.tm_sec,
               now.tv_nsec / 1000000, (long)syscall(SYS_gettid), message);
    return str_steal(&line);
}

void driver_logs_mark(void)
{
    str_clear(marked_of_thread());
}

const char *driver_logs_marked(void)
{
    return str_text(marked_of_thread());
}

static void keep_for_thread(const char *message)
{
    enum { MOST = 65536 };
    struct str *marked = marked_of_thread();
    if (marked->length < MOST) str_printf(marked, "%s\n", message);
}

/* Callbacks are called without the lock: they may log, or ask for the logs. */
static void logs_receive(const char *message)
{
    keep_for_thread(message);
    char *line = make_line(message);
    VEC(struct CUlogsCallbackEntry_st) now = {0};
    pthread_mutex_lock(&lock);
    free(lines[next_line % LINES]);
    lines[next_line++ % LINES] = sw_xstrdup(line);
    for (size_t i = 0; i < callbacks.count; i++)
        *vec_push(&now) = *callbacks.at[i];
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < now.count; i++)
        now.at[i].function(now.at[i].user, CU_LOG_LEVEL_ERROR, line, strlen(line));
    vec_release(&now);
    free(line);
}

void driver_logs_listen(void)
{
    sw_log_listen(logs_receive);
}

DRIVER_API cuLogsRegisterCallback(CUlogsCallback function, void *user, CUlogsCallbackHandle *out)
{
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    struct CUlogsCallbackEntry_st *entry = sw_xmalloc(sizeof *entry);
    *entry = (struct CUlogsCallbackEntry_st){function, user};
    pthread_mutex_lock(&lock);
    *vec_push(&callbacks) = entry;
    pthread_mutex_unlock(&lock);
    if (out) *out = entry;
    return CUDA_SUCCESS;
}

DRIVER_API cuLogsUnregisterCallback(CUlogsCallbackHandle handle)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < callbacks.count && !found; i++) {
        if (callbacks.at[i] != handle) continue;
        found = true;
        free(callbacks.at[i]);
        for (; i + 1 < callbacks.count; i++)
            callbacks.at[i] = callbacks.at[i + 1];
        callbacks.count--;
    }
    pthread_mutex_unlock(&lock);
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuLogsCurrent(CUlogIterator *out, unsigned flags)
{
    if (!out || flags) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    *out = next_line;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Lines from `from` on, the last `room` bytes of them; *left_out: some are missing. */
static uint32_t first_that_fits(uint32_t from, size_t capacity, bool *left_out)
{
    uint32_t oldest = next_line > LINES ? next_line - LINES : 0, first = next_line;
    size_t bytes = 0;
    while (first > from && first > oldest && bytes + strlen(lines[(first - 1) % LINES]) <= capacity)
        bytes += strlen(lines[--first % LINES]);
    *left_out = first > from;
    return first;
}

static void logs_gather(struct str *out, uint32_t from, size_t capacity)
{
    static const char note[] = "[...] older messages are left out\n";
    bool left_out;
    uint32_t first = first_that_fits(from, capacity, &left_out);
    if (left_out)
        first = capacity > sizeof note ? first_that_fits(from, capacity - sizeof note, &left_out) : next_line;
    if (left_out && first < next_line) str_add(out, note);
    for (; first < next_line; first++)
        str_add(out, lines[first % LINES]);
}

static void logs_dump(CUlogIterator *iterator, struct str *out, size_t capacity)
{
    pthread_mutex_lock(&lock);
    logs_gather(out, iterator ? *iterator : 0, capacity);
    if (iterator) *iterator = next_line;
    pthread_mutex_unlock(&lock);
}

DRIVER_API cuLogsDumpToFile(CUlogIterator *iterator, const char *path, unsigned flags)
{
    if (!path || flags) return CUDA_ERROR_INVALID_VALUE;
    FILE *file = fopen(path, "w");
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    struct str text = {0};
    logs_dump(iterator, &text, SIZE_MAX);
    bool written = fwrite(str_text(&text), 1, text.length, file) == text.length;
    str_release(&text);
    return fclose(file) == 0 && written ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned flags)
{
    if (!buffer || !size || *size == 0 || flags) return CUDA_ERROR_INVALID_VALUE;
    struct str text = {0};
    CUlogIterator end;
    CUlogIterator from = iterator ? *iterator : 0;
    size_t capacity = *size < BUFFER_MOST ? *size : BUFFER_MOST;
    logs_dump(iterator, &text, capacity - 1);
    cuLogsCurrent(&end, 0);
    memcpy(buffer, str_text(&text), text.length + 1);
    *size = text.length;
    bool nothing_fits = text.length == 0 && from < end;
    str_release(&text);
    return nothing_fits ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
