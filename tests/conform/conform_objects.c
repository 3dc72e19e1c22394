/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the driver as arguments. The cases of a part share one object of each kind; others are
 * created for one call. Bad objects are null, destroyed, or of another kind; bad memory is an invalid
 * address. Without a driver (the part "not initialised") all objects are null. */
#include "conform.h"

CUcontext conform_context;

const char conform_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .b32 variable[4];\n"
    ".visible .global .attribute(.managed) .align 4 .b32 shared_variable;\n"
    ".visible .entry empty(.param .u32 unused)\n{\n    ret;\n}\n"
    ".visible .entry bounded(.param .u32 unused)\n.maxntid 128, 1, 1\n{\n"
    "    .shared .align 4 .b8 tile[4000]; .reg .b32 %r<3>; mov.u32 %r1, tile; ld.volatile.shared.u32 %r2, "
    "[%r1];\n"
    "    st.volatile.shared.u32 [%r1+4], %r2; ret;\n}\n"
    ".visible .entry several(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[32], .param .u16 d)\n{\n    "
    "ret;\n}\n"
    ".visible .entry illegal_address()\n{\n    .reg .b64 %d<2>; .reg .b32 %r<2>; mov.u64 %d1, 64; mov.u32 "
    "%r1, 1;\n"
    "    st.global.u32 [%d1], %r1; ret;\n}\n"
    ".visible .entry misaligned(.param .u64 at)\n{\n    .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, "
    "[at];\n"
    "    ld.global.u32 %r1, [%d1+2]; st.global.u32 [%d1+6], %r1; ret;\n}\n"
    ".visible .entry traps()\n{\n    trap;\n}\n"
    ".visible .entry waits(.param .u64 at)\n{\n    .reg .b64 %d<2>; .reg .b32 %r<2>; .reg .pred %p<2>;\n"
    "    ld.param.u64 %d1, [at];\nagain:\n    ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again; ret;\n}\n"
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
    "e);\n"
    ".global .align 1 .b8 words[2] = {120, 0};\n"
    ".visible .entry asserts()\n{\n    .reg .b64 %d<3>; .reg .b32 %r<2>; mov.u64 %d1, words; cvta.global.u64 "
    "%d2, %d1;\n"
    "    mov.u32 %r1, 7;\n    {\n    .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param "
    ".b64 p4;\n"
    "    st.param.b64 [p0], %d2; st.param.b64 [p1], %d2; st.param.b32 [p2], %r1; st.param.b64 [p3], %d2;\n"
    "    mov.u64 %d1, 1; st.param.b64 [p4], %d1;\n    call.uni __assertfail, (p0, p1, p2, p3, p4);\n    }\n  "
    "  ret;\n}\n";

void conform_begin(void)
{
    MUST(cuInit(0));
    MUST(cuCtxCreate_v4(&conform_context, NULL, 0, 0));
}

#define HANDLE(object)     ((uint64_t)(uintptr_t)(object))
#define AS(type, bits)     ((type)(uintptr_t)(bits))
#define SHARED(type, kind) AS(type, conform_good(kind))

CUfunction conform_function(const char *name)
{
    CUfunction function;
    MUST(cuModuleGetFunction(&function, SHARED(CUmodule, "module"), name));
    return function;
}

enum { OBJECTS = 64, BLOCK = 64 << 10 };

static const struct object *object_of(const char *kind)
{
    for (size_t i = 0; i < conform_object_count; i++)
        if (strcmp(conform_objects[i].kind, kind) == 0) return &conform_objects[i];
    fprintf(stderr, "no such kind of argument: %s\n", kind);
    abort();
}

uint64_t conform_good(const char *kind)
{
    static uint64_t shared[OBJECTS];
    const struct object *object = object_of(kind);
    if (conform_context == NULL) return 0;
    uint64_t *at = &shared[object - conform_objects];
    if (*at == 0) *at = object->make();
    return *at;
}

static uint64_t ended(const struct object *object)
{
    uint64_t bits = object->make();
    object->end(bits);
    return bits;
}

static bool named(struct value *out, const char *name, uint64_t bits)
{
    snprintf(out->name, sizeof(out->name), "%s", name);
    out->bits = bits;
    return true;
}

static bool bad_handle(const struct object *object, unsigned index, struct value *out)
{
    if (index == 0) return named(out, "null", 0);
    if (index == 1)
        return named(out, "other",
                     strcmp(object->other, "number") == 0 ? 0x1234 : conform_good(object->other));
    if (index == 2 && object->end != NULL) return named(out, "destroyed", ended(object));
    bool stream = strcmp(object->kind, "stream") == 0;
    if (index == 3 && stream) return named(out, "legacy", 1);
    if (index == 4 && stream) return named(out, "per thread", 2);
    if (index != 5 || !stream) return false;
    named(out, "capturing", object_of("capturing")->make());
    out->stream = AS(CUstream, out->bits);
    return true;
}

static bool bad_address(const struct object *object, unsigned index, struct value *out)
{
    static char here[BLOCK];
    uint64_t good = conform_good(object->kind);
    bool pinned = strcmp(object->kind, "pinned") == 0, dev = strcmp(object->kind, "dev") == 0;
    switch (index) {
    case 0: return named(out, "null", 0);
    case 1: return named(out, "odd", good + 1);
    case 2: return named(out, "inside", good + 512);
    case 3: return named(out, "wild", 0x123456789000);
    case 4: return named(out, "host", HANDLE(here));
    case 5: return named(out, "other", object_of(pinned ? "dev" : "pinned")->make());
    case 6: return object->end != NULL && named(out, "freed", ended(object));
    case 7: return dev && named(out, "managed", object_of("managed")->make());
    default: return false;
    }
}

/* Lists of one node. */
static bool nodes(const char *kind, unsigned index, struct value *out)
{
    static uint64_t lists[2][4];
    bool second = kind[5] == '2';
    uint64_t *one = lists[second];
    one[0] = conform_good(second ? "knode" : "enode");
    one[1] = 0;
    if (index == 2) one[2] = ended(object_of("enode"));
    if (index == 0) return named(out, "nodes", HANDLE(&one[0]));
    if (index == 1) return named(out, "null", 0);
    if (index == 2) return named(out, "of destroyed", HANDLE(&one[2]));
    return index == 3 && named(out, "of null", HANDLE(&one[1]));
}

bool conform_object(const struct token *token, unsigned index, struct value *out)
{
    if (conform_context == NULL) return index == 0;
    if (strncmp(token->kind, "nodes", 5) == 0) return nodes(token->kind, index, out);
    const struct object *object = object_of(token->kind);
    if (index == 0) {
        named(out, object->kind, token->fresh ? object->make() : conform_good(token->kind));
        if (strcmp(object->kind, "stream") == 0 || strcmp(object->kind, "capturing") == 0)
            out->stream = AS(CUstream, out->bits);
        return true;
    }
    return object->other != NULL ? bad_handle(object, index - 1, out) : bad_address(object, index - 1, out);
}
