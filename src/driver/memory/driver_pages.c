/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of files that no folder knows (memfd). One file of a fixed, sparse size holds all that stays in this
 * process, so that many small handles need no descriptor each; what may be shared has a file of its own, with
 * a label on its first page that says what it is, and a seal on its size, so that no process can take pages
 * away under another. The file lives as long as any process has it open or mapped: nothing is left behind. */
#include "driver_share.h"

#include "base/base_write.h"
#include "vmem/vmem_ranges.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t LABEL = UINT64_C(0x5345474150575301); /* and a version */
static const uint64_t LABEL_BYTES = 2 << 20;                /* what follows is aligned for large pages */
static const uint64_t SPARSE_BYTES = UINT64_C(1) << 44;

static struct {
    pthread_mutex_t lock;
    int file; /* -1: not yet */
    struct vmem_ranges ranges;
} common = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

static int sparse_file(const char *name, uint64_t bytes)
{
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && (!sw_file_resize(file, bytes) ||
                      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

static bool common_take_locked(uint64_t bytes, uint64_t *offset)
{
    if (common.file < 0) {
        common.file = sparse_file("softwarp-handles", SPARSE_BYTES);
        if (common.file < 0) return false;
        vmem_ranges_init(&common.ranges, 0, SPARSE_BYTES);
    }
    return vmem_ranges_take(&common.ranges, bytes, LABEL_BYTES, offset);
}

CUresult driver_pages_new(uint64_t bytes, struct driver_pages *out)
{
    *out = (struct driver_pages){.bytes = bytes};
    pthread_mutex_lock(&common.lock);
    bool taken = common_take_locked(bytes, &out->offset);
    out->file = common.file;
    pthread_mutex_unlock(&common.lock);
    return taken ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult driver_pages_new_shared(uint64_t bytes, enum driver_pages_kind kind,
                                 const struct driver_device *device, struct driver_pages *out)
{
    struct driver_label label = {LABEL, kind, bytes, device->machine.key, 0};
    int file = sparse_file("softwarp-shared", LABEL_BYTES + (bytes == UINT64_MAX ? SPARSE_BYTES : bytes));
    if (file < 0)
        return errno == EMFILE || errno == ENFILE ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_ERROR_OUT_OF_MEMORY;
    if (pwrite(file, &label, sizeof label, 0) != sizeof label) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = (struct driver_pages){.file = file, .offset = LABEL_BYTES, .bytes = bytes, .own = true};
    return CUDA_SUCCESS;
}

void driver_pages_release(struct driver_pages *pages)
{
    if (pages->own) {
        close(pages->file);
        return;
    }
    (void)fallocate(pages->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)pages->offset,
                    (off_t)pages->bytes);
    pthread_mutex_lock(&common.lock);
    vmem_ranges_give(&common.ranges, pages->offset, pages->bytes);
    pthread_mutex_unlock(&common.lock);
}

CUresult driver_pages_export(const struct driver_pages *pages, void *out)
{
    int file = fcntl(pages->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    memcpy(out, &file, sizeof file);
    return CUDA_SUCCESS;
}

/* A file of ours and of that kind: its seals stay, its label fits its size. */
static bool label_read(int file, enum driver_pages_kind kind, struct driver_label *label)
{
    struct stat s;
    int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW)) return false;
    if (fstat(file, &s) != 0 || pread(file, label, sizeof *label, 0) != sizeof *label) return false;
    if (label->magic != LABEL || label->kind != kind) return false;
    uint64_t capacity = (uint64_t)s.st_size - LABEL_BYTES;
    return (uint64_t)s.st_size > LABEL_BYTES &&
           (label->bytes == UINT64_MAX ? capacity == SPARSE_BYTES : capacity == label->bytes);
}

CUresult driver_pages_import(int file, enum driver_pages_kind kind, struct driver_label *label,
                             struct driver_pages *out)
{
    if (file < 0 || !label_read(file, kind, label)) return CUDA_ERROR_INVALID_VALUE;
    label->ordinal = -1;
    for (int i = 0; i < driver.device_count && label->ordinal < 0; i++)
        if (driver.devices[i].machine.key == label->device_key) label->ordinal = i;
    if (label->ordinal < 0) return CUDA_ERROR_INVALID_DEVICE;
    int mine = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (mine < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    *out = (struct driver_pages){.file = mine, .offset = LABEL_BYTES, .bytes = label->bytes, .own = true};
    return CUDA_SUCCESS;
}
