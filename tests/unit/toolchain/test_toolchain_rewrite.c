/* SPDX-License-Identifier: Apache-2.0 */
/* What `softwarp cc` changes in a source on its way to clang. */
#include "toolchain_rewrite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LAUNCH "::softwarp::device_launch<("

static void check(const char *text, bool launches, const char *expected)
{
    struct arena arena;
    struct toolchain_rewritten out = {0};
    arena_init(&arena);
    bool changed = toolchain_rewrite_text(&arena, text, strlen(text), launches, &out);
    assert_string_equal(changed ? str_text(&out.text) : text, expected);
    assert_int_equal(changed, strcmp(text, expected) != 0);
    str_release(&out.text);
    vec_release(&out.includes);
    arena_release(&arena);
}

static void alignas_behind_words_of_cuda(void **state)
{
    (void)state;
    check("__shared__ alignas(16) float a[4];", false, "__shared__ _Alignas(16) float a[4];");
    check("extern __shared__ alignas(T) char s[];", false, "extern __shared__ _Alignas(T) char s[];");
    check("__device__ static const\n alignas(8) int x;", false,
          "__device__ static const\n _Alignas(8) int x;");
    static const char *const same[] = {
        "alignas(16) __shared__ float a[4];",  "struct alignas(16) S {};",
        "static alignas(16) int a;",           "// __shared__ alignas(16)\n/* __shared__ alignas(16) */",
        "\"__shared__ alignas(16)\"",          "R\"x(__shared__ alignas(16))\" )x\"",
        "__shared__ int a; alignas(16) int b;"};
    for (size_t i = 0; i < SW_COUNT_OF(same); i++)
        check(same[i], false, same[i]);
}

static void launches_in_device_code(void **state)
{
    (void)state;
    check("__global__ void p() { k<<<1, 2>>>(x); }", true, "__global__ void p() { " LAUNCH "k)>(1, 2)(x); }");
    check("__device__ void p() { if (a) { n::k<int, 3>\n<<<g(1, 2), b, 0, s>>>(x); } }", true,
          "__device__ void p() { if (a) { " LAUNCH "n::k<int, 3>\n)>(g(1, 2), b, 0, s)(x); } }");
    check("struct s { __device__ void p() { ::k<<<1, 2>>>(); } };", true,
          "struct s { __device__ void p() { " LAUNCH "::k)>(1, 2)(); } };");
    check("auto f = [] __device__ (int i) { return s::k<<<1, 2>>>(i); };", true,
          "auto f = [] __device__ (int i) { return " LAUNCH "s::k)>(1, 2)(i); };");
    check("#if A\n__global__ void p(int i) {\n#else\n__global__ void p() {\n#endif\nk<<<1, 2>>>(); }\n"
          "void h() { k<<<1, 2>>>(); }",
          true,
          "#if A\n__global__ void p(int i) {\n#else\n__global__ void p() {\n#endif\n" LAUNCH
          "k)>(1, 2)(); }\nvoid h() { k<<<1, 2>>>(); }");
    check("__global__ void p() { } __global__ void q(); void h() { q<<<1, 2>>>(); }", true,
          "__global__ void p() { } __global__ void q(); void h() { q<<<1, 2>>>(); }");
    static const char *const same[] = {
        "void h() { k<<<1, 2>>>(x); }",
        "__host__ __device__ void p() { k<<<1, 2>>>(x); }",
        "#define L k<<<1, 2>>>() \\\n k<<<3, 4>>>()\nvoid h() { L; }",
        "__global__ void p() { a << b; \"k<<<1, 2>>>()\"; char c = '\"'; /* k<<<1, 2>>>() */ }",
        "__global__ void p() { int i = 1'000; } void h() { k<<<1'000, 2>>>(x); }",
        "__global__ void p() { table[0]<<<1, 2>>>(x); }"};
    for (size_t i = 0; i < SW_COUNT_OF(same); i++)
        check(same[i], true, same[i]);
    check("__global__ void p() { k<<<1, 2>>>(x); }", false, "__global__ void p() { k<<<1, 2>>>(x); }");
}

static void blanks_in_launches(void **state)
{
    (void)state;
    check("void h() { k << <1, 2 >> > (0, 1 << 2); }", false, "void h() { k <<<1, 2 >>> (0, 1 << 2); }");
    check("void h() { t<3><< < g(1 >> 2), 2>> >(x); }", true, "void h() { t<3><<< g(1 >> 2), 2>>>(x); }");
    check("void h() { k<<<1, 2> > >(x); }", false, "void h() { k<<<1, 2>>>(x); }");
    check("__global__ void p() { k << <1, 2 >> >(x); }", true,
          "__global__ void p() { " LAUNCH "k )>(1, 2 )(x); }");
    static const char *const same[] = {"void h() { a << b; c<d<e>> f; g < h; }",
                                       "vector<vector<vector<int> > > v;", "int i = a << 1 > 2;"};
    for (size_t i = 0; i < SW_COUNT_OF(same); i++)
        check(same[i], true, same[i]);
}

static void included_names(void **state)
{
    (void)state;
    struct arena arena;
    struct toolchain_rewritten out = {0};
    static const char text[] =
        "#include \"a.cuh\"\n  #  include \"b/c.h\" // x\n#include <d.h>\n// #include \"e.h\"\n";
    arena_init(&arena);
    assert_false(toolchain_rewrite_text(&arena, text, sizeof text - 1, true, &out));
    assert_int_equal(out.includes.count, 2);
    assert_string_equal(out.includes.at[0], "a.cuh");
    assert_string_equal(out.includes.at[1], "b/c.h");
    vec_release(&out.includes);
    arena_release(&arena);
}

/* Text that ends anywhere. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] =
        "#if A \\\n x\n#include \"a.h\"\n__global__ void p() { k<a>::b<c><<<f(1), 2>>>(1'0, 'x', "
        "\"y\\\"\", R\"z(w)z\"); /* c */ } // d\n#endif\n__shared__ alignas(8) int i;";
    struct arena arena;
    arena_init(&arena);
    for (size_t length = 0; length < sizeof text; length++) {
        struct toolchain_rewritten out = {0};
        char *copy = malloc(length + 1); /* for the address sanitizer */
        memcpy(copy, text, length);
        toolchain_rewrite_text(&arena, copy, length, true, &out);
        free(copy);
        str_release(&out.text);
        vec_release(&out.includes);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alignas_behind_words_of_cuda),
                                       cmocka_unit_test(launches_in_device_code),
                                       cmocka_unit_test(blanks_in_launches), cmocka_unit_test(included_names),
                                       cmocka_unit_test(cut_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
