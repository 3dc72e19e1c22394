/* SPDX-License-Identifier: Apache-2.0 */
/* driver: memory that processes share: pages of files that no folder knows (driver_pages.c), handles made of
 * them (driver_vmm.c, driver_pool.c, driver_ipc.c). */
#ifndef DRIVER_SHARE_H
#define DRIVER_SHARE_H

#include "driver/core/driver_process.h"

#include <sys/types.h>

/* ---- pages (driver_pages.c) */
struct driver_pages {
    int file;        /* own: closed with it; else the process's common file */
    uint64_t offset; /* where they begin */
    uint64_t bytes;
    bool own;
};
enum driver_pages_kind { DRIVER_PAGES_CHUNK = 1, DRIVER_PAGES_POOL };
struct driver_label { /* what a shared file says of itself, on its first page */
    uint64_t magic, kind, bytes, device_key;
    int ordinal; /* of the device here; filled on import */
};
CUresult driver_pages_new(uint64_t bytes, struct driver_pages *out); /* for this process alone */
/* With a label and a file of its own. bytes UINT64_MAX: as many as are taken. */
CUresult driver_pages_new_shared(uint64_t bytes, enum driver_pages_kind kind,
                                 const struct driver_device *device, struct driver_pages *out);
void driver_pages_release(struct driver_pages *pages);
CUresult driver_pages_export(const struct driver_pages *pages, void *out); /* an int: the caller's */
/* file stays the caller's. INVALID_VALUE: not such a file; INVALID_DEVICE: of a device that is not here. */
CUresult driver_pages_import(int file, enum driver_pages_kind kind, struct driver_label *label,
                             struct driver_pages *out);

/* ---- handles of 64 bytes (driver_ipc.c): a file of a living process */
struct driver_ipc_handle {
    uint64_t magic, inode, device, bytes, device_key;
    int32_t pid, file;
    uint64_t zero[2];
};
_Static_assert(sizeof(struct driver_ipc_handle) == CU_IPC_HANDLE_SIZE, "as large as CUDA's");
CUresult driver_ipc_describe(int file, uint64_t magic, struct driver_ipc_handle *out);
/* A descriptor of its own for the file. INVALID_CONTEXT: this process made the handle. */
CUresult driver_ipc_open(const struct driver_ipc_handle *handle, uint64_t magic, int *out);
#endif
