/* SPDX-License-Identifier: Apache-2.0 */
/* Which library of NVIDIA's a file, header or function belongs to. */
#include "base/base.h"
#include "base/base_library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *function, *stem, *file; /* file: of ours; NULL: none */
} functions[] = {
    {"cublasSgemm_v2", "cublas", "libcublas.so.13"},
    {"cublasXtSgemm", "cublas", "libcublas.so.13"},
    {"cublasLtMatmul", "cublasLt", "libcublasLt.so.13"},
    {"cublasMpMatmul", "cublasMp", NULL},
    {"cufftExecC2C", "cufft", "libcufft.so.12"},
    {"cufftXtExec", "cufft", "libcufft.so.12"},
    {"cusolverGetVersion", "cusolver", "libcusolver.so.12"},
    {"cusolverDnSgetrf", "cusolver", "libcusolver.so.12"},
    {"cusolverSpScsrlsvqr", "cusolver", "libcusolver.so.12"},
    {"cusolverRfCreate", "cusolver", "libcusolver.so.12"},
    {"cusolverMgCreate", "cusolverMg", NULL},
    {"cusparseSpMV", "cusparse", "libcusparse.so.12"},
    {"cusparseLtMatmul", "cusparseLt", NULL},
    {"pncclAllReduce", "nccl", "libnccl.so.2"},
    {"nvrtcCompileProgram", "nvrtc", "libnvrtc.so.13"},
    {"cudnnCreate", "cudnn", NULL},
};

static void functions_belong_to_libraries(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(functions); i++) {
        const struct sw_library *library = sw_library_of_function(functions[i].function);
        assert_non_null(library);
        assert_string_equal(library->stem, functions[i].stem);
        if (functions[i].file)
            assert_string_equal(library->ours[0], functions[i].file);
        else
            assert_null(library->ours[0]);
    }
    assert_null(sw_library_of_function("cublas"));
    assert_null(sw_library_of_function("cublasted"));
    assert_null(sw_library_of_function("cuLaunchKernel"));
}

static void files_belong_to_libraries(void **state)
{
    (void)state;
    assert_string_equal(sw_library_find("/usr/lib/libcusolver.so.11")->stem, "cusolver");
    assert_string_equal(sw_library_find("cusolverDn.h")->stem, "cusolverDn");
    assert_string_equal(sw_library_find("libnvrtc-builtins.so.13.0")->stem, "nvrtc");
    assert_string_equal(sw_library_find("libcudnn_ops.so.9")->stem, "cudnn");
    assert_null(sw_library_find("libcusolvers.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_belong_to_libraries),
        cmocka_unit_test(files_belong_to_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
