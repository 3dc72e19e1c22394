/* SPDX-License-Identifier: Apache-2.0 */
/* Events that several processes see (CU_EVENT_INTERPROCESS): a page of a memory file with the number of
 * records issued and, for the last of them, which are done and who issued them. Whoever records takes the
 * next number and publishes it when its stream gets there; whoever waits polls for the number that was last
 * when it was told to wait. A process that died completes nothing any more, so a wait for its record ends
 * when it is gone. Timing is not shared, as in CUDA. Limits: of more than SLOTS records that are not done,
 * the oldest count as done. */
#include "driver_beacon.h"

#include "driver_event.h"

#include "driver/memory/driver_share.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const uint64_t BEACON = UINT64_C(0x4e4f434145425301);

enum { SLOTS = 64 };

struct page {
    _Atomic uint64_t issued;
    struct {
        _Atomic uint64_t done; /* number of the last record of this slot that completed */
        _Atomic int32_t issuer;
    } slots[SLOTS]; /* record n is in slot n % SLOTS */
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
    uint64_t number = atomic_fetch_add(&beacon->page->issued, 1) + 1;
    atomic_store(&beacon->page->slots[number % SLOTS].issuer, (int32_t)getpid());
    return number;
}

uint64_t driver_beacon_last(const struct driver_beacon *beacon)
{
    return atomic_load(&beacon->page->issued);
}

void driver_beacon_complete(struct driver_beacon *beacon, uint64_t number)
{
    _Atomic uint64_t *done = &beacon->page->slots[number % SLOTS].done;
    uint64_t before = atomic_load(done);
    while (before < number && !atomic_compare_exchange_weak(done, &before, number))
        ;
}

bool driver_beacon_done(const struct driver_beacon *beacon, uint64_t number)
{
    if (number == 0 || driver_beacon_last(beacon) - number >= SLOTS) return true;
    return atomic_load(&beacon->page->slots[number % SLOTS].done) >= number;
}

static bool issuer_lives(const struct driver_beacon *beacon, uint64_t number)
{
    int32_t pid = atomic_load(&beacon->page->slots[number % SLOTS].issuer);
    return pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH;
}

void driver_beacon_wait(const struct driver_beacon *beacon, uint64_t number)
{
    static const struct timespec MOMENT = {.tv_nsec = 50000};
    for (unsigned round = 1; !driver_beacon_done(beacon, number); round++) {
        if (round % 1024 == 0 && !issuer_lives(beacon, number)) return;
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
