/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU catalogue: one text file a GPU, gpus/NAME.ini, with two sections of the same keys: [gpu] has the
 * values, [source] says where each comes from.
 *
 * Search, first found wins: the folders in SOFTWARP_GPUS (separated by ':'), then share/softwarp/gpus beside
 * the folder of the program or library that holds this code (the build tree links it to the source's gpus/).
 * A file must give every field; an unknown key, or a value that is no number or one that no GPU has, is an
 * error, never ignored.
 * Limits: lines up to 200 characters (inih's default). */
#include "arch/arch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct key {
    const char *name;
    size_t offset;
};
static const struct key KEYS[] = {
#define FIELD(id, key, unit, text) {key, offsetof(struct arch_gpu, id)},
#include "arch/arch_fields.def"
#undef FIELD
};
static const struct key CACHE_KEYS[] = {
#define CACHE(id, value, text) {#id, offsetof(struct arch_cache, id)},
#include "arch/arch_cache.def"
#undef CACHE
};
static const struct arch_cache CACHE_DEFAULTS = {
#define CACHE(id, value, text) .id = value,
#include "arch/arch_cache.def"
#undef CACHE
};
static const struct key TIME_KEYS[] = {
#define TIME(id, value, text) {#id, offsetof(struct arch_time, id)},
#define CURVE(id, text)
#include "arch/arch_time.def"
#undef TIME
#undef CURVE
};
static const struct key CURVE_KEYS[] = {
#define TIME(id, value, text)
#define CURVE(id, text) {#id, offsetof(struct arch_time, id)},
#include "arch/arch_time.def"
#undef TIME
#undef CURVE
};
static const struct arch_time TIME_DEFAULTS = {
#define TIME(id, value, text) .id = value,
#define CURVE(id, text)
#include "arch/arch_time.def"
#undef TIME
#undef CURVE
};
static const struct key KERNEL_KEYS[] = {
#define KERNEL(id, value, text) {#id, offsetof(struct arch_kernels, id)},
#include "arch/arch_kernels.def"
#undef KERNEL
};
static const struct arch_kernels KERNEL_DEFAULTS = {
#define KERNEL(id, value, text) .id = value,
#include "arch/arch_kernels.def"
#undef KERNEL
};
typedef VEC(const char *) text_list;

/* Folder of the program or library that this code was linked into; false when the system does not say. */
static bool own_folder(char folder[PATH_MAX])
{
    Dl_info info;
    struct link_map *map = NULL;
    char path[PATH_MAX];
    if (!dladdr1((void *)(uintptr_t)arch_gpu_load, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const char *from = map->l_name[0] ? map->l_name : "/proc/self/exe";
    if (!realpath(from, path)) return false;
    char *slash = strrchr(path, '/');
    if (!slash) return false;
    *slash = 0;
    memcpy(folder, path, (size_t)(slash - path) + 1);
    return true;
}

static void search_folders(struct arena *arena, text_list *folders)
{
    const char *from = getenv("SOFTWARP_GPUS");
    while (from && *from) {
        size_t length = strcspn(from, ":");
        if (length) *vec_push(folders) = arena_strndup(arena, from, length);
        from += length + (from[length] == ':');
    }
    char own[PATH_MAX];
    if (!own_folder(own)) return;
    *vec_push(folders) = arena_printf(arena, "%s/../share/softwarp/gpus", own);
    *vec_push(folders) = arena_printf(arena, "%s/../../share/softwarp/gpus", own);
}

static int gpu_by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_names(struct arena *arena, const char *folder, text_list *names)
{
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir));)
        if (e->d_name[0] != '.' && sw_ends_with(e->d_name, ".ini"))
            *vec_push(names) = arena_strndup(arena, e->d_name, strlen(e->d_name) - 4);
    closedir(dir);
}

uint32_t arch_gpu_list(struct arena *arena, const char ***names)
{
    text_list folders = {0}, found = {0};
    search_folders(arena, &folders);
    for (size_t i = 0; i < folders.count; i++)
        add_names(arena, folders.at[i], &found);
    if (found.count) qsort(found.at, found.count, sizeof *found.at, gpu_by_name);
    uint32_t count = 0;
    *names = ARENA_ARRAY(arena, const char *, found.count + 1);
    for (size_t i = 0; i < found.count; i++)
        if (!i || strcmp(found.at[i], found.at[i - 1]) != 0) (*names)[count++] = found.at[i];
    vec_release(&folders);
    vec_release(&found);
    return count;
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || sw_ends_with(name, ".ini");
}

/* Path of NAME.ini, or NULL. */
static const char *find_file(struct arena *arena, const char *name)
{
    if (is_path(name)) return access(name, R_OK) == 0 ? name : NULL;
    const char *found = NULL;
    text_list folders = {0};
    search_folders(arena, &folders);
    for (size_t i = 0; i < folders.count && !found; i++) {
        const char *path = arena_printf(arena, "%s/%s.ini", folders.at[i], name);
        if (access(path, R_OK) == 0) found = path;
    }
    vec_release(&folders);
    return found;
}

static enum sw_status fail_unknown(struct arena *arena, const char *name, struct sw_error *error)
{
    const char **names;
    uint32_t count = arch_gpu_list(arena, &names);
    struct str list = {0};
    for (uint32_t i = 0; i < count; i++)
        str_printf(&list, "%s%s", i ? ", " : "", names[i]);
    enum sw_status status = sw_fail(
        error, SW_INVALID_DEVICE, "there is no GPU named '%s': choose one of %s, or name a .ini file by path",
        name, count ? str_text(&list) : "(none found; is SOFTWARP_GPUS set?)");
    str_release(&list);
    return status;
}

struct reader {
    struct arch_gpu *gpu;
    const char *path;
    struct sw_error *error;
    enum sw_status status;
    uint64_t seen; /* bit i: KEYS[i] */
    bool has_name, has_cc;
};

static bool gpu_parse_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return !errno && end != text && !*end && text[0] != '-';
}

static bool parse_cc(const char *text, struct arch_gpu *gpu)
{
    int used = 0;
    return sscanf(text, "%" SCNu32 ".%" SCNu32 "%n", &gpu->cc_major, &gpu->cc_minor, &used) == 2 &&
           !text[used];
}

/* What no GPU exceeds: models take memory and time by these numbers, and divide by some. assumed: a hundred
 * times what GPUs of today have, or less where that would not fit a host. */
static const struct bound {
    const char *key;
    uint64_t least, most;
} BOUNDS[] = {
    {"sm_count", 1, 1024},
    {"clock_khz", 1, 100000000},
    {"memory_clock_khz", 1, 100000000},
    {"memory_bus_bits", 1, 1 << 16},
    {"memory_bytes", 1 << 20, UINT64_C(1) << 44},
    {"l2_bytes", 0, 1 << 30},
    {"l1_bytes", 0, 1 << 24},
    {"ecc", 0, 1},
    {"copy_engines", 0, 64},
    {"pcie_generation", 0, 16},
    {"pcie_lanes", 0, 64},
    {"l1_sets", 0, 1 << 12},
    {"l1_ways", 0, 1 << 12},
    {"l2_ways", 0, 1 << 12},
    {"l2_dirty_permille", 0, 1000},
    {"l2_partial_permille", 0, 1000},
    {"l2_filled_permille", 0, 1000},
    {"constant_ways", 0, 1 << 12},
    {"merge_groups", 0, 1024},
    {"store_merge_lines", 0, 1 << 16},
};
static const struct bound OTHERS = {"", 0, 1 << 24};

static bool is_bounded(struct reader *r, const char *key, uint64_t number)
{
    const struct bound *bound = &OTHERS;
    for (size_t i = 0; i < SW_COUNT_OF(BOUNDS); i++)
        if (strcmp(BOUNDS[i].key, key) == 0) bound = &BOUNDS[i];
    if (number >= bound->least && number <= bound->most) return true;
    r->status =
        sw_fail(r->error, SW_CORRUPT, "%s: '%s = %" PRIu64 "' is not between %" PRIu64 " and %" PRIu64,
                r->path, key, number, bound->least, bound->most);
    return false;
}

static int read_number(struct reader *r, const char *key, const char *value)
{
    for (size_t i = 0; i < SW_COUNT_OF(KEYS); i++)
        if (strcmp(KEYS[i].name, key) == 0) {
            r->seen |= 1ull << i;
            uint64_t number;
            if (!gpu_parse_number(value, &number)) break;
            if (!is_bounded(r, key, number)) return 0;
            memcpy((char *)r->gpu + KEYS[i].offset, &number, sizeof number);
            return 1;
        }
    r->status = sw_fail(r->error, SW_CORRUPT, "%s: '%s = %s' is not a field of a GPU with a number", r->path,
                        key, value);
    return 0;
}

/* Sections [cache] and [kernels]: their keys may be left out. */
static int read_model(struct reader *r, const char *section, const char *key, const char *value)
{
    bool cache = strcmp(section, "cache") == 0;
    const struct key *keys = cache ? CACHE_KEYS : KERNEL_KEYS;
    char *base = cache ? (char *)&r->gpu->cache : (char *)&r->gpu->kernels;
    size_t count = cache ? SW_COUNT_OF(CACHE_KEYS) : SW_COUNT_OF(KERNEL_KEYS);
    uint64_t number;
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, key) == 0 && gpu_parse_number(value, &number)) {
            if (!is_bounded(r, key, number)) return 0;
            memcpy(base + keys[i].offset, &number, sizeof number);
            return 1;
        }
    r->status = sw_fail(r->error, SW_CORRUPT, "%s: '%s = %s' is not a field of section [%s] with a number",
                        r->path, key, value, section);
    return 0;
}

/* As OTHERS, of bytes and nanoseconds: 16 TiB, five hours. */
#define CURVE_MOST (UINT64_C(1) << 44)

/* BYTES:NS ... with ascending bytes. */
static bool parse_curve(const char *text, struct arch_curve *out)
{
    struct arch_curve curve = {0};
    while (*text) {
        int used = 0;
        uint64_t bytes, ns, n = curve.count;
        if (n == ARCH_CURVE_POINTS || sscanf(text, "%" SCNu64 ":%" SCNu64 "%n", &bytes, &ns, &used) != 2)
            return false;
        if (bytes > CURVE_MOST || ns > CURVE_MOST || (n && bytes <= curve.at[n - 1].bytes)) return false;
        curve.at[n].bytes = bytes;
        curve.at[n].ns = ns;
        curve.count++;
        text += used;
        if (*text && *text++ != ' ') return false;
    }
    *out = curve;
    return curve.count >= 2;
}

/* Section [time]: as [cache], and curves. */
static int read_time(struct reader *r, const char *key, const char *value)
{
    uint64_t number;
    char *base = (char *)&r->gpu->time;
    for (size_t i = 0; i < SW_COUNT_OF(TIME_KEYS); i++)
        if (strcmp(TIME_KEYS[i].name, key) == 0 && gpu_parse_number(value, &number)) {
            if (!is_bounded(r, key, number)) return 0;
            memcpy(base + TIME_KEYS[i].offset, &number, sizeof number);
            return 1;
        }
    for (size_t i = 0; i < SW_COUNT_OF(CURVE_KEYS); i++)
        if (strcmp(CURVE_KEYS[i].name, key) == 0 &&
            parse_curve(value, (struct arch_curve *)(void *)(base + CURVE_KEYS[i].offset)))
            return 1;
    r->status =
        sw_fail(r->error, SW_CORRUPT,
                "%s: '%s = %s' is not a field of section [time] with a number, or a curve with two or "
                "more BYTES:NS",
                r->path, key, value);
    return 0;
}

/* inih's callback: 1 goes on, 0 stops. */
static int read_entry(void *user, const char *section, const char *key, const char *value)
{
    struct reader *r = user;
    if (strcmp(section, "cache") == 0 || strcmp(section, "kernels") == 0)
        return read_model(r, section, key, value);
    if (strcmp(section, "time") == 0) return read_time(r, key, value);
    if (strcmp(section, "gpu") != 0) return 1;
    if (strcmp(key, "name") == 0) {
        r->has_name = snprintf(r->gpu->full_name, sizeof r->gpu->full_name, "%s", value) > 0;
        return 1;
    }
    if (strcmp(key, "cc") != 0) return read_number(r, key, value);
    r->has_cc = parse_cc(value, r->gpu);
    if (r->has_cc) return 1;
    r->status = sw_fail(r->error, SW_CORRUPT, "%s: 'cc = %s' is not a compute capability such as 9.0",
                        r->path, value);
    return 0;
}

static enum sw_status check_complete(const struct reader *r)
{
    if (!r->has_name || !r->has_cc)
        return sw_fail(r->error, SW_CORRUPT, "%s: 'name' and 'cc' are needed in section [gpu]", r->path);
    for (size_t i = 0; i < SW_COUNT_OF(KEYS); i++)
        if (!(r->seen >> i & 1))
            return sw_fail(r->error, SW_CORRUPT, "%s: field '%s' is missing", r->path, KEYS[i].name);
    return SW_OK;
}

void arch_gpu_short_name(const char *origin, char out[32])
{
    const char *slash = strrchr(origin, '/'), *name = slash ? slash + 1 : origin;
    size_t length = strlen(name);
    if (is_path(origin) && sw_ends_with(name, ".ini")) length -= 4;
    snprintf(out, 32, "%.*s", (int)length, name);
}

/* A file that cannot be found by its whole path cannot be read either, so none is lost. */
static void set_names(struct arch_gpu *gpu, const char *name)
{
    arch_gpu_short_name(name, gpu->name);
    if (!is_path(name) || !realpath(name, gpu->origin)) snprintf(gpu->origin, sizeof gpu->origin, "%s", name);
}

static enum sw_status load_file(const char *path, const char *name, struct arch_gpu *out,
                                struct sw_error *error)
{
    struct arch_gpu gpu = {.cache = CACHE_DEFAULTS, .time = TIME_DEFAULTS, .kernels = KERNEL_DEFAULTS};
    struct reader r = {.gpu = &gpu, .path = path, .error = error};
    int line = ini_parse(path, read_entry, &r);
    if (r.status) return r.status;
    if (line < 0) return sw_fail(error, SW_IO, "cannot read '%s'", path);
    if (line > 0)
        return sw_fail(error, SW_CORRUPT, "%s:%d: expected 'key = value' or '[section]'", path, line);
    SW_TRY(check_complete(&r));
    set_names(&gpu, name);
    *out = gpu;
    return SW_OK;
}

enum sw_status arch_gpu_load(const char *name, struct arch_gpu *out, struct sw_error *error)
{
    struct arena arena;
    arena_init(&arena);
    const char *path = find_file(&arena, name);
    enum sw_status status = path ? load_file(path, name, out, error) : fail_unknown(&arena, name, error);
    arena_release(&arena);
    return status;
}

const struct arch_gpu *arch_gpu_of(const struct arch_gpu *const *gpus, uint32_t count, const char *origin)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(gpus[i]->origin, origin) == 0) return gpus[i];
    return NULL;
}

struct source_reader {
    const char *key;
    struct arena *arena;
    const char *found;
};

static int read_source(void *user, const char *section, const char *key, const char *value)
{
    struct source_reader *r = user;
    if (strcmp(section, "source") == 0 && strcmp(key, r->key) == 0) r->found = arena_strdup(r->arena, value);
    return 1;
}

const char *arch_gpu_source(const char *name, const char *key, struct arena *arena)
{
    struct source_reader r = {.key = key, .arena = arena};
    const char *path = find_file(arena, name);
    if (path) ini_parse(path, read_source, &r);
    return r.found;
}

struct management_reader {
    struct arena *arena;
    struct map *out;
};

static int read_management(void *user, const char *section, const char *key, const char *value)
{
    struct management_reader *r = user;
    if (strcmp(section, "management") == 0)
        map_set(r->out, arena_strdup(r->arena, key), arena_strdup(r->arena, value));
    return 1;
}

void arch_gpu_management(const char *name, struct arena *arena, struct map *out)
{
    struct management_reader r = {arena, out};
    const char *path = find_file(arena, name);
    if (path) ini_parse(path, read_management, &r);
}

uint64_t arch_gpu_field(const struct arch_gpu *gpu, const char *key, bool *found)
{
    for (size_t i = 0; i < SW_COUNT_OF(KEYS); i++)
        if (strcmp(KEYS[i].name, key) == 0) {
            uint64_t value;
            memcpy(&value, (const char *)gpu + KEYS[i].offset, sizeof value);
            *found = true;
            return value;
        }
    *found = false;
    return 0;
}
