/* SPDX-License-Identifier: Apache-2.0 */
/* Interprocess events (CU_EVENT_INTERPROCESS): a page of a memory file with the number of
 * records issued and, for the last of them, which are done and who issued them. Whoever records takes the
 * next number and publishes it when its stream gets there; whoever waits polls for the number that was last
 * when it was told to wait. A process that died completes nothing any more, so a wait for its record ends
 * when it is gone. Timing is not shared, as in CUDA. Limits: of more than SLOTS records that are not done,
 * the oldest count as done. */
#include "driver_ipc_event.h"

#include "driver_event.h"

#include "base/base_write.h"
#include "driver/memory/driver_share.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const uint64_t IPC_EVENT_MAGIC = UINT64_C(0x4e4f434145425301);

enum { SLOTS = 64 };

struct page {
    _Atomic uint64_t issued;
    struct {
        _Atomic uint64_t done; /* number of the last record of this slot that completed */
        _Atomic int32_t issuer;
    } slots[SLOTS]; /* record n is in slot n % SLOTS */
};
struct driver_ipc_event {
    struct page *page;
    int file;
};

static CUresult ipc_event_map(int file, struct driver_ipc_event **out)
{
    void *page = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct driver_ipc_event *ipc_event = sw_xcalloc(1, sizeof *ipc_event);
    ipc_event->page = page;
    ipc_event->file = file;
    *out = ipc_event;
    return CUDA_SUCCESS;
}

CUresult driver_ipc_event_new(struct driver_ipc_event **out)
{
    int file = memfd_create("softwarp-event", MFD_CLOEXEC);
    if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    if (!sw_file_resize(file, sizeof(struct page))) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return ipc_event_map(file, out);
}

void driver_ipc_event_free(struct driver_ipc_event *ipc_event)
{
    if (!ipc_event) return;
    munmap(ipc_event->page, sizeof(struct page));
    close(ipc_event->file);
    free(ipc_event);
}

uint64_t driver_ipc_event_issue(struct driver_ipc_event *ipc_event)
{
    uint64_t number = atomic_fetch_add(&ipc_event->page->issued, 1) + 1;
    atomic_store(&ipc_event->page->slots[number % SLOTS].issuer, (int32_t)getpid());
    return number;
}

uint64_t driver_ipc_event_last(const struct driver_ipc_event *ipc_event)
{
    return atomic_load(&ipc_event->page->issued);
}

void driver_ipc_event_complete(struct driver_ipc_event *ipc_event, uint64_t number)
{
    _Atomic uint64_t *done = &ipc_event->page->slots[number % SLOTS].done;
    uint64_t before = atomic_load(done);
    while (before < number && !atomic_compare_exchange_weak(done, &before, number))
        ;
}

bool driver_ipc_event_done(const struct driver_ipc_event *ipc_event, uint64_t number)
{
    if (number == 0 || driver_ipc_event_last(ipc_event) - number >= SLOTS) return true;
    return atomic_load(&ipc_event->page->slots[number % SLOTS].done) >= number;
}

static bool issuer_lives(const struct driver_ipc_event *ipc_event, uint64_t number)
{
    int32_t pid = atomic_load(&ipc_event->page->slots[number % SLOTS].issuer);
    return pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH;
}

void driver_ipc_event_wait(const struct driver_ipc_event *ipc_event, uint64_t number)
{
    static const struct timespec POLL_INTERVAL = {.tv_nsec = 50000};
    for (unsigned round = 1; !driver_ipc_event_done(ipc_event, number); round++) {
        if (round % 1024 == 0 && !issuer_lives(ipc_event, number)) return;
        nanosleep(&POLL_INTERVAL, NULL);
    }
}

/* ---- handles */

DRIVER_API cuIpcGetEventHandle(CUipcEventHandle *out, CUevent handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    CUresult result =
        event && event->ipc_event && !event->imported ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    struct driver_ipc_handle made;
    if (result == CUDA_SUCCESS) result = driver_ipc_describe(event->ipc_event->file, IPC_EVENT_MAGIC, &made);
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
    struct driver_ipc_event *ipc_event;
    int file;
    memcpy(&handle, &given, sizeof handle);
    if (handle.bytes != sizeof(struct page)) return CUDA_ERROR_INVALID_VALUE; /* a page past it is a fault */
    DRIVER_TRY(driver_ipc_open(&handle, IPC_EVENT_MAGIC, &file));
    DRIVER_TRY(ipc_event_map(file, &ipc_event));
    CUresult result = cuEventCreate(out, CU_EVENT_DISABLE_TIMING);
    struct driver_event *event = result == CUDA_SUCCESS ? driver_handle_get(*out, DRIVER_EVENT) : NULL;
    if (event) {
        event->ipc_event = ipc_event;
        event->imported = true;
        driver_object_unref(&event->object);
    } else {
        driver_ipc_event_free(ipc_event);
    }
    return result;
}
