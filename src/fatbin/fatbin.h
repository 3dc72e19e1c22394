/* SPDX-License-Identifier: Apache-2.0 */
/* fatbin: CUDA's fat binary container and the resource records of cubins. Reads hostile bytes safely. */
#ifndef FATBIN_FATBIN_H
#define FATBIN_FATBIN_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 };

struct fatbin_entry {
    enum fatbin_kind kind;
    uint32_t sm;   /* 75, 90 ... */
    char suffix;   /* 'a' on architecture-specific entries, 'f' on family-specific ones, else 0 */
    uint32_t unit; /* container the entry came from: with -rdc=true one a source file, to be linked; else 0 */
    uint16_t major, minor;
    uint64_t flags;
    bool of_cubin;       /* PTX in the place of machine code (fatbin_cubin_write): runs where that would */
    const char *name;    /* identifier string or "" */
    const char *options; /* "-maxrregcount=32" ... or "" */
    const uint8_t *data; /* decompressed; PTX is NUL-terminated */
    uint64_t bytes;      /* without the NUL */
};
struct fatbin {
    struct fatbin_entry *entries;
    uint32_t count;
    uint32_t units; /* containers read */
    bool linked;    /* wrapper version 2: unit 0 is the image that nvlink made, 1 .. units-1 its parts */
    struct arena arena;
};

/* An image as cuModuleLoadData gets it: a wrapper (version 1 or 2), container(s), bare PTX text, or a bare
 * cubin; told apart by magic. size: readable bytes, or UINT64_MAX when not known (in-process images: headers
 * are trusted for size). A wrapper holds pointers, so it is read only when the size is not known. A cubin
 * that is not compressed stays in the image, which must live as long; everything else is copied. CORRUPT:
 * says where; NO_BINARY_FOR_GPU is the caller's to say. The caller releases after SW_OK only. */
enum sw_status fatbin_read(const void *image, uint64_t size, struct fatbin *out, struct sw_error *error);
void fatbin_release(struct fatbin *fatbin);
/* A host object, program or library of objects (ELF that is no cubin, ar), in which fatbin_find looks. */
bool fatbin_is_host_file(const uint8_t *bytes, uint64_t size);
/* The next container at or after *offset of a file that holds some among other things: a host object, a
 * library of them. false: no more. Otherwise *offset and *span are its place, which fatbin_read takes. */
bool fatbin_find(const uint8_t *bytes, uint64_t size, uint64_t *offset, uint64_t *span);
/* The PTX to use on a device of compute capability cc (e.g. 90): the highest sm <= cc ('a' only where equal,
 * 'f' only in the same family); any_target: else the lowest above. NULL: none. */
const struct fatbin_entry *fatbin_best_ptx(const struct fatbin *fatbin, uint32_t cc, bool any_target);
/* Whether a unit is the part of libcudadevrt, which programs with launches from kernels are linked with. */
bool fatbin_is_device_runtime(const struct fatbin *fatbin, uint32_t unit);
/* The same choice among the entries of one unit: what to link when there are several (`linked`). */
const struct fatbin_entry *fatbin_best_ptx_of_unit(const struct fatbin *fatbin, uint32_t unit, uint32_t cc,
                                                   bool any_target);
const struct fatbin_entry *fatbin_best_elf(const struct fatbin *fatbin,
                                           uint32_t cc); /* same major, minor <= */

/* Write a container (16-byte header and one entry per input) that nvcc-built hosts, and we, read; appended to
 * *out. */
enum fatbin_compression { FATBIN_NONE, FATBIN_LZ4, FATBIN_ZSTD };
enum sw_status fatbin_write(const struct fatbin_entry *entries, uint32_t count,
                            enum fatbin_compression compression, struct str *out, struct sw_error *error);

/* What a cubin says of one kernel. shared_bytes: the kernel's own static shared memory, without the 1024
 * bytes that cc 9.0 and later reserve. max_threads, barriers: 0 where the cubin does not say. */
struct fatbin_resources {
    const char *kernel;
    uint32_t registers, shared_bytes, local_bytes, stack_bytes, param_bytes, max_threads, barriers;
};
/* out: array allocated from arena. */
enum sw_status fatbin_cubin_resources(const uint8_t *cubin, uint64_t bytes, struct arena *arena,
                                      struct fatbin_resources **out, uint32_t *count, uint32_t *sm,
                                      struct sw_error *error);
/* A cubin that holds PTX: an ELF image of NVIDIA's machine, with the records above for each kernel and the
 * text in a section of its own, so that programs which look at cubins accept it; fatbin_read makes of it one
 * entry of PTX with of_cubin. sm: of the device that it is for. Appended to *out. */
void fatbin_cubin_write(const char *ptx, uint64_t ptx_bytes, uint32_t sm,
                        const struct fatbin_resources *kernels, uint32_t count, struct str *out);
#endif
