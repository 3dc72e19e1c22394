/* SPDX-License-Identifier: Apache-2.0 */
/* cuCoredump*: the settings of dumps of the GPU's state, for the process and for each context, which are kept
 * and answered. No dump is ever written; that is said once when one is asked for. Settings in CUDA's
 * environment variables win over what the program sets. */
#include "driver/core/driver_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 1024 }; /* 1023 characters */
struct settings {
    bool set[CU_COREDUMP_MAX], enabled, host, user_trigger;
    unsigned flags;
    char file[TEXT_BYTES], pipe[TEXT_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings global;
static bool from_environment[CU_COREDUMP_MAX];
static struct map contexts; /* by id: struct settings; small, and kept until the process ends */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_flag(const char *name, CUcoredumpSettings which, bool *to)
{
    const char *text = getenv(name);
    if (!text) return;
    *to = strcmp(text, "0") != 0;
    from_environment[which] = true;
}

static void coredump_read_text(const char *name, CUcoredumpSettings which, char *to)
{
    const char *text = getenv(name);
    if (!text || strlen(text) >= TEXT_BYTES) return;
    strcpy(to, text);
    from_environment[which] = true;
}

static void coredump_begin(void)
{
    char host[256] = "localhost";
    bool lightweight = false;
    gethostname(host, sizeof host - 1);
    global.host = true;
    snprintf(global.file, sizeof global.file, "core.cuda.%s.%d", host, (int)getpid());
    snprintf(global.pipe, sizeof global.pipe, "corepipe.cuda.%s.%d", host, (int)getpid());
    read_flag("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", CU_COREDUMP_ENABLE_ON_EXCEPTION, &global.enabled);
    read_flag("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", CU_COREDUMP_TRIGGER_HOST, &global.host);
    read_flag("CUDA_ENABLE_USER_TRIGGERED_COREDUMP", CU_COREDUMP_ENABLE_USER_TRIGGER, &global.user_trigger);
    read_flag("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", CU_COREDUMP_LIGHTWEIGHT, &lightweight);
    coredump_read_text("CUDA_COREDUMP_FILE", CU_COREDUMP_FILE, global.file);
    coredump_read_text("CUDA_COREDUMP_PIPE", CU_COREDUMP_PIPE, global.pipe);
    if (lightweight) global.flags = CU_COREDUMP_LIGHTWEIGHT_FLAGS;
    from_environment[CU_COREDUMP_GENERATION_FLAGS] = from_environment[CU_COREDUMP_LIGHTWEIGHT];
}

static size_t coredump_bytes_of(CUcoredumpSettings which)
{
    if (which == CU_COREDUMP_FILE || which == CU_COREDUMP_PIPE) return TEXT_BYTES;
    return which == CU_COREDUMP_GENERATION_FLAGS ? sizeof(unsigned) : sizeof(bool);
}

static CUresult coredump_check(CUcoredumpSettings which, const void *value, size_t *size, bool *asks_size)
{
    pthread_once(&once, coredump_begin);
    DRIVER_TRY(driver_ready());
    if (which < CU_COREDUMP_ENABLE_ON_EXCEPTION || which >= CU_COREDUMP_MAX || !size)
        return CUDA_ERROR_INVALID_VALUE;
    *asks_size = value == NULL;
    if (*asks_size) *size = coredump_bytes_of(which);
    return CUDA_SUCCESS;
}

static const void *setting_of(const struct settings *s, CUcoredumpSettings which, bool *lightweight)
{
    switch ((int)which) {
    case CU_COREDUMP_ENABLE_ON_EXCEPTION: return &s->enabled;
    case CU_COREDUMP_TRIGGER_HOST: return &s->host;
    case CU_COREDUMP_ENABLE_USER_TRIGGER: return &s->user_trigger;
    case CU_COREDUMP_FILE: return s->file;
    case CU_COREDUMP_PIPE: return s->pipe;
    case CU_COREDUMP_GENERATION_FLAGS: return &s->flags;
    default:
        *lightweight = (s->flags & CU_COREDUMP_LIGHTWEIGHT_FLAGS) == CU_COREDUMP_LIGHTWEIGHT_FLAGS;
        return lightweight;
    }
}

static CUresult get_locked(const struct settings *s, CUcoredumpSettings which, void *value, size_t *size)
{
    bool lightweight;
    const void *from = setting_of(s, which, &lightweight);
    bool text = which == CU_COREDUMP_FILE || which == CU_COREDUMP_PIPE;
    size_t bytes = text ? strlen(from) + 1 : coredump_bytes_of(which);
    if (*size < bytes) return CUDA_ERROR_INVALID_VALUE;
    memcpy(value, from, bytes);
    *size = bytes;
    return CUDA_SUCCESS;
}

static CUresult coredump_set_locked(struct settings *s, CUcoredumpSettings which, const void *value,
                                    size_t size)
{
    static int said;
    bool text = which == CU_COREDUMP_FILE || which == CU_COREDUMP_PIPE, lightweight;
    if (from_environment[which]) return CUDA_ERROR_NOT_PERMITTED;
    if (which == CU_COREDUMP_PIPE && s->user_trigger) return CUDA_ERROR_NOT_PERMITTED;
    if (text ? strnlen(value, size) >= TEXT_BYTES : size < coredump_bytes_of(which))
        return CUDA_ERROR_INVALID_VALUE;
    s->set[which] = true;
    if (which == CU_COREDUMP_LIGHTWEIGHT) {
        s->flags = *(const bool *)value ? CU_COREDUMP_LIGHTWEIGHT_FLAGS : CU_COREDUMP_DEFAULT_FLAGS;
        s->set[CU_COREDUMP_GENERATION_FLAGS] = true;
        return CUDA_SUCCESS;
    }
    char *to = (char *)(uintptr_t)setting_of(s, which, &lightweight);
    if (text) {
        size_t length = strnlen(value, size);
        memcpy(to, value, length);
        to[length] = 0;
    } else {
        memcpy(to, value, coredump_bytes_of(which));
    }
    if (s->enabled || s->user_trigger) sw_log_once(&said, "core dumps of the GPU are not written");
    return CUDA_SUCCESS;
}

DRIVER_API cuCoredumpGetAttributeGlobal(CUcoredumpSettings which, void *value, size_t *size)
{
    bool asks_size;
    DRIVER_TRY(coredump_check(which, value, size, &asks_size));
    if (asks_size) return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    CUresult result = get_locked(&global, which, value, size);
    pthread_mutex_unlock(&lock);
    return result;
}

DRIVER_API cuCoredumpSetAttributeGlobal(CUcoredumpSettings which, void *value, size_t *size)
{
    bool asks_size;
    DRIVER_TRY(coredump_check(which, value, size, &asks_size));
    if (asks_size) return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    CUresult result = coredump_set_locked(&global, which, value, *size);
    pthread_mutex_unlock(&lock);
    return result;
}

/* What the context was given; what it was not given is the process's. */
DRIVER_API cuCoredumpGetAttribute(CUcoredumpSettings which, void *value, size_t *size)
{
    bool asks_size;
    struct driver_context *context;
    DRIVER_TRY(coredump_check(which, value, size, &asks_size));
    DRIVER_TRY(driver_context_any(&context));
    if (asks_size) return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    const struct settings *mine = map_get_u64(&contexts, context->id);
    CUresult result = get_locked(mine && mine->set[which] ? mine : &global, which, value, size);
    pthread_mutex_unlock(&lock);
    return result;
}

DRIVER_API cuCoredumpSetAttribute(CUcoredumpSettings which, void *value, size_t *size)
{
    bool asks_size;
    struct driver_context *context;
    DRIVER_TRY(coredump_check(which, value, size, &asks_size));
    DRIVER_TRY(driver_context_any(&context));
    if (which == CU_COREDUMP_ENABLE_USER_TRIGGER || which == CU_COREDUMP_PIPE)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (asks_size) return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    struct settings *mine = map_get_u64(&contexts, context->id);
    if (!mine) {
        mine = sw_xcalloc(1, sizeof *mine);
        mine->host = true;
        map_set_u64(&contexts, context->id, mine);
    }
    CUresult result = coredump_set_locked(mine, which, value, *size);
    pthread_mutex_unlock(&lock);
    return result;
}
