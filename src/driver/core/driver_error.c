/* SPDX-License-Identifier: Apache-2.0 */
/* CUresult: names and texts, and how our statuses become one. Names come from cuda.h's values; texts are
 * ours. */
#include "driver_error.h"

#include "driver_process.h"

static const struct {
    CUresult result;
    const char *name, *text;
} errors[] = {
#define ERROR(name, text) {name, #name, text},
#include "driver_errors.def"
#undef ERROR
};

const char *driver_error_name(CUresult result)
{
    for (size_t i = 0; i < SW_COUNT_OF(errors); i++)
        if (errors[i].result == result) return errors[i].name;
    return NULL;
}

const char *driver_error_text(CUresult result)
{
    for (size_t i = 0; i < SW_COUNT_OF(errors); i++)
        if (errors[i].result == result) return errors[i].text;
    return NULL;
}

static CUresult error_answer(const char *text, const char **out)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *out = text;
    return text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGetErrorName(CUresult error, const char **name)
{
    return error_answer(driver_error_name(error), name);
}

DRIVER_API cuGetErrorString(CUresult error, const char **text)
{
    return error_answer(driver_error_text(error), text);
}

CUresult driver_result(enum sw_status status)
{
    return (CUresult)sw_status_cuda(status);
}

CUresult driver_refuse(const struct sw_error *error)
{
    char line[1024];
    sw_log("%s", sw_error_format(error, line, sizeof line));
    if (driver.tool && driver.tool->refused) {
        pthread_mutex_lock(&driver.tool_lock);
        driver.tool->refused(driver.tool->user, error);
        pthread_mutex_unlock(&driver.tool_lock);
    }
    return driver_result(error->status);
}

CUresult driver_refuse_call(int *done, const char *function, const char *why)
{
    if (__atomic_exchange_n(done, 1, __ATOMIC_RELAXED)) return CUDA_ERROR_NOT_SUPPORTED;
    struct sw_error error = {0};
    sw_fail(&error, SW_NOT_SUPPORTED, "%s is not supported%s%s", function, *why ? ": " : "", why);
    return driver_refuse(&error);
}
