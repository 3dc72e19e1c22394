/* SPDX-License-Identifier: Apache-2.0 */
/* Targets: what PTX text says of itself, and which entry fits a device.
 * Rules (CUDA programming guide, "application compatibility"): PTX for sm_X runs on any capability >= X;
 * sm_Xa only on X; sm_Xf on X and later capabilities of the same major number; a cubin on the same major
 * number and a minor number not below its own. */
#include "fatbin_priv.h"

#include <stdlib.h>
#include <string.h>

/* Text after the first directive `name` outside of // comments, or NULL. */
static const char *after_directive(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n\v\f");
        if (strncmp(line, name, length) == 0) return line + length + strspn(line + length, " \t");
    }
    return NULL;
}

void fatbin_ptx_target(const char *text, struct fatbin_entry *entry)
{
    const char *version = after_directive(text, ".version");
    const char *target = after_directive(text, ".target");
    char *end = NULL;
    if (version) {
        entry->major = (uint16_t)strtoul(version, &end, 10);
        if (*end == '.') entry->minor = (uint16_t)strtoul(end + 1, NULL, 10);
    }
    if (target && strncmp(target, "sm_", 3) == 0) {
        entry->sm = (uint32_t)strtoul(target + 3, &end, 10);
        entry->suffix = *end == 'a' || *end == 'f' ? *end : 0;
    }
}

static bool runs_on(const struct fatbin_entry *entry, uint32_t cc)
{
    if (entry->of_cubin && entry->sm / 10 != cc / 10) return false;
    if (entry->suffix == 'a') return entry->sm == cc;
    if (entry->suffix == 'f') return entry->sm <= cc && entry->sm / 10 == cc / 10;
    return entry->sm <= cc;
}

/* Whether a is the better of two entries that both run: the higher target, then the more specific one. */
static bool better(const struct fatbin_entry *a, const struct fatbin_entry *b)
{
    if (!b || a->sm != b->sm) return !b || a->sm > b->sm;
    return !b->suffix && a->suffix;
}

/* Whether a is the better of two entries of which neither runs: nearest above cc, then plain targets first.
 */
static bool nearer(const struct fatbin_entry *a, const struct fatbin_entry *b, uint32_t cc)
{
    if (!b) return true;
    bool a_above = a->sm > cc, b_above = b->sm > cc;
    if (a_above != b_above) return a_above;
    if (a->sm != b->sm) return a_above ? a->sm < b->sm : a->sm > b->sm;
    return b->suffix && !a->suffix;
}

#define ANY_UNIT UINT32_MAX

static const struct fatbin_entry *choose_ptx(const struct fatbin *fatbin, uint32_t unit, uint32_t cc,
                                             bool any_target)
{
    const struct fatbin_entry *best = NULL, *other = NULL;
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        if (entry->kind != FATBIN_PTX || (unit != ANY_UNIT && entry->unit != unit)) continue;
        if (runs_on(entry, cc)) {
            if (better(entry, best)) best = entry;
        } else if (nearer(entry, other, cc)) {
            other = entry;
        }
    }
    return best ? best : any_target ? other : NULL;
}

const struct fatbin_entry *fatbin_best_ptx(const struct fatbin *fatbin, uint32_t cc, bool any_target)
{
    return choose_ptx(fatbin, ANY_UNIT, cc, any_target);
}

const struct fatbin_entry *fatbin_best_ptx_of_unit(const struct fatbin *fatbin, uint32_t unit, uint32_t cc,
                                                   bool any_target)
{
    return choose_ptx(fatbin, unit, cc, any_target);
}

const struct fatbin_entry *fatbin_best_elf(const struct fatbin *fatbin, uint32_t cc)
{
    const struct fatbin_entry *best = NULL;
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        bool fits = entry->kind == FATBIN_ELF && entry->sm / 10 == cc / 10 && runs_on(entry, cc);
        if (fits && better(entry, best)) best = entry;
    }
    return best;
}

/* By a section that only its machine code has; its PTX is for the newest GPUs only. */
bool fatbin_is_device_runtime(const struct fatbin *fatbin, uint32_t unit)
{
    static const char section[] = ".text.__cudaCDP2LaunchDeviceV2";
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        if (entry->unit == unit && entry->kind == FATBIN_ELF &&
            memmem(entry->data, entry->bytes, section, sizeof section))
            return true;
    }
    return false;
}
