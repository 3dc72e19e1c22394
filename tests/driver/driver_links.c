/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX by cuLink*: symbols that are shared between units, symbols that are local, and errors. */
#include "driver_context.h"

#include <string.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* out[0] = helper(1) + twice(mine) + common_value: 1 * 2 + 7 + 2 * 5 + 100 */
static char first[] =
    HEAD ".file 1 \"first.cu\"\n"
         ".extern .func (.param .b32 r) helper (.param .b32 x);\n"
         ".extern .global .align 4 .u32 common_value;\n"
         ".global .align 4 .u32 mine = 5; // a name that the other unit uses too\n"
         ".weak .func (.param .b32 r) twice (.param .b32 x)\n{\n"
         "    .reg .b32 %r<3>; ld.param.b32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;\n}\n"
         ".visible .entry k(.param .u64 out)\n{\n"
         "    .reg .b32 %r<9>; .reg .b64 %d<3>; .loc 1 3 0\n    ld.param.u64 %d1, [out]; mov.u32 %r1, 1;\n"
         "    {\n    .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
         "    call.uni (b), helper, (a);\n    ld.param.b32 %r2, [b];\n    }\n"
         "    ld.global.u32 %r3, [mine];\n"
         "    {\n    .param .b32 a; .param .b32 b; st.param.b32 [a], %r3;\n"
         "    call.uni (b), twice, (a);\n    ld.param.b32 %r4, [b];\n    }\n"
         "    ld.global.u32 %r5, [common_value]; add.u32 %r6, %r2, %r4; add.u32 %r7, %r6, %r5;\n"
         "    st.global.u32 [%d1], %r7; ret;\n}\n";
static char second[] =
    HEAD ".file 1 \"second.cu\"\n"
         ".weak .func (.param .b32 r) twice (.param .b32 x);\n"
         ".global .align 4 .u32 mine = 7;\n"
         ".visible .global .align 4 .u32 common_value = 100;\n"
         ".visible .func (.param .b32 r) helper (.param .b32 x)\n{\n"
         "    .reg .b32 %r<5>; .loc 1 9 0\n    ld.param.b32 %r1, [x];\n"
         "    {\n    .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
         "    call.uni (b), twice, (a);\n    ld.param.b32 %r2, [b];\n    }\n"
         "    ld.global.u32 %r3, [mine]; add.u32 %r4, %r2, %r3; st.param.b32 [r], %r4; ret;\n}\n"
         ".weak .func (.param .b32 r) twice (.param .b32 x)\n{\n"
         "    .reg .b32 %r<3>; ld.param.b32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;\n}\n";

static CUresult link_two(char *a, char *b, CUmodule *module)
{
    CUlinkState link;
    void *image;
    size_t bytes;
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, a, strlen(a) + 1, "a.ptx", 0, NULL, NULL));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, b, strlen(b), "b.ptx", 0, NULL, NULL)); /* without the NUL */
    CUresult result = cuLinkComplete(link, &image, &bytes);
    if (result == CUDA_SUCCESS) OK(cuModuleLoadData(module, image));
    OK(cuLinkDestroy(link));
    return result;
}

static void run(CUmodule module)
{
    CUfunction function;
    CUdeviceptr out;
    int value = 0;
    void *params[] = {&out};
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuMemAlloc(&out, sizeof value));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&value, out, sizeof value));
    assert_int_equal(value, 1 * 2 + 7 + 2 * 5 + 100);
    OK(cuMemFree(out));
    OK(cuModuleUnload(module));
}

static void order_does_not_matter(void **state)
{
    (void)state;
    CUmodule module;
    OK(link_two(first, second, &module));
    run(module);
    OK(link_two(second, first, &module));
    run(module);
}

static void defined_twice(void **state)
{
    (void)state;
    CUmodule module;
    FAILS(INVALID_PTX, link_two(second, second, &module));
}

static void errors(void **state)
{
    (void)state;
    CUlinkState link;
    void *image;
    size_t bytes;
    static char cubin[] = "\177ELF";
    OK(cuLinkCreate(0, NULL, NULL, &link));
    FAILS(INVALID_IMAGE, cuLinkComplete(link, &image, &bytes));
    FAILS(INVALID_PTX, cuLinkAddData(link, CU_JIT_INPUT_PTX, HEAD ".func", 60, NULL, 0, NULL, NULL));
    FAILS(NOT_SUPPORTED, cuLinkAddData(link, CU_JIT_INPUT_CUBIN, cubin, sizeof cubin, NULL, 0, NULL, NULL));
    FAILS(FILE_NOT_FOUND, cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, NULL, NULL));
    OK(cuLinkDestroy(link));
    FAILS(INVALID_HANDLE, cuLinkDestroy(link));
}

/* Error logs of a link and of a module; the size options return the written sizes. */
static void logs(void **state)
{
    (void)state;
    char info[256] = "x", error[256] = "x", small[8] = "x";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME};
    void *values[] = {info, (void *)sizeof info, error, (void *)sizeof error, NULL};
    CUlinkState link;
    CUmodule module;
    OK(cuLinkCreate(5, options, values, &link));
    assert_string_equal(info, "");
    assert_string_equal(error, "");
    assert_null(values[3]);
    FAILS(INVALID_PTX, cuLinkAddData(link, CU_JIT_INPUT_PTX, HEAD ".func", 60, "mine", 0, NULL, NULL));
    assert_non_null(strstr(error, "mine"));
    assert_int_equal((uintptr_t)values[3], strlen(error));
    OK(cuLinkDestroy(link));
    values[1] = (void *)sizeof info;
    values[2] = small;
    values[3] = (void *)sizeof small;
    FAILS(INVALID_PTX, cuModuleLoadDataEx(&module, HEAD ".func", 5, options, values));
    assert_int_equal(strlen(small), sizeof small - 1); /* cut */
    assert_int_equal((uintptr_t)values[3], sizeof small - 1);
    float ms;
    memcpy(&ms, &values[4], sizeof ms);
    assert_true(ms > 0 && ms < 60000);
    values[3] = (void *)sizeof small;
    OK(cuModuleLoadDataEx(&module, HEAD ".visible .entry k()\n{\n    ret;\n}\n", 5, options, values));
    assert_string_equal(small, "");
    OK(cuModuleUnload(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(defined_twice),
        cmocka_unit_test(errors),
        cmocka_unit_test(logs),
    };
    return cmocka_run_group_tests(tests, driver_context_open, driver_context_close);
}
