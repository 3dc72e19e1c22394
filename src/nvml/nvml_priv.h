/* SPDX-License-Identifier: Apache-2.0 */
/* nvml: what its files share. Answers are constants of the GPU's data file (gpus/NAME.ini, section
 * [management]), the GPU's fields, or what processes share with each other (arch_record.c). What a file does
 * not give is answered as not supported. */
#ifndef NVML_PRIV_H
#define NVML_PRIV_H

#define NVML_NO_UNVERSIONED_FUNC_DEFS /* every form is a function of its own here */
#include "nvml.h"

#include "arch/arch_machine.h"
#include "base/base.h"

#include <stdbool.h>

#define NVML_API __attribute__((visibility("default"))) nvmlReturn_t

/* Return a failing code at once. */
#define NVML_TRY(expr)                                                                                       \
    do {                                                                                                     \
        nvmlReturn_t nvml_try_ = (expr);                                                                     \
        if (nvml_try_ != NVML_SUCCESS) return nvml_try_;                                                     \
    } while (0)

struct nvmlDevice_st {
    struct arch_device device;
    struct map management; /* key to text */
    char uuid[48], serial[16], bus_id[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
};
struct nvml_machine {
    struct nvmlDevice_st devices[ARCH_DEVICES];
    uint32_t count;
    struct arena arena;
};
extern struct nvml_machine nvml_machine;

/* The driver that CUDA 13.0 came with: programs compare versions. */
#define NVML_DRIVER_VERSION "580.65.06"
#define NVML_VERSION        "13." NVML_DRIVER_VERSION

nvmlReturn_t nvml_ready(void);                /* UNINITIALIZED */
nvmlReturn_t nvml_check(nvmlDevice_t device); /* UNINITIALIZED, or INVALID_ARGUMENT: no device of ours */
nvmlReturn_t nvml_give(const char *text, char *out,
                       unsigned capacity);                   /* copy; INSUFFICIENT_SIZE, INVALID_ARGUMENT */
const char *nvml_text(nvmlDevice_t device, const char *key); /* of the data file; NULL: not there */
bool nvml_number(nvmlDevice_t device, const char *key, long long *out);
/* Check the device and the place, then give the number: NOT_SUPPORTED when the file lacks it. */
nvmlReturn_t nvml_give_number(nvmlDevice_t device, const char *key, unsigned *out);
/* Check both, then give a constant. */
nvmlReturn_t nvml_give_constant(nvmlDevice_t device, unsigned value, void *out);
bool nvml_is_busy(nvmlDevice_t device); /* a kernel ran in the last second */
int nvml_refuse(const char *name, int *said);
#endif
