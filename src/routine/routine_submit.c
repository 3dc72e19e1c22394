/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: finds the driver's function for routines. Method: by name (event_routine.h), once. Limits: with
 * NVIDIA's driver there is none. */
#include "routine/routine.h"

#include <stdatomic.h>
#include <string.h>

static event_routine_submit_fn *submit;

static void find(void)
{
    void *found = NULL;
    CUdriverProcAddressQueryResult status;
    if (cuGetProcAddress(EVENT_ROUTINE_SYMBOL, &found, CUDA_VERSION, 0, &status) != CUDA_SUCCESS)
        found = NULL;
    memcpy(&submit, &found, sizeof submit);
}

CUresult routine_submit(const char *library, CUstream stream, const struct event_routine_work *work)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static atomic_flag said = ATOMIC_FLAG_INIT;
    pthread_once(&once, find);
    if (submit) return (CUresult)submit(stream, work);
    if (!atomic_flag_test_and_set(&said))
        sw_log("this %s needs the libcuda.so.1 that Softwarp has beside it: start the program with 'softwarp "
               "run'",
               library);
    return CUDA_ERROR_NOT_SUPPORTED;
}
