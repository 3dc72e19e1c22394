/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual machine: which devices SOFTWARP_DEVICE describes and which of them a program sees.
 *
 * CUDA_VISIBLE_DEVICES as CUDA reads it: ordinals, or UUIDs (a prefix that fits one device is enough), not
 * both; the first entry that names no device ends the list; an entry that comes twice is an error; an ordinal
 * is read as strtol reads it, so "1gpu" is 1 (all as two H200s answered,
 * tests/driver/sharing_answers.h200.txt). Entries that start with MIG- name nothing here.
 * CUDA_DEVICE_ORDER: FASTEST_FIRST sorts by multiprocessors times clock. Without it the order is that of
 * SOFTWARP_DEVICE, where CUDA's default is FASTEST_FIRST: who writes a list means its order. */
#include "arch/arch_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void identify(struct arch_device *device, uint32_t number)
{
    const char *name = device->gpu.name;
    device->number = number;
    for (uint64_t half = 0; half < 2; half++) {
        uint64_t hash = sw_hash_bytes(name, strlen(name), 2 * (uint64_t)number + half);
        memcpy(device->uuid + half * 8, &hash, 8);
    }
    memcpy(&device->key, device->uuid, sizeof device->key);
}

/* item := NAME [":" COUNT] */
static enum sw_status load_item(const char *item, struct arch_device *devices, uint32_t *have,
                                struct sw_error *error)
{
    char name[256];
    snprintf(name, sizeof name, "%s", item);
    char *colon = strrchr(name, ':');
    long count = 1;
    if (colon) {
        char *end;
        count = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || count < 1)
            return sw_fail(error, SW_INVALID_DEVICE, "wrong count in device '%s': write NAME:COUNT", item);
        *colon = 0;
    }
    struct arch_device device = {0};
    SW_TRY(arch_gpu_load(name, &device.gpu, error));
    device.cc = arch_cc_find(device.gpu.cc_major, device.gpu.cc_minor);
    if (!device.cc)
        return sw_fail(error, SW_INVALID_DEVICE,
                       "device '%s' has compute capability %u.%u, which is not known", name,
                       device.gpu.cc_major, device.gpu.cc_minor);
    while (count-- > 0) {
        if (*have == ARCH_DEVICES)
            return sw_fail(error, SW_INVALID_DEVICE, "more than %d devices in SOFTWARP_DEVICE", ARCH_DEVICES);
        identify(&device, *have);
        devices[(*have)++] = device;
    }
    return SW_OK;
}

enum sw_status arch_machine_load(const char *list, struct arch_device devices[ARCH_DEVICES], uint32_t *count,
                                 struct sw_error *error)
{
    char *text = sw_xstrdup(list && *list ? list : "h200"), *rest = text, *item;
    enum sw_status status = SW_OK;
    *count = 0;
    while (status == SW_OK && (item = strsep(&rest, ",")))
        status = load_item(item, devices, count, error);
    free(text);
    return status;
}

void arch_machine_uuid(const struct arch_device *device, char text[48])
{
    char *to = text + sprintf(text, "GPU");
    for (int i = 0; i < 16; i++)
        to += sprintf(to, "%s%02x", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                      device->uuid[i]);
}

/* ---- what a program sees */

static uint64_t speed(const struct arch_device *device)
{
    return device->gpu.sm_count * device->gpu.clock_khz;
}

/* The devices in CUDA's order: stable, so equal ones stay in that of the list. */
static void order_devices(const struct arch_device *devices, uint32_t count, const char *order,
                          uint32_t sorted[ARCH_DEVICES])
{
    bool fastest = order && strcmp(order, "FASTEST_FIRST") == 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; fastest && at > 0 && speed(&devices[sorted[at - 1]]) < speed(&devices[i]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = i;
    }
}

/* Place in the order of the one device whose UUID starts so; -1: none, or several. */
static long find_uuid(const struct arch_device *devices, uint32_t count, const uint32_t *sorted,
                      const char *prefix)
{
    long found = -1;
    size_t length = strlen(prefix);
    for (uint32_t i = 0; i < count; i++) {
        char text[48];
        arch_machine_uuid(&devices[sorted[i]], text);
        if (strncmp(text, prefix, length) != 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

static long find_ordinal(const char *text, uint32_t count)
{
    char *end;
    long ordinal = strtol(text, &end, 10);
    return end == text || ordinal < 0 || ordinal >= (long)count ? -1 : ordinal;
}

uint32_t arch_machine_visible(const struct arch_device *devices, uint32_t count, const char *order,
                              const char *visible, uint32_t chosen[ARCH_DEVICES])
{
    uint32_t sorted[ARCH_DEVICES], taken = 0, seen = 0;
    order_devices(devices, count, order, sorted);
    if (!visible) {
        memcpy(chosen, sorted, sizeof sorted);
        return count;
    }
    char *text = sw_xstrdup(visible), *rest = text, *item;
    bool by_uuid = strncmp(text + strspn(text, " \t"), "GPU-", 4) == 0, twice = false;
    while (!twice && (item = strsep(&rest, ","))) {
        item += strspn(item, " \t");
        item[strcspn(item, " \t")] = 0;
        long at = by_uuid ? strncmp(item, "GPU-", 4) == 0 ? find_uuid(devices, count, sorted, item) : -1
                          : find_ordinal(item, count);
        if (at < 0) break;
        twice = seen >> at & 1;
        seen |= 1u << at;
        if (!twice) chosen[taken++] = sorted[at];
    }
    free(text);
    return twice ? ARCH_VISIBLE_TWICE : taken;
}
