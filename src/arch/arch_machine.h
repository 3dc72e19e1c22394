/* SPDX-License-Identifier: Apache-2.0 */
/* arch_machine: the virtual machine that SOFTWARP_DEVICE describes, as the driver library, the management
 * library and `softwarp smi` all see it, and the record that its processes share (arch_record.c): who uses
 * which device, how much memory, how busy. */
#ifndef ARCH_MACHINE_H
#define ARCH_MACHINE_H

#include "arch/arch.h"

enum { ARCH_DEVICES = 16, ARCH_PROCESSES = 256 };

struct arch_device {
    struct arch_gpu gpu;
    const struct arch_cc *cc;
    uint32_t number; /* place in SOFTWARP_DEVICE; PCI bus number - 1 */
    uint8_t uuid[16];
    uint64_t key; /* the same in every process with such a device at this place */
};

/* list := item {"," item}, item := NAME [":" COUNT]. NULL or empty: h200. */
enum sw_status arch_machine_load(const char *list, struct arch_device devices[ARCH_DEVICES], uint32_t *count,
                                 struct sw_error *error);
/* What CUDA_DEVICE_ORDER and CUDA_VISIBLE_DEVICES (both may be NULL) leave, in the order that a program
 * counts them: indices into devices. ARCH_VISIBLE_TWICE: a device is named twice. */
#define ARCH_VISIBLE_TWICE UINT32_MAX
uint32_t arch_machine_visible(const struct arch_device *devices, uint32_t count, const char *order,
                              const char *visible, uint32_t chosen[ARCH_DEVICES]);
void arch_machine_uuid(const struct arch_device *device, char text[48]); /* GPU-xxxxxxxx-... */

/* ---- the shared record; every call is thread-safe and none fails: without a record a process knows itself
 * alone */
struct arch_usage {
    int pid;
    char name[128]; /* the program's path */
    uint64_t bytes; /* of the device in question */
    uint32_t busy_percent;
};
/* Enter this process with its devices. */
void arch_record_enter(const struct arch_device *devices, uint32_t count);
void arch_record_bytes(uint64_t key, uint64_t bytes); /* held now; the first call says that it is used */
void arch_record_begin(uint64_t key);                 /* a kernel starts on the device */
void arch_record_end(uint64_t key);
/* Bytes that other processes hold. Not exact: with those of processes that were killed, which costs no look
 * at /proc. */
uint64_t arch_record_others(uint64_t key, bool exact);
/* Processes that have entered and use the device; busy_percent: of the last second, at most 100 in all. */
uint32_t arch_record_processes(uint64_t key, struct arch_usage out[ARCH_PROCESSES], uint32_t *busy_percent);
#endif
