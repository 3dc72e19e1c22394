/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memcheck agrees with an oracle on random accesses: which lanes are wrong, where, of which space
 * and variable. Method: random kernels, each with ACCESSES accesses that differ in space, address (a
 * constant, the same in all lanes, affine, any), width, vector, guard and operation; each access is launched
 * alone with several offsets, so that it lies inside, across an end, or outside. The oracle knows where the
 * test put everything, and computes lanes by itself. usage: random_bounds KERNELS [SEED] [ISA] */
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ACCESSES = 8, LAUNCHES = 5, VARS = 2, BUFFERS = 3, FINDINGS_MOST = 128, ALIGN = 16, LANDING = 16 };

static uint64_t rng_state;

static uint64_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state;
}

static int64_t below(int64_t n)
{
    return (int64_t)(rng() % (uint64_t)n);
}

static int64_t between(int64_t low, int64_t high)
{
    return low + below(high - low + 1);
}

/* ---- a kernel */

enum target {
    BUFFER,
    GLOBAL_VAR,
    CONST_VAR,
    PARAM_VAR,
    SHARED_VAR,
    DYNAMIC,
    SHARED_ANY,
    LOCAL_VAR,
    LOCAL_ANY,
    TARGETS
};
enum form { CONSTANT, SCALAR, AFFINE, WIDENED, VECTOR, FORMS };
enum operation { LOAD, STORE, ATOMIC, REDUCE, COPY, OPERATIONS };
enum guard { ALWAYS, FEW, EVEN, ONE, GUARDS };

struct access {
    enum target target;
    enum form form;
    enum operation operation;
    enum guard guard;
    bool generic, narrow, jumps; /* narrow: a register of 32 bits; jumps: its guard is a branch */
    uint32_t var, width, count, line;
    int64_t stride, of_block, constant, few;
};

struct kernel {
    struct access access[ACCESSES];
    uint64_t buffer_bytes[BUFFERS], global_bytes[VARS], const_bytes[VARS], shared_bytes[VARS],
        local_bytes[VARS], param_bytes, dynamic_bytes;
    uint32_t threads, blocks;
};

static const char *const variables[TARGETS] = {
    [GLOBAL_VAR] = "g", [CONST_VAR] = "c", [SHARED_VAR] = "s", [LOCAL_VAR] = "l"};

static bool is_shared(enum target target)
{
    return target == SHARED_VAR || target == DYNAMIC || target == SHARED_ANY;
}

static bool is_local(enum target target)
{
    return target == LOCAL_VAR || target == LOCAL_ANY;
}

static bool can_write(enum target target)
{
    return target != CONST_VAR && target != PARAM_VAR;
}

static bool fits(const struct access *a)
{
    bool atomic = a->operation == ATOMIC || a->operation == REDUCE;
    if (a->operation != LOAD && !can_write(a->target)) return false;
    if (atomic && (is_local(a->target) || a->count != 1 || a->width < 4)) return false;
    if (a->operation == COPY &&
        (!(is_shared(a->target) || a->target == BUFFER) || a->width * a->count < 4 || a->generic))
        return false;
    if (a->form == CONSTANT && (a->target == BUFFER || a->target == SHARED_ANY || a->target == LOCAL_ANY ||
                                a->generic || a->target == PARAM_VAR))
        return false;
    if (a->generic && a->target == PARAM_VAR) return false;
    if (a->narrow && (a->generic || !(is_shared(a->target) || is_local(a->target)))) return false;
    return a->width * a->count <= 16;
}

static struct access make_access(void)
{
    struct access a;
    do
        a = (struct access){.target = (enum target)below(TARGETS),
                            .form = (enum form)below(FORMS),
                            .operation = (enum operation)below(OPERATIONS),
                            .guard = (enum guard)below(GUARDS),
                            .generic = below(3) == 0,
                            .narrow = below(2),
                            .jumps = below(2),
                            .var = (uint32_t)below(VARS),
                            .width = 1u << below(4),
                            .count = 1u << below(3)};
    while (!fits(&a));
    int64_t size = a.width * a.count;
    a.stride = below(3) ? size : below(12) ? size * between(-3, 3) : between(1, 9);
    if (a.target == PARAM_VAR) a.stride = size * between(-3, 3);
    a.of_block = below(2) ? 0 : size * below(8);
    a.few = between(1, 70);
    return a;
}

static void make_kernel(struct kernel *k)
{
    for (int i = 0; i < BUFFERS; i++)
        k->buffer_bytes[i] = (uint64_t)between(1, 3000);
    for (int i = 0; i < VARS; i++) {
        k->global_bytes[i] = (uint64_t)between(1, 1500);
        k->const_bytes[i] = (uint64_t)between(1, 700);
        k->shared_bytes[i] = (uint64_t)between(1, 1500);
        k->local_bytes[i] = (uint64_t)between(1, 200);
    }
    k->param_bytes = (uint64_t)between(1, 300);
    k->dynamic_bytes = below(2) ? 0 : (uint64_t)between(1, 900);
    k->threads = (uint32_t)(below(2) ? 32 * between(1, 3) : between(1, 96));
    k->blocks = (uint32_t)between(1, 3);
    for (int i = 0; i < ACCESSES; i++)
        k->access[i] = make_access();
}

/* Behind the variables stands what cp.async writes to where it is its source that is looked at. */
static uint64_t static_end(const struct kernel *k)
{
    return sw_align_up(sw_align_up(k->shared_bytes[0], ALIGN) + k->shared_bytes[1], ALIGN) + LANDING;
}

static uint64_t bytes_of(const struct kernel *k, const struct access *a)
{
    switch ((int)a->target) {
    case BUFFER: return k->buffer_bytes[a->var];
    case GLOBAL_VAR: return k->global_bytes[a->var];
    case CONST_VAR: return k->const_bytes[a->var];
    case PARAM_VAR: return k->param_bytes;
    case SHARED_VAR: return k->shared_bytes[a->var];
    case DYNAMIC: return k->dynamic_bytes;
    case LOCAL_VAR: return k->local_bytes[a->var];
    case LOCAL_ANY: return sw_align_up(k->local_bytes[0], ALIGN) + k->local_bytes[1];
    default: break;
    }
    return static_end(k) + k->dynamic_bytes;
}

/* Where the variable begins in shared or local memory. */
static uint64_t place_of(const struct kernel *k, const struct access *a)
{
    uint64_t first = is_local(a->target) ? k->local_bytes[0] : k->shared_bytes[0];
    if (a->target == DYNAMIC) return static_end(k);
    bool second = (a->target == SHARED_VAR || a->target == LOCAL_VAR) && a->var == 1;
    return second ? sw_align_up(first, ALIGN) : 0;
}

/* ---- its text */

static void add_base(struct str *t, const struct access *a)
{
    const char *space = is_local(a->target) ? "local" : "shared";
    switch ((int)a->target) {
    case BUFFER: str_printf(t, "ld.param.u64 %%base, [buffer%u];", a->var); break;
    case PARAM_VAR: str_add(t, "mov.b64 %base, values;"); break;
    case DYNAMIC: str_add(t, "mov.u64 %base, dynamic;"); break;
    case SHARED_ANY:
    case LOCAL_ANY: str_add(t, "ld.param.u64 %base, [zero];"); break;
    default: str_printf(t, "mov.u64 %%base, %s%u;", variables[a->target], a->var);
    }
    if (a->generic && (is_shared(a->target) || is_local(a->target)))
        str_printf(t, " cvta.%s.u64 %%base, %%base;", space);
    str_add_char(t, '\n');
}

/* %term = what a lane adds to the launch's offset */
static void add_term(struct str *t, const struct access *a)
{
    str_printf(t, "mul.wide.s32 %%term, %%block, %" PRId64 ";\n", a->of_block);
    switch ((int)a->form) {
    case AFFINE:
        str_printf(t, "mul.wide.s32 %%more, %%lane, %" PRId64 "; add.s64 %%term, %%term, %%more;\n",
                   a->stride);
        break;
    case WIDENED:
        str_printf(t,
                   "mul.lo.s32 %%narrow, %%lane, %" PRId64
                   "; cvt.s64.s32 %%more, %%narrow; add.s64 %%term, %%term, %%more;\n",
                   a->stride);
        break;
    case VECTOR:
        str_printf(t,
                   "mul.lo.s32 %%narrow, %%lane, %%lane; and.b32 %%narrow, %%narrow, 63; mul.wide.s32 "
                   "%%more, %%narrow, %" PRId64 "; add.s64 %%term, %%term, %%more;\n",
                   a->stride);
        break;
    default: break;
    }
}

static void add_guard(struct str *t, const struct access *a, uint32_t number)
{
    switch ((int)a->guard) {
    case FEW: str_printf(t, "setp.lt.s32 %%guard, %%lane, %" PRId64 ";\n", a->few); break;
    case EVEN: str_add(t, "and.b32 %narrow, %lane, 1; setp.eq.s32 %guard, %narrow, 0;\n"); break;
    case ONE: str_printf(t, "setp.eq.s32 %%guard, %%lane, %" PRId64 ";\n", a->few); break;
    default: return;
    }
    if (a->jumps) str_printf(t, "@!%%guard bra NEXT%u;\n", number);
}

static const char *space_name(const struct access *a)
{
    static const char *const names[TARGETS] = {".global", ".global", ".const", ".param", ".shared",
                                               ".shared", ".shared", ".local", ".local"};
    return a->generic ? "" : names[a->target];
}

static void add_place(struct str *t, const struct access *a)
{
    if (a->form == CONSTANT && a->target == DYNAMIC)
        str_printf(t, "[dynamic+%" PRId64 "]", a->constant);
    else if (a->form == CONSTANT)
        str_printf(t, "[%s%u+%" PRId64 "]", variables[a->target], a->var, a->constant);
    else
        str_printf(t, "[%s+%" PRId64 "]", a->narrow ? "%short" : "%place", a->constant);
}

static void add_elements(struct str *t, const struct access *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        str_printf(t, "%s%%%c%u%s",
                   i              ? ","
                   : a->count > 1 ? "{"
                                  : "",
                   a->width == 1   ? 'h'
                   : a->width == 2 ? 'h'
                   : a->width == 4 ? 'w'
                                   : 'd',
                   i, i + 1 == a->count && a->count > 1 ? "}" : "");
}

static void add_operation(struct str *t, const struct access *a)
{
    static const char *const vectors[] = {"", "", ".v2", "", ".v4"};
    const char *space = space_name(a);
    uint32_t bits = a->width * 8;
    if (a->guard != ALWAYS && !a->jumps) str_add(t, "@%guard ");
    switch ((int)a->operation) {
    case LOAD:
        str_printf(t, "ld%s%s.b%u ", space, vectors[a->count], bits);
        add_elements(t, a);
        str_add(t, ", ");
        add_place(t, a);
        break;
    case STORE:
        str_printf(t, "st%s%s.b%u ", space, vectors[a->count], bits);
        add_place(t, a);
        str_add(t, ", ");
        add_elements(t, a);
        break;
    case ATOMIC:
    case REDUCE:
        str_printf(t, "%s%s.add.u%u ", a->operation == ATOMIC ? "atom" : "red", space, bits);
        if (a->operation == ATOMIC) str_printf(t, "%%%c1, ", bits == 32 ? 'w' : 'd');
        add_place(t, a);
        str_printf(t, ", %%%c0", bits == 32 ? 'w' : 'd');
        break;
    default:
        str_printf(t, "cp.async.%s.shared.global ", a->width * a->count == 16 && a->var ? "cg" : "ca");
        if (a->target != BUFFER)
            add_place(t, a);
        else
            str_add(t, "[landing]");
        str_add(t, ", ");
        if (a->target == BUFFER)
            add_place(t, a);
        else
            str_add(t, "[%out]");
        str_printf(t, ", %u", a->width * a->count);
    }
    str_add(t, ";\n");
}

static uint32_t line_count(const struct str *t)
{
    uint32_t lines = 1;
    for (const char *c = str_text(t); *c; c++)
        lines += *c == '\n';
    return lines;
}

/* Registers of the address are this access's own, as compilers make them: from which variable an address
 * comes is not known where a register has several. */
static void add_numbered(struct str *t, const char *text, uint32_t number)
{
    static const char *const own[] = {"%base", "%place", "%short"};
    for (const char *c = text; *c;) {
        const char *found = NULL;
        for (int i = 0; i < 3; i++)
            if (strncmp(c, own[i], strlen(own[i])) == 0) found = own[i];
        if (found) str_printf(t, "%s%u", found, number);
        if (!found) str_add_char(t, *c);
        c += found ? strlen(found) : 1;
    }
}

static void add_address(struct str *t, const struct access *a)
{
    add_base(t, a);
    add_term(t, a);
    str_add(t,
            "add.s64 %place, %base, %offset; add.s64 %place, %place, %term; cvt.u32.u64 %short, %place;\n");
}

static void add_access(struct str *all, struct access *a, uint32_t number)
{
    struct str text = {0}, *t = &text;
    str_printf(t, "setp.ne.u32 %%skip, %%which, %u; @%%skip bra NEXT%u;\n", number, number);
    add_address(t, a);
    add_guard(t, a, number);
    a->line = line_count(all) + line_count(t) - 1;
    add_operation(t, a);
    str_printf(t, "NEXT%u:\n", number);
    add_numbered(all, str_text(t), number);
    str_release(t);
}

static void add_variables(struct str *t, const char *space, const char *name, const uint64_t *bytes)
{
    for (int i = 0; i < VARS; i++)
        str_printf(t, ".%s .align 16 .b8 %s%d[%" PRIu64 "];\n", space, name, i, bytes[i]);
}

static void write_kernel(struct kernel *k, struct str *t)
{
    str_add(t, ".version 8.0\n.target sm_80\n.address_size 64\n");
    add_variables(t, "global", "g", k->global_bytes);
    add_variables(t, "const", "c", k->const_bytes);
    add_variables(t, "shared", "s", k->shared_bytes);
    str_printf(t, ".shared .align 16 .b8 landing[%d];\n", LANDING);
    str_add(t, ".extern .shared .align 16 .b8 dynamic[];\n");
    str_add(t, ".visible .entry k(.param .u64 buffer0, .param .u64 buffer1, .param .u64 buffer2, .param .u64 "
               "out, .param .u64 offset, .param .u64 zero,\n"
               ".param .u32 which,");
    str_printf(t, ".param .align 16 .b8 values[%" PRIu64 "]) {\n", k->param_bytes);
    add_variables(t, "local", "l", k->local_bytes);
    str_add(
        t,
        ".reg .pred %skip, %guard; .reg .b16 %h<8>; .reg .b32 %w<8>, %lane, %block, %narrow, %which, "
        "%short<8>; .reg .b64 %d<8>, %base<8>, %term, %more, %place<8>, %offset, %out;\n"
        "ld.param.u64 %out, [out]; ld.param.u64 %offset, [offset]; ld.param.u32 %which, [which]; mov.u32 "
        "%lane, %tid.x; mov.u32 %block, %ctaid.x;\n"
        "mov.u64 %d1, s0; mov.u64 %d2, s1; mov.u64 %d3, l0; mov.u64 %d3, l1; mov.u64 %d4, dynamic; mov.u64 "
        "%d4, landing;\n"
        "mov.b64 %d0, 0; mov.b64 %d1, 0; mov.b64 %d2, 0; mov.b64 %d3, 0; mov.b32 %w0, 0; mov.b32 %w1, 0; "
        "mov.b32 %w2, 0; mov.b32 %w3, 0; mov.b16 %h0, 0; mov.b16 %h1, 0; mov.b16 %h2, 0; mov.b16 %h3, 0;\n");
    for (uint32_t i = 0; i < ACCESSES; i++)
        add_access(t, &k->access[i], i);
    str_add(t, "ret; }\n");
}

/* ---- what is found */

static struct event_finding found[FINDINGS_MOST];
static uint32_t found_count;

static void take_finding(const struct event_finding *finding)
{
    if (found_count < FINDINGS_MOST) found[found_count] = *finding;
    found_count++;
}

static uint64_t count_units(const struct event_rules *rules, const uint64_t address[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    (void)rules, (void)address, (void)mask, (void)bytes, (void)kind;
    return 0;
}
static uint64_t count_lanes(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes)
{
    return count_units(rules, offset, mask, bytes, 0);
}
static const struct event_tool tool = {
    .probes = EVENT_PROBE_BOUNDS,
    .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},
    .count = {.global = count_units, .local = count_lanes, .shared = count_units, .constant = count_lanes}};

/* ---- a world in which kernels run */

struct world {
    struct vmem *vmem;
    struct engine *engine;
    struct ptx_module *ptx;
    struct engine_module *module;
    struct engine_kernel *kernel;
    dev_addr buffers[BUFFERS], out, symbols[16];
};

static int die(const char *what, const struct sw_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 2;
}

static dev_addr allocate(struct world *w, uint64_t bytes)
{
    dev_addr at;
    if (vmem_alloc(w->vmem, bytes, VMEM_DEVICE, 0, 0, 0, &at) != SW_OK) abort();
    return at;
}

static int open_kernel(struct world *w, const struct kernel *k, const char *text)
{
    struct sw_error error = {0};
    if (ptx_parse(text, strlen(text), "random", &w->ptx, &error) != SW_OK) return die("ptx", &error);
    for (uint32_t i = 0; i < w->ptx->var_count; i++) {
        const struct ptx_var *var = w->ptx->vars[i];
        bool memory = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
        w->symbols[i] = memory ? allocate(w, var->bytes) : 0;
    }
    for (int i = 0; i < BUFFERS; i++)
        w->buffers[i] = allocate(w, k->buffer_bytes[i]);
    if (engine_module_new(w->engine, w->ptx, w->symbols, &w->module, &error) != SW_OK)
        return die("module", &error);
    if (engine_kernel_get(w->module, "k", &w->kernel, &error) != SW_OK) return die("kernel", &error);
    return 0;
}

static void close_kernel(struct world *w)
{
    engine_module_free(w->module);
    for (uint32_t i = 0; i < w->ptx->var_count; i++)
        if (w->symbols[i]) (void)vmem_release(w->vmem, w->symbols[i]);
    for (int i = 0; i < BUFFERS; i++)
        (void)vmem_release(w->vmem, w->buffers[i]);
    ptx_module_free(w->ptx);
}

struct params {
    uint64_t buffers[BUFFERS], out, offset, zero;
    uint32_t which;
    _Alignas(16) uint8_t values[512];
};

static enum sw_status run_kernel(const struct world *w, const struct kernel *k, uint32_t which,
                                 int64_t offset, struct sw_error *error)
{
    struct params params = {.out = w->out, .offset = (uint64_t)offset, .which = which};
    memcpy(params.buffers, w->buffers, sizeof params.buffers);
    struct engine_launch launch = {.kernel = w->kernel,
                                   .grid = {k->blocks, 1, 1},
                                   .block = {k->threads, 1, 1},
                                   .params = &params,
                                   .dynamic_shared_bytes = (uint32_t)k->dynamic_bytes};
    found_count = 0;
    return engine_launch(w->engine, &launch, error);
}

/* ---- the oracle */

static bool takes_part(const struct access *a, uint32_t thread)
{
    switch ((int)a->guard) {
    case FEW: return thread < a->few;
    case EVEN: return thread % 2 == 0;
    case ONE: return thread == a->few;
    default: return true;
    }
}

/* Bytes from the begin of the target on. */
static int64_t offset_of(const struct access *a, uint32_t block, uint32_t thread, int64_t offset)
{
    int64_t at = a->constant;
    if (a->form == CONSTANT) return at;
    at += offset + a->of_block * block;
    if (a->form == AFFINE || a->form == WIDENED) at += a->stride * thread;
    if (a->form == VECTOR) at += a->stride * (thread * thread & 63);
    return at;
}

static uint64_t base_of(const struct world *w, const struct access *a)
{
    if (a->target == BUFFER) return w->buffers[a->var];
    for (uint32_t i = 0; i < w->ptx->var_count; i++) {
        char name[8];
        snprintf(name, sizeof name, "%s%u", variables[a->target] ? variables[a->target] : "?", a->var);
        if (strcmp(w->ptx->vars[i]->name, name) == 0) return w->symbols[i];
    }
    return 0;
}

static bool in_range(int64_t at, uint64_t size, uint64_t bytes)
{
    return at >= 0 && (uint64_t)at + size <= bytes;
}

/* A pointer may lead to any allocation. */
static bool is_valid(const struct world *w, const struct kernel *k, const struct access *a, int64_t at)
{
    struct vmem_block block;
    uint64_t size = a->width * a->count;
    if (a->target != BUFFER) {
        bool rounded = a->generic && a->target == LOCAL_ANY; /* the lane's frame is a multiple of 16 bytes */
        return in_range(at, size, rounded ? sw_align_up(bytes_of(k, a), ALIGN) : bytes_of(k, a));
    }
    uint64_t address = w->buffers[a->var] + (uint64_t)at;
    return vmem_find(w->vmem, address, &block) && address - block.base + size <= block.bytes;
}

/* What lies beyond a space is not the test's: an address there may be anything's. */
static bool is_known(const struct kernel *k, const struct access *a, int64_t at)
{
    if (!a->generic || (a->target != SHARED_ANY && a->target != LOCAL_ANY)) return true;
    if (a->target == SHARED_ANY) return at >= 0 && (uint64_t)at < bytes_of(k, a) + 512;
    return in_range(at, 16, bytes_of(k, a));
}

static bool check_one(const struct world *w, const struct kernel *k, const struct access *a,
                      const struct event_finding *f, int64_t at, bool misaligned)
{
    uint64_t size = a->width * a->count;
    enum isa_space space = is_shared(a->target)                    ? ISA_SPACE_SHARED
                           : is_local(a->target)                   ? ISA_SPACE_LOCAL
                           : a->target == PARAM_VAR                ? ISA_SPACE_PARAM
                           : a->target == CONST_VAR && !misaligned ? ISA_SPACE_CONST
                                                                   : ISA_SPACE_GLOBAL;
    bool own = is_shared(a->target) || is_local(a->target);
    bool writes = a->operation != LOAD && !(a->operation == COPY && a->target == BUFFER);
    uint64_t address = own ? (uint64_t)at + place_of(k, a) : base_of(w, a) + (uint64_t)at;
    if (f->place.line != a->line || f->place.bytes != size) return false;
    if (f->kind != (misaligned ? EVENT_FINDING_MISALIGNED : EVENT_FINDING_BOUNDS)) return false;
    if (misaligned) return true;
    if (f->place.writes != writes || f->space != space) return false;
    return a->target == PARAM_VAR || f->address == address;
}

struct expectation {
    const struct world *world;
    const struct kernel *kernel;
    const struct access *access;
    int64_t offset;
    uint32_t count; /* findings so far */
    bool known;
};

/* The lanes of a warp that are wrong; 0: none is. */
static uint32_t expect_warp(struct expectation *e, uint32_t block, uint32_t warp, bool misaligned, char *why,
                            size_t capacity)
{
    uint32_t wrong = 0;
    const struct kernel *k = e->kernel;
    int64_t size = e->access->width * e->access->count;
    for (uint32_t t = warp * SW_WARP_LANES; t < (warp + 1) * SW_WARP_LANES && t < k->threads; t++) {
        if (!takes_part(e->access, t)) continue;
        int64_t at = offset_of(e->access, block, t, e->offset);
        e->known &= is_known(k, e->access, at);
        bool is_wrong = misaligned ? (at % size) != 0 : !is_valid(e->world, k, e->access, at);
        if (!is_wrong) continue;
        const struct event_finding *f = &found[e->count + wrong++];
        bool there = e->count + wrong <= found_count && f->place.block[0] == block &&
                     f->place.thread[0] == t && check_one(e->world, k, e->access, f, at, misaligned);
        if (!there && !*why)
            snprintf(why, capacity, "block %u, thread %u at %" PRId64 " is %s", block, t, at,
                     misaligned ? "misaligned" : "outside");
    }
    return wrong;
}

static void expect_block(struct expectation *e, uint32_t block, char *why, size_t capacity)
{
    for (uint32_t warp = 0; warp * SW_WARP_LANES < e->kernel->threads; warp++) {
        uint32_t wrong =
            e->access->target == PARAM_VAR ? 0 : expect_warp(e, block, warp, true, why, capacity);
        if (!wrong) wrong = expect_warp(e, block, warp, false, why, capacity);
        e->count += wrong;
        if (wrong) return; /* the block ends */
    }
}

/* ---- one launch */

static int compare(const struct world *w, const struct kernel *k, uint32_t which, int64_t offset,
                   uint64_t *wrong)
{
    struct sw_error error = {0};
    char why[160] = "";
    struct expectation e = {w, k, &k->access[which], offset, 0, true};
    for (uint32_t block = 0; block < k->blocks; block++) /* before the launch: is it known where all goes? */
        for (uint32_t t = 0; t < k->threads; t++)
            if (takes_part(e.access, t))
                e.known &= is_known(k, e.access, offset_of(e.access, block, t, offset));
    if (!e.known) return 0;
    enum sw_status status = run_kernel(w, k, which, offset, &error);
    for (uint32_t block = 0; block < k->blocks; block++)
        expect_block(&e, block, why, sizeof why);
    if (e.count != found_count && !*why)
        snprintf(why, sizeof why, "%u findings, %u expected", found_count, e.count);
    if ((status == SW_OK) != (e.count == 0) && !*why)
        snprintf(why, sizeof why, "status %d, %u findings expected", (int)status, e.count);
    *wrong += e.count != 0;
    if (status != SW_OK && status != SW_ILLEGAL_ADDRESS && status != SW_MISALIGNED_ADDRESS)
        snprintf(why, sizeof why, "%.150s", error.message);
    if (!*why) return 0;
    fprintf(stderr,
            "access %u at line %u, offset %" PRId64 ", %u blocks of %u threads, %" PRIu64
            " dynamic bytes: %s\n",
            which, e.access->line, offset, k->blocks, k->threads, k->dynamic_bytes, why);
    for (uint32_t i = 0; i < found_count && i < 4; i++)
        fprintf(stderr,
                "  found: kind %d line %u block %u thread %u space %d address 0x%" PRIx64 " of 0x%" PRIx64
                "+%" PRIu64 " %s\n",
                (int)found[i].kind, found[i].place.line, found[i].place.block[0], found[i].place.thread[0],
                (int)found[i].space, found[i].address, found[i].base, found[i].size,
                found[i].variable ? found[i].variable : "");
    return 1;
}

/* Mostly so that an end of the target is near. */
static int64_t choose_offset(const struct kernel *k, const struct access *a)
{
    int64_t size = a->width * a->count, bytes = (int64_t)bytes_of(k, a), at;
    int64_t span = a->form == AFFINE || a->form == WIDENED ? a->stride * (k->threads - 1) : 63 * a->stride;
    switch (below(4)) {
    case 0: at = below(4) * size; break;
    case 1: at = bytes - span - size * between(0, 2); break;
    case 2: at = between(-2, 2) * size - (span < 0 ? span : 0); break;
    default: at = between(-40, bytes + 40);
    }
    bool aligned = below(8) != 0 || a->target == PARAM_VAR;
    return aligned ? at - ((at % size) + size) % size : at;
}

static int try_kernel(struct world *w, uint64_t *launches, uint64_t *wrong)
{
    struct kernel k;
    struct str text = {0};
    make_kernel(&k);
    for (int i = 0; i < ACCESSES; i++) {
        struct access *a = &k.access[i];
        int64_t size = a->width * a->count;
        a->constant = a->form == CONSTANT ? choose_offset(&k, a) : below(2) ? 0 : size * between(-4, 4);
    }
    write_kernel(&k, &text);
    int failed = open_kernel(w, &k, str_text(&text));
    for (uint32_t i = 0; i < ACCESSES * LAUNCHES && !failed; i++, ++*launches)
        failed = compare(w, &k, i % ACCESSES, choose_offset(&k, &k.access[i % ACCESSES]), wrong);
    if (failed) fprintf(stderr, "%s\n", str_text(&text));
    close_kernel(w);
    str_release(&text);
    return failed;
}

int main(int argc, char **argv)
{
    uint64_t kernels = argc > 1 ? strtoull(argv[1], NULL, 10) : 100, launches = 0, wrong = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct world w = {0};
    struct sw_error error = {0};
    if (vmem_new(&w.vmem, &error) != SW_OK) return die("memory", &error);
    struct engine_config config = {.threads = 2,
                                   .isa = argc > 3 ? atoi(argv[3]) : -1,
                                   .vmem = w.vmem,
                                   .tool = &tool,
                                   .library_dir = SW_BUILD_DIR "/lib",
                                   .finding = take_finding};
    if (engine_new(&config, &w.engine, &error) != SW_OK) return die("engine", &error);
    w.out = allocate(&w, 4096);
    for (uint64_t i = 0; i < kernels; i++) {
        rng_state = (seed + i) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        if (try_kernel(&w, &launches, &wrong) == 0) continue;
        fprintf(stderr, "seed %" PRIu64 "\n", seed + i);
        return 1;
    }
    printf("%" PRIu64 " kernels, %" PRIu64 " launches, %" PRIu64 " of them wrong\n", kernels, launches,
           wrong);
    engine_free(w.engine);
    vmem_free_all(w.vmem);
    return wrong * 4 > launches ? 0 : 1; /* or little was looked at */
}
