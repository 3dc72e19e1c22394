/* SPDX-License-Identifier: Apache-2.0 */
/* Events that several processes see (CU_EVENT_INTERPROCESS): a page of a memory file with two numbers, how
 * many records were issued and the last that completed, and who issued last. Whoever records takes the next
 * number and publishes it when its stream gets there; whoever waits polls. A process that died completes
 * nothing any more, so a wait ends when the last that issued is gone. Timing is not shared, as in CUDA. */
#include "driver_share_priv.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const uint64_t BEACON = UINT64_C(0x4e4f434145425301);

struct page {
    _Atomic uint64_t issued, completed;
    _Atomic int32_t issuer;
};
struct driver_beacon {
    struct page *page;
    int file;
};

static CUresult beacon_map(int file, struct driver_beacon **out)
{
    void *page = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct driver_beacon *beacon = sw_xcalloc(1, sizeof *beacon);
    beacon->page = page;
    beacon->file = file;
    *out = beacon;
    return CUDA_SUCCESS;
}

CUresult driver_beacon_new(struct driver_beacon **out)
{
    int file = memfd_create("softwarp-event", MFD_CLOEXEC);
    if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    if (ftruncate(file, sizeof(struct page)) != 0) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return beacon_map(file, out);
}

void driver_beacon_free(struct driver_beacon *beacon)
{
    if (!beacon) return;
    munmap(beacon->page, sizeof(struct page));
    close(beacon->file);
    free(beacon);
}

uint64_t driver_beacon_issue(struct driver_beacon *beacon)
{
    atomic_store(&beacon->page->issuer, (int32_t)getpid());
    return atomic_fetch_add(&beacon->page->issued, 1) + 1;
}

void driver_beacon_complete(struct driver_beacon *beacon, uint64_t number)
{
    uint64_t before = atomic_load(&beacon->page->completed);
    while (before < number && !atomic_compare_exchange_weak(&beacon->page->completed, &before, number))
        ;
}

static bool reached(const struct driver_beacon *beacon, uint64_t number)
{
    return atomic_load(&beacon->page->completed) >= number;
}

bool driver_beacon_done(const struct driver_beacon *beacon)
{
    return reached(beacon, atomic_load(&beacon->page->issued));
}

static bool issuer_lives(const struct driver_beacon *beacon)
{
    int32_t pid = atomic_load(&beacon->page->issuer);
    return pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH;
}

void driver_beacon_wait(const struct driver_beacon *beacon)
{
    static const struct timespec MOMENT = {.tv_nsec = 50000};
    uint64_t number = atomic_load(&beacon->page->issued);
    for (unsigned round = 1; !reached(beacon, number); round++) {
        if (round % 1024 == 0 && !issuer_lives(beacon)) return;
        nanosleep(&MOMENT, NULL);
    }
}

/* ---- handles */

DRIVER_API cuIpcGetEventHandle(CUipcEventHandle *out, CUevent handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    CUresult result = event && event->beacon && !event->imported ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    struct driver_ipc_handle made;
    if (result == CUDA_SUCCESS) result = driver_ipc_describe(event->beacon->file, BEACON, &made);
    if (result == CUDA_SUCCESS) memcpy(out, &made, sizeof made);
    if (event) driver_object_unref(&event->object);
    return result;
}

DRIVER_API cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle given)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_ipc_handle handle;
    struct driver_beacon *beacon;
    int file;
    memcpy(&handle, &given, sizeof handle);
    DRIVER_TRY(driver_ipc_open(&handle, BEACON, &file));
    DRIVER_TRY(beacon_map(file, &beacon));
    CUresult result = cuEventCreate(out, CU_EVENT_DISABLE_TIMING);
    struct driver_event *event = result == CUDA_SUCCESS ? driver_handle_get(*out, DRIVER_EVENT) : NULL;
    if (event) {
        event->beacon = beacon;
        event->imported = true;
        driver_object_unref(&event->object);
    } else {
        driver_beacon_free(beacon);
    }
    return result;
}
