/* SPDX-License-Identifier: Apache-2.0 */
/* Random values of parameters. Handles come from four slots a kind, which calls that succeed fill and which
 * keep what was destroyed; wrong ones are null, foreign, misaligned or of no object. Host memory is always
 * memory that is there and large enough: sizes are either small, or any, and then all pointers are a device's
 * (struct values, wild). Every value is also printed as C, so that a sequence can be read and compiled. */
#include "api.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { KEPT_BYTES = 4096, KIND_MOST = 128, LEVELS = 6 };
static const size_t HOST_BYTES = (size_t)256 << 20, SCRATCH_BYTES = (size_t)4 << 30;

static uint64_t slots[KIND_MOST][SLOTS];
static unsigned char kept[KIND_MOST][SLOTS][KEPT_BYTES];
static int files[SLOTS] = {-1, -1, -1, -1, -1, -1, -1, -1};
static char *host, *scratch;
static _Atomic size_t scratch_used;

static const char KERNELS[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 8 .b8 global[64];\n"
    ".visible .const .align 4 .b8 constant[64];\n"
    ".visible .global .texref texture;\n"
    ".visible .global .surfref surface;\n"
    ".visible .entry store(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b64 %d<4>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 63;\n"
    "mul.wide.u32 %d2, %r2, 4; add.s64 %d1, %d1, %d2; st.global.u32 [%d1], %r1; ret;\n}\n"
    ".visible .entry shared(.param .u64 p)\n{\n"
    ".reg .b64 %d<4>; .reg .b32 %r<6>; .shared .align 4 .b8 s[128];\n"
    "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.s32 %r3, %r3, %r2;\n"
    "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r4, [%r3]; ret;\n}\n"
    ".visible .entry loop(.param .u64 p, .param .u32 n)\n{\n"
    ".reg .b64 %d<4>; .reg .b32 %r<6>; .reg .pred %q;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; and.b32 %r1, %r1, 63; mov.u32 %r2, 0;\n"
    "again: atom.global.add.u32 %r3, [%d1], %r2; add.s32 %r2, %r2, 1; setp.lt.u32 %q, %r2, %r1; @%q bra "
    "again; ret;\n}\n"
    ".visible .entry fetch(.param .u64 t)\n{\n"
    ".reg .b64 %d<4>; .reg .f32 %f<8>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %d1, [t]; mov.f32 %f1, 0f00000000;\n"
    "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d1, {%f1, %f1}]; ret;\n}\n"
    ".visible .entry empty()\n{\nret;\n}\n"
    ".visible .entry stop()\n{\ntrap;\n}\n";
static const char *const IMAGES[] = {
    KERNELS,
    KERNELS,
    KERNELS,
    KERNELS,
    ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry other(.param .u32 n)\n{\nret;\n}\n",
    ".version 8.0\n.target sm_70\n.address_size 64\n.extern .func missing();\n"
    ".visible .entry store()\n{\ncall missing, ();\nret;\n}\n",
    ".version 99.0\n.target sm_999\n",
    ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry cut(.param .u64 p)\n{\nadd",
    "",
    "\x7f"
    "ELF\2\1\1",
    "\x50\xed\x55\xba\1",
    "no PTX",
};
static const char *const NAMES[] = {"store",
                                    "shared",
                                    "loop",
                                    "fetch",
                                    "empty",
                                    "stop",
                                    "global",
                                    "constant",
                                    "texture",
                                    "surface",
                                    "other",
                                    "missing",
                                    "",
                                    "cuInit",
                                    "cuMemAlloc",
                                    "cuGraphAddNode_v2",
                                    "0000:01:00.0",
                                    "ffffffff:ff:ff.f",
                                    "%s%n",
                                    "a\nb"};
static const char *const SOURCES[] = {
    "__global__ void k(int *p) { p[threadIdx.x] = 1; }",
    "template <typename T> __global__ void t(T *p) { *p = T(); } __device__ int d; __constant__ float c[4];",
    "#include \"kernels.h\"\n__global__ void k() {}",
    "__global__ void cut(",
    "",
    "#error \"no\"\n",
};
static const char *const WORDS[] = {"-arch=sm_90",
                                    "--gpu-architecture=compute_90",
                                    "-arch=sm_90",
                                    "-lto",
                                    "-g",
                                    "-lineinfo",
                                    "-O3",
                                    "-ptx",
                                    "-std=c++17",
                                    "-default-device",
                                    "-I.",
                                    "-DN=1",
                                    "--maxrregcount=16",
                                    "--nonsense",
                                    "-arch=sm_7",
                                    ""};
static const char *const PATHS[] = {"kernels.ptx", "kernels.ptx", "missing",    "",
                                    ".",           "new",         "folder/new", "/dev/null"};

/* The member of a union that a tag stands for. Others are left alone: they hold pointers to host memory. */
static const struct {
    const char *record;
    long long tag;
    const char *member;
} MEMBERS[] = {
    {"raphNodeParams", 0, "kernel"},        {"raphNodeParams", 1, "memcpy"},
    {"raphNodeParams", 2, "memset"},        {"raphNodeParams", 3, "host"},
    {"raphNodeParams", 4, "graph"},         {"raphNodeParams", 6, "eventWait"},
    {"raphNodeParams", 7, "eventRecord"},   {"raphNodeParams", 10, "alloc"},
    {"raphNodeParams", 11, "free"},         {"raphNodeParams", 12, "memOp"},
    {"raphNodeParams", 13, "conditional"},  {"emcpy3DOperand", 1, "op.ptr"},
    {"emcpy3DOperand", 2, "op.array"},      {"RESOURCE_DESC", 0, "res.array"},
    {"RESOURCE_DESC", 1, "res.mipmap"},     {"RESOURCE_DESC", 2, "res.linear"},
    {"RESOURCE_DESC", 3, "res.pitch2D"},    {"cudaResourceDesc", 0, "res.array"},
    {"cudaResourceDesc", 1, "res.mipmap"},  {"cudaResourceDesc", 2, "res.linear"},
    {"cudaResourceDesc", 3, "res.pitch2D"},
};

uint64_t api_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

#define PICK(v, list) ((list)[api_below(&(v)->state, sizeof(list) / sizeof *(list))])
static bool chance(struct values *v, unsigned permille)
{
    return api_below(&v->state, 1000) < permille;
}
static bool is_bad(struct values *v)
{
    return chance(v, v->bad);
}

static void *map_private(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        fprintf(stderr, "fuzz_api: mmap of %zu bytes: %s\n", bytes, strerror(errno));
        exit(1);
    }
    return at;
}

size_t api_values_bytes(void)
{
    return HOST_BYTES + SCRATCH_BYTES;
}

void api_values_open(void)
{
    host = map_private(HOST_BYTES);
    scratch = map_private(SCRATCH_BYTES);
    struct stat status;
    if (stat("kernels.ptx", &status) == 0 && status.st_size == sizeof KERNELS - 1) return;
    FILE *file = fopen("kernels.ptx", "w"); /* it is not there, or a sequence wrote to it */
    if (!file) return;
    fputs(KERNELS, file);
    fclose(file);
}

/* Memory that is zero and that no later value gets, and more than asked for: counts may be larger than the
 * arrays that are filled. */
static void *scratch_take(size_t bytes)
{
    size_t space = (bytes * 64 + 0xffff) & ~(size_t)0xffff;
    size_t at = atomic_fetch_add(&scratch_used, space);
    return scratch + at % (SCRATCH_BYTES - ((size_t)64 << 20));
}

/* The same for what calls do not keep: a thread gets memory again that it had some calls before, since a page
 * that is touched for the first time costs more than most calls. */
static void *scratch_brief(struct values *v, size_t bytes)
{
    enum { RING_BYTES = 1 << 17, LEAST = 512, ZERO = 1024 };
    static _Thread_local char *ring;
    static _Thread_local size_t next;
    size_t space = (bytes * 64 + LEAST - 1) / LEAST * LEAST;
    v->scratch += space;
    if (space > RING_BYTES / 4 || v->scratch > RING_BYTES / 2) return scratch_take(bytes);
    if (!ring) ring = scratch_take(RING_BYTES / 64);
    if (next + space > RING_BYTES) next = 0;
    next += space;
    return memset(ring + next - space, 0, space < ZERO ? space : ZERO);
}

static void put(void *at, size_t size, uint64_t value)
{
    memcpy(at, &value, size); /* little-endian */
}

/* ---- numbers */

static uint64_t number_size(struct values *v)
{
    static const uint64_t FITTING[] = {0,  1,  2,   3,   4,   7,   8,    16,   16,  32,
                                       64, 64, 100, 128, 256, 512, 1000, 1024, 4096};
    static const uint64_t ANY[] = {0,
                                   1,
                                   63,
                                   4095,
                                   4096,
                                   65536,
                                   2 << 20,
                                   (1u << 31) - 1,
                                   1u << 31,
                                   UINT32_MAX,
                                   (uint64_t)1 << 32,
                                   ((uint64_t)1 << 32) + 1,
                                   (uint64_t)1 << 40,
                                   (uint64_t)1 << 62,
                                   INT64_MAX,
                                   (uint64_t)1 << 63,
                                   UINT64_MAX - 4095,
                                   UINT64_MAX - 1,
                                   UINT64_MAX};
    return v->wild && chance(v, 500) ? PICK(v, ANY) : PICK(v, FITTING);
}

static uint64_t number(struct values *v, enum class class)
{
    static const uint64_t COUNTS[] = {0, 1, 1, 1, 2, 2, 3, 4, 8};
    static const uint64_t ROWS[] = {0, 1, 1, 1, 2, 3, 4, 8, 16};
    static const uint64_t DIMS[] = {1, 1, 1, 1, 2, 3, 8, 32};
    static const uint64_t BAD_DIMS[] = {0, 1u << 31, UINT32_MAX};
    static const uint64_t BAD_BLOCKS[] = {0, 1025, 1u << 31, UINT32_MAX};
    static const uint64_t DEVICES[] = {0, 0, 0, 1};
    static const uint64_t BAD_DEVICES[] = {2, UINT64_MAX, INT32_MAX, 1u << 31, UINT64_MAX - 1};
    static const uint64_t FLAGS[] = {0, 0, 0, 0, 1, 1, 2, 3, 4, 8};
    static const uint64_t BAD_FLAGS[] = {16, 64, 0x80, 0x8000, 1u << 31, UINT64_MAX};
    static const uint64_t ANY[] = {0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 100};
    static const uint64_t BAD[] = {1024, 65536, INT32_MAX, 1u << 31, UINT64_MAX, UINT64_MAX - 1};
    switch ((int)class) {
    case C_CHANNELS: return is_bad(v) ? PICK(v, COUNTS) : 1u << api_below(&v->state, 3);
    case C_COUNT: return PICK(v, COUNTS);
    case C_OPTION_COUNT: return v->bad && chance(v, 300) ? PICK(v, COUNTS) : 0;
    case C_RESERVED: return is_bad(v) ? PICK(v, BAD) : 0;
    case C_DIM: return is_bad(v) ? PICK(v, BAD_DIMS) : PICK(v, DIMS);
    case C_BLOCK: return is_bad(v) ? PICK(v, BAD_BLOCKS) : PICK(v, DIMS);
    case C_DEVICE: return is_bad(v) ? PICK(v, BAD_DEVICES) : PICK(v, DEVICES);
    case C_FLAGS: return is_bad(v) ? PICK(v, BAD_FLAGS) : PICK(v, FLAGS);
    case C_SIZE: return number_size(v);
    case C_ROWS: return v->wild ? number_size(v) : PICK(v, ROWS);
    case C_IMAGE_BYTES: return chance(v, 700) ? sizeof KERNELS - api_below(&v->state, 2) : PICK(v, ANY);
    case C_FD: return chance(v, 700) ? (uint64_t)files[api_below(&v->state, SLOTS)] : PICK(v, BAD_DEVICES);
    default: return is_bad(v) && v->wild ? PICK(v, BAD) : PICK(v, ANY);
    }
}

static double number_real(struct values *v)
{
    static const double REALS[] = {0, 1, -1, 0.5, 1e30, -1e-40, (double)INFINITY, (double)NAN};
    return PICK(v, REALS);
}

static uint64_t number_enum(struct values *v, const struct type *type)
{
    static const uint64_t BAD[] = {UINT64_MAX, 1000, INT32_MAX, 1u << 31};
    if (is_bad(v)) return chance(v, 300) ? (uint64_t)type->values[type->count - 1] + 1 : PICK(v, BAD);
    unsigned many = strcmp(type->spelling, "CUarray_format") == 0 && chance(v, 900) ? 8 : type->count;
    uint64_t value = (uint64_t)type->values[api_below(&v->state, many)];
    /* Sizes that no host memory has: not from host memory. */
    if (v->wild && strstr(type->spelling, "CUmemorytype") && value == 1) value = 2;
    return value;
}

/* ---- handles and pointers */

static bool is_named(unsigned handle, const char *name)
{
    return strcmp(api_handle_names[handle], name) == 0;
}

static uint64_t handle_wrong(struct values *v, unsigned handle, char *expression)
{
    static const uint64_t WRONG[] = {0, 0, 1, 3, 0x1234, UINT64_MAX, UINT64_MAX - 7, 0x7f0000000000};
    unsigned slot = api_below(&v->state, SLOTS),
             other = api_below(&v->state, handle < api_base_handles ? api_base_handles : api_handle_count);
    uint64_t value;
    if (strncmp(api_handle_names[handle], "plain ", 6) == 0) { /* memory of the caller */
        snprintf(expression, EXPRESSION, "NULL");
        return 0;
    }
    switch (api_below(&v->state, 4)) {
    case 0:
        snprintf(expression, EXPRESSION, "%s[%u] + 1", api_handle_names[handle], slot);
        return slots[handle][slot] + 1;
    case 1: /* but a handle is no memory to copy to */
        if (is_named(handle, "CUdeviceptr") || is_named(other, "host generator")) break;
        snprintf(expression, EXPRESSION, "%s[%u]", api_handle_names[other], slot);
        return slots[other][slot];
    case 2:
        if (v->wild && is_named(handle, "CUdeviceptr")) break;
        snprintf(expression, EXPRESSION, "host + %u", slot * 64);
        return (uintptr_t)host + slot * 64;
    default: break;
    }
    value = PICK(v, WRONG);
    snprintf(expression, EXPRESSION, "0x%" PRIx64, value);
    return value;
}

static uint64_t handle_right(struct values *v, unsigned handle, char *expression)
{
    static const uint64_t OFFSETS[] = {0, 0, 0, 0, 0, 0, 4, 256, 1, 3, 4095, 4096, 65535, UINT64_MAX};
    unsigned slot = api_below(&v->state, SLOTS);
    if (is_named(handle, "CUstream_st") && chance(v, 300)) {
        uint64_t special = api_below(&v->state, 3);
        snprintf(expression, EXPRESSION, "(CUstream)%" PRIu64, special);
        return special;
    }
    for (unsigned i = 0; i < SLOTS && !slots[handle][slot]; i++)
        slot = (slot + 1) % SLOTS;
    uint64_t offset = is_named(handle, "CUdeviceptr") && v->bad ? PICK(v, OFFSETS) : 0;
    if (!slots[handle][slot] || (v->inside && (int64_t)offset < 0)) offset = 0;
    if (offset)
        snprintf(expression, EXPRESSION, "%s[%u] + %" PRId64, api_handle_names[handle], slot,
                 (int64_t)offset);
    else
        snprintf(expression, EXPRESSION, "%s[%u]", api_handle_names[handle], slot);
    return slots[handle][slot] + offset;
}

static uint64_t handle_value(struct values *v, unsigned handle, char *expression)
{
    return is_bad(v) ? handle_wrong(v, handle, expression) : handle_right(v, handle, expression);
}

static unsigned handle_of(const char *name)
{
    for (unsigned i = 0; i < api_handle_count; i++)
        if (is_named(i, name)) return i;
    return 0;
}

static void *host_value(struct values *v, char *expression)
{
    if (is_bad(v)) {
        snprintf(expression, EXPRESSION, "NULL");
        return NULL;
    }
    unsigned at = api_below(&v->state, 64) * 65536 + (chance(v, 100) ? 1 : 0);
    snprintf(expression, EXPRESSION, "host + %u", at);
    return host + at;
}

static void *image_value(struct values *v, char *expression)
{
    unsigned which = v->bad ? api_below(&v->state, sizeof IMAGES / sizeof *IMAGES) : 0;
    char *copy = scratch_take(sizeof KERNELS);
    memcpy(copy, IMAGES[which], strlen(IMAGES[which]) + 1);
    snprintf(expression, EXPRESSION, "IMAGES[%u]", which);
    return copy;
}

/* An address of any kind, as functions take that know by themselves what it is. */
static void *any_value(struct values *v, bool copied, char *expression)
{
    if (!v->wild && chance(v, 400)) return host_value(v, expression);
    unsigned handle = handle_of("CUdeviceptr");
    if (!copied) return (void *)(uintptr_t)handle_value(v, handle, expression);
    v->inside = true;
    uint64_t value = handle_right(v, handle, expression);
    v->inside = false;
    return (void *)(uintptr_t)value;
}

static void *void_value(struct values *v, enum class class, bool runtime, bool inside, char *expression)
{
    uint64_t number_of;
    switch ((int)class) {
    case C_MEMORY: return (void *)(uintptr_t)handle_value(v, handle_of("CUdeviceptr"), expression);
    case C_IMAGE: return image_value(v, expression);
    case C_FD:
        number_of = (uint32_t)number(v, C_FD);
        snprintf(expression, EXPRESSION, "(void *)%" PRIu64, number_of);
        return (void *)(uintptr_t)number_of;
    case C_FUNC: return (void *)(uintptr_t)handle_value(v, handle_of("CUkern_st"), expression);
    case C_ANY:
    case C_COPIED:
        if (runtime) return any_value(v, class == C_COPIED || inside, expression);
        break;
    default: break;
    }
    return host_value(v, expression);
}

static const char *text_value(struct values *v, enum class class, bool constant, char *expression)
{
    if (!constant) return host_value(v, expression);
    if (is_bad(v)) {
        snprintf(expression, EXPRESSION, "NULL");
        return NULL;
    }
    const char *text = class == C_PATH     ? PATHS[v->bad ? api_below(&v->state, 8) : 0]
                       : class == C_SOURCE ? PICK(v, SOURCES)
                       : class == C_WORDS  ? PICK(v, WORDS)
                                           : NAMES[api_below(&v->state, v->bad ? 20 : 10)];
    snprintf(expression, EXPRESSION, "\"%s\"", strcmp(text, "a\nb") == 0 ? "a\\nb" : text);
    return text;
}

/* What calls back does nothing: all callbacks return nothing or a size. */
static size_t callback(void)
{
    return 0;
}

void api_slot_set(const char *kind, unsigned slot, uint64_t handle)
{
    slots[handle_of(kind)][slot] = handle;
}

uint64_t api_slot_get(const char *kind, unsigned slot)
{
    return slots[handle_of(kind)][slot];
}

void api_file_set(unsigned slot, int file)
{
    files[slot] = file;
}

void *api_kept(const char *kind)
{
    return kept[handle_of(kind)][0];
}

void *api_host(void)
{
    return host;
}

void *api_callback(void)
{
    return (void *)(uintptr_t)callback;
}

/* ---- composed values */

static void fill(struct values *v, const struct field *what, void *at, const char *place, char *expression,
                 bool runtime, unsigned level);

static void declare(struct values *v, const char *spelling, size_t count, char *name)
{
    snprintf(name, 16, "v%u", v->temporaries++);
    if (!v->print) return;
    char plain[128];
    snprintf(plain, sizeof plain, "%s", strncmp(spelling, "const ", 6) == 0 ? spelling + 6 : spelling);
    if (count)
        fprintf(v->print, "    %s %s[%zu] = {0};\n", plain, name, count);
    else
        fprintf(v->print, "    %s %s = {0};\n", plain, name);
}

static void output_add(struct values *v, uint64_t *at, unsigned handle, const char *name)
{
    if (v->output_count == MOST_OUTPUTS) return;
    struct output *output = &v->outputs[v->output_count++];
    output->at = at;
    memcpy(output->before, at, sizeof output->before);
    output->handle = handle;
    output->slot = api_below(&v->state, SLOTS);
    snprintf(output->name, sizeof output->name, "%s", name);
}

static void *voids_value(struct values *v, enum class class, char *expression)
{
    if (class == C_EXTRA && chance(v, 950)) {
        snprintf(expression, EXPRESSION, "NULL");
        return NULL;
    }
    char name[16], inner[EXPRESSION];
    uint64_t *list = class == C_OPTIONS ? scratch_take(ELEMENTS * 8) : scratch_brief(v, ELEMENTS * 8);
    declare(v, "void *", ELEMENTS, name);
    snprintf(expression, EXPRESSION, "%s", name);
    if (class == C_EXTRA) { /* the form with a buffer of all parameters */
        size_t *bytes = scratch_brief(v, 8);
        *bytes = number(v, C_COUNT) * 8;
        void *form[] = {(void *)1, scratch_brief(v, 64), (void *)2, bytes, NULL};
        memcpy(list, form, sizeof form);
        if (v->print) fprintf(v->print, "    /* %s: a buffer of %zu bytes */\n", name, *bytes);
        return list;
    }
    for (unsigned i = 0; i < ELEMENTS; i++) {
        uint64_t value;
        if (class == C_OPTIONS) /* buffers for logs, by which numbers are large */
            value = (uintptr_t)host_value(v, inner);
        else
            value = (uintptr_t)any_value(v, class == C_COPIED, inner);
        if (class == C_PARAMS) {
            uint64_t *cell = scratch_brief(v, 8);
            *cell = value;
            list[i] = (uintptr_t)cell;
            if (v->print) fprintf(v->print, "    %s[%u] = &(uint64_t){(uint64_t)(%s)};\n", name, i, inner);
        } else {
            list[i] = value;
            if (v->print) fprintf(v->print, "    %s[%u] = (void *)(%s);\n", name, i, inner);
        }
    }
    if (class != C_PARAMS && class != C_OPTIONS && class != C_CODE)
        output_add(v, list, handle_of("CUdeviceptr"), name);
    return list;
}

static void *pointer_value(struct values *v, const struct field *what, char *expression, bool runtime,
                           unsigned level)
{
    const struct type *type = &api_types[what->type], *to = &api_types[type->to];
    if (what->class == C_MEMORY)
        return (void *)(uintptr_t)handle_value(v, handle_of("CUdeviceptr"), expression);
    if (is_bad(v) || level > LEVELS || (type->constant && to->kind == T_RECORD && chance(v, 50))) {
        snprintf(expression, EXPRESSION, "NULL");
        return NULL;
    }
    if (to->kind == T_KEPT && !is_bad(v)) {
        unsigned slot = api_below(&v->state, SLOTS);
        snprintf(expression, EXPRESSION, "(void *)kept[%u][%u]", to->handle, slot);
        return kept[to->handle][slot];
    }
    char name[16], inner[EXPRESSION], place[EXPRESSION];
    char *list = scratch_brief(v, ELEMENTS * to->size);
    unsigned filled = to->kind == T_RECORD || to->kind == T_KEPT ? 2 : ELEMENTS;
    declare(v, to->spelling, ELEMENTS, name);
    struct field element = {"", 0, type->to, what->class, 1};
    if (to->kind == T_INT && !type->constant && what->class == C_NONE)
        element.class = C_COUNT; /* room of an array */
    if (to->kind == T_INT && what->class == C_SIZE && !runtime && !v->wild) element.class = C_COUNT;
    for (unsigned i = 0; i < filled; i++) {
        snprintf(place, sizeof place, "%s[%u]", name, i);
        fill(v, &element, list + i * to->size, place, inner, runtime, level + 1);
        if (v->print && to->kind != T_RECORD)
            fprintf(v->print, "    %s = (%s)(%s);\n", place, to->spelling, inner);
    }
    if (to->kind == T_HANDLE && !type->constant) output_add(v, (uint64_t *)(void *)list, to->handle, name);
    if (to->kind == T_POINTER && api_types[to->to].kind == T_HANDLE) memset(list, 0, ELEMENTS * to->size);
    snprintf(expression, EXPRESSION, "%s", name);
    return list;
}

static bool is_member(const char *path, const char *member)
{
    size_t length = strlen(member);
    return strncmp(path, member, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

/* Of a record with a tag and a union: whether this field is to be filled, or belongs to another tag. */
static bool is_chosen(const struct type *type, const char *path, long long tag)
{
    bool tagged = false;
    for (size_t i = 0; i < sizeof MEMBERS / sizeof *MEMBERS; i++) {
        if (!strstr(type->spelling, MEMBERS[i].record) || strstr(type->spelling, "CHILD")) continue;
        bool member = is_member(path, MEMBERS[i].member);
        tagged |= member;
        if (member && MEMBERS[i].tag == tag) return true;
    }
    return !tagged;
}

static void record_fill(struct values *v, const struct type *type, enum class class, char *at,
                        const char *place, bool runtime, unsigned level)
{
    char inner[EXPRESSION], path[EXPRESSION];
    long long tag = 0;
    if (strstr(type->spelling, "BATCH_MEM_OP") || strstr(type->spelling, "CONDITIONAL") ||
        strstr(type->spelling, "Conditional") || strstr(type->spelling, "BatchMemOp"))
        v->waits = true;
    unsigned first = api_below(&v->state, type->count ? type->count : 1);
    bool tagged = type->count && api_types[type->fields[0].type].kind == T_ENUM;
    if (tagged) first = 0;
    for (unsigned k = 0; k < type->count; k++) {
        const struct field *field = &type->fields[(first + k) % type->count];
        const struct type *inside = &api_types[field->type];
        if (!is_chosen(type, field->name, tag) || (field->class == C_RESERVED && !is_bad(v)) ||
            (k && chance(v, 200)))
            continue;
        struct field what = *field;
        if (strcmp(type->spelling, "dim3") == 0) what.class = class == C_BLOCK ? C_BLOCK : C_DIM;
        snprintf(path, sizeof path, "%s.%s%s", place, field->name, field->count > 1 ? "[0]" : "");
        fill(v, &what, at + field->offset, path, inner, runtime, level + 1);
        if (v->print && inside->kind != T_RECORD)
            fprintf(v->print, "    %s = (%s)(%s);\n", path, inside->spelling, inner);
        if (tagged && k == 0) tag = *(int *)(void *)(at + field->offset);
    }
}

/* A value of a type at a place in memory, its text in expression. Fields of records are printed as they are
 * made. */
static void fill(struct values *v, const struct field *what, void *at, const char *place, char *expression,
                 bool runtime, unsigned level)
{
    const struct type *type = &api_types[what->type];
    uint64_t value = 0;
    double real;
    snprintf(expression, EXPRESSION, "%s", place);
    switch (type->kind) {
    case T_INT:
        value = number(v, what->class);
        snprintf(expression, EXPRESSION, "0x%" PRIx64, value);
        break;
    case T_ENUM:
        value = number_enum(v, type);
        snprintf(expression, EXPRESSION, "%d", (int)value);
        break;
    case T_FLOAT:
        real = number_real(v);
        if (type->size == 4)
            memcpy(&value, &(float){(float)real}, 4);
        else
            memcpy(&value, &real, 8);
        snprintf(expression, EXPRESSION, "%g", real);
        break;
    case T_HANDLE: value = handle_value(v, type->handle, expression); break;
    case T_POINTER: value = (uintptr_t)pointer_value(v, what, expression, runtime, level); break;
    case T_VOID: value = (uintptr_t)void_value(v, what->class, runtime, level > 0, expression); break;
    case T_VOIDS: value = (uintptr_t)voids_value(v, what->class, expression); break;
    case T_TEXT: value = (uintptr_t)text_value(v, what->class, type->constant, expression); break;
    case T_CALLBACK:
        value = is_bad(v) ? 0 : (uintptr_t)callback;
        snprintf(expression, EXPRESSION, "%s", value ? "(void *)callback" : "NULL");
        break;
    case T_KEPT: memcpy(at, kept[type->handle][api_below(&v->state, SLOTS)], type->size); return;
    case T_RECORD: record_fill(v, type, what->class, at, place, runtime, level); return;
    }
    put(at, type->size, value);
}

void api_values_make(struct values *v, const struct function *function, void **arguments,
                     char (*expressions)[EXPRESSION])
{
    for (unsigned i = 0; i < function->count; i++) {
        const struct field *what = &function->parameters[i];
        const struct type *type = &api_types[what->type];
        char name[16] = "";
        arguments[i] = type->size <= sizeof v->cells[i] ? v->cells[i] : scratch_take(type->size);
        if (type->kind == T_RECORD || type->kind == T_KEPT) declare(v, type->spelling, 0, name);
        fill(v, what, arguments[i], name, expressions[i], function->library >= 1, 0);
    }
    if (strncmp(function->name, "nccl", 4) == 0) v->waits = true; /* for ranks that nobody makes */
    if (strstr(function->name, "WaitValue") || strstr(function->name, "BatchMemOp")) v->waits = true;
}

void api_values_keep(struct values *v, const struct function *function, void **arguments)
{
    int *file = NULL;
    if (function->count) memcpy(&file, arguments[0], sizeof file);
    if (strstr(function->name, "ExportToShareableHandle") && file) files[api_below(&v->state, SLOTS)] = *file;
    for (unsigned i = 0; i < v->output_count; i++) {
        const struct output *output = &v->outputs[i];
        for (unsigned k = 0; k < ELEMENTS; k++) {
            if (output->at[k] == output->before[k]) continue;
            unsigned slot = (output->slot + k) % SLOTS;
            slots[output->handle][slot] = output->at[k];
            if (v->print)
                fprintf(v->print, "    %s[%u] = %s[%u];\n", api_handle_names[output->handle], slot,
                        output->name, k);
        }
    }
}

void api_values_declare(FILE *print)
{
    fprintf(print, "static char host[%zu];\nstatic char kept[%u][%u][%u];\n", HOST_BYTES, api_handle_count,
            SLOTS, KEPT_BYTES);
    for (unsigned i = 0; i < api_handle_count; i++)
        if (!strchr(api_handle_names[i], ' '))
            fprintf(print, "static void *%s[%u];\n", api_handle_names[i], SLOTS);
}
