/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: how much memory there is to back device memory: RAM plus swap, or what the process's control group
 * allows of it. Method: sysinfo; memory.max and memory.swap.max of the group and of all above it (control
 * groups version 2), memory.limit_in_bytes (version 1); a container sees its own group at the root.
 * SOFTWARP_HOST_MEMORY (bytes, or with K, M, G, T) takes the place of all that. Limits: what other processes
 * use is not taken off. */
#include "vmem/vmem.h"

#include <fcntl.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define GROUPS "/sys/fs/cgroup"

static uint64_t ram_and_swap(void)
{
    struct sysinfo info;
    if (sysinfo(&info) != 0) return UINT64_MAX;
    return ((uint64_t)info.totalram + info.totalswap) * info.mem_unit;
}

/* A short file as text; false: none. */
static bool host_read_text(const char *path, char *text, size_t bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file >= 0 ? read(file, text, bytes - 1) : -1;
    if (file >= 0) close(file);
    if (count < 0) return false;
    text[count] = 0;
    return true;
}

/* "max", or a number of bytes. */
static uint64_t group_number(const char *root, const char *group, const char *name)
{
    char text[64];
    struct str path = {0};
    str_printf(&path, "%s%s/%s", root, group, name);
    bool found = host_read_text(str_text(&path), text, sizeof text);
    str_release(&path);
    return found && text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

static uint64_t group_limit(const char *group, bool second)
{
    if (!second) return group_number(GROUPS "/memory", group, "memory.limit_in_bytes");
    uint64_t memory = group_number(GROUPS, group, "memory.max");
    uint64_t swap = group_number(GROUPS, group, "memory.swap.max");
    return swap > UINT64_MAX - memory ? UINT64_MAX : memory + swap;
}

/* /proc/self/cgroup := {NUMBER ":" [CONTROLLERS] ":" PATH "\n"}; version 2 has no controllers there. The
 * least of the group named after `mark` and of all above it. */
static uint64_t groups_limit(const char *mark, bool second)
{
    char text[4096];
    uint64_t limit = UINT64_MAX;
    char *group = host_read_text("/proc/self/cgroup", text, sizeof text) ? strstr(text, mark) : NULL;
    if (!group) return limit;
    group += strlen(mark);
    group[strcspn(group, "\n")] = 0;
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = 0;
        uint64_t here = group_limit(group, second);
        if (here < limit) limit = here;
    }
    return limit;
}

/* "200G"; 0: not such a text. */
static uint64_t parse_bytes(const char *text)
{
    static const char units[] = "KMGT";
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (end == text || (*end && (!unit || end[1]))) return 0;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    return number <= UINT64_MAX >> shift ? number << shift : 0;
}

uint64_t vmem_host_bytes(void)
{
    const char *given = getenv("SOFTWARP_HOST_MEMORY");
    uint64_t limit = given && *given ? parse_bytes(given) : 0;
    if (limit) return limit;
    if (given && *given)
        sw_log("SOFTWARP_HOST_MEMORY='%s' is not a number of bytes; write 8589934592 or 8G", given);
    uint64_t all = ram_and_swap(), first = groups_limit(":memory:", false),
             second = groups_limit("0::", true);
    uint64_t group = first < second ? first : second;
    return group < all ? group : all;
}
