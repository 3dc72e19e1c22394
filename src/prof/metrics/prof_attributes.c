/* SPDX-License-Identifier: Apache-2.0 */
/* The device__attribute_ columns of ncu's raw page, for the GPU that a launch ran on.
 *
 * Two tables: attributes of CUDA's driver, whose names are ncu's in capitals, and those that only ncu has.
 * Limits: what no data say of a GPU (chip, PCI identifiers, memory partitions) is an empty cell. */
#include "prof_metrics.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 96, NOT_NCU = 3 };
static const char PREFIX[] = "device__attribute_";
/* What the driver answers and ncu has no column for. */
static const char *const DRIVER_ONLY[NOT_NCU] = {"READ_ONLY_HOST_REGISTER_SUPPORTED",
                                                 "VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", "NUMA_ID"};

struct attribute {
    char name[NAME_BYTES];
    uint32_t index; /* in the list of both tables */
};

#define ATTRIBUTE(name, value) #name,
#define NUMBER(name, value)    #name,
#define TEXT(name, value)      #name,
#define UNKNOWN(name)          #name,
static const char *const NAMES[] = {
#include "arch/arch_attributes.def"
#include "prof_attributes.def"
};
#undef ATTRIBUTE
#undef NUMBER
#undef TEXT
#undef UNKNOWN

static struct attribute sorted[SW_COUNT_OF(NAMES)];
static uint32_t sorted_count;

static int attributes_by_name(const void *a, const void *b)
{
    return strcmp(((const struct attribute *)a)->name, ((const struct attribute *)b)->name);
}

static bool has_column(const char *name)
{
    for (int i = 0; i < NOT_NCU; i++)
        if (strcmp(name, DRIVER_ONLY[i]) == 0) return false;
    return true;
}

static void sort_names(void)
{
    for (uint32_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        if (!has_column(NAMES[i])) continue;
        struct attribute *a = &sorted[sorted_count++];
        a->index = i;
        strcpy(a->name, PREFIX);
        for (size_t n = 0; NAMES[i][n] && n + sizeof PREFIX < NAME_BYTES; n++)
            a->name[sizeof PREFIX - 1 + n] = (char)tolower((unsigned char)NAMES[i][n]);
    }
    qsort(sorted, sorted_count, sizeof *sorted, attributes_by_name);
}

uint32_t prof_attribute_count(void)
{
    if (!sorted_count) sort_names();
    return sorted_count;
}

const char *prof_attribute_name(uint32_t index)
{
    return index < prof_attribute_count() ? sorted[index].name : "";
}

static struct report_value attributes_count(int64_t value)
{
    return report_integer(value < 0 ? 0 : (uint64_t)value);
}

/* All values, in the order of NAMES. Attributes that a driver gives as int are never negative here but for
 * "none", which ncu prints as 0. */
static void attributes_fill(const struct arch_gpu *gpu, const struct arch_cc *cc, uint32_t number,
                            struct report_value *values)
{
    uint32_t sm = cc->major * 10 + cc->minor;
    const uint32_t SCHEDULERS = sm >= 30 ? 4 : 2;
#define ATTRIBUTE(name, value) *values++ = attributes_count(value);
#define NUMBER(name, value)    *values++ = report_integer(value);
#define TEXT(name, value)      *values++ = report_text(value);
#define UNKNOWN(name)          *values++ = report_none();
#include "arch/arch_attributes.def"
#include "prof_attributes.def"
}

struct report_value prof_attribute_value(uint32_t index, const struct prof_launch *p)
{
    struct report_value values[SW_COUNT_OF(NAMES)];
    if (index >= prof_attribute_count()) return report_none();
    attributes_fill(p->gpu, p->cc, p->launch->device, values);
    return values[sorted[index].index];
}
