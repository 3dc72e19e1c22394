/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that differ, each compiled, run and checked; what the cache tests run, many at once and killed at
 * any moment. usage: load_cache FIRST COUNT: kernels FIRST to FIRST + COUNT - 1; prints "ok" */
#include "load.h"

enum { THREADS = 64, STEPS = 24 };

/* Thread t gives a value that `expected` repeats: STEPS times x = x * (2 i + number) + t ^ i. */
static char *make_ptx(unsigned number)
{
    char *text = malloc(1 << 16), *at = text;
    at += sprintf(
        at, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry mix(.param .u64 out)\n{\n"
            "    .reg .b64 %%d<4>; .reg .b32 %%r<4>;\n    ld.param.u64 %%d1, [out]; mov.u32 %%r1, %%tid.x;\n"
            "    mul.wide.u32 %%d2, %%r1, 4; add.u64 %%d1, %%d1, %%d2; mov.u32 %%r2, %%r1;\n");
    for (unsigned i = 0; i < STEPS; i++)
        at +=
            sprintf(at, "    xor.b32 %%r3, %%r1, %u; mad.lo.u32 %%r2, %%r2, %u, %%r3;\n", i, 2 * i + number);
    sprintf(at, "    st.global.u32 [%%d1], %%r2; ret;\n}\n");
    return text;
}

static unsigned expected(unsigned number, unsigned thread)
{
    unsigned x = thread;
    for (unsigned i = 0; i < STEPS; i++)
        x = x * (2 * i + number) + (thread ^ i);
    return x;
}

static void run_kernel(unsigned number, CUdeviceptr out)
{
    CUmodule module;
    unsigned got[THREADS];
    char *text = make_ptx(number);
    void *params[] = {&out};
    OK(cuModuleLoadData(&module, text));
    OK(cuLaunchKernel(load_function(module, "mix"), 1, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(got, out, sizeof got));
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(got[i] == expected(number, i), "kernel %u, thread %u: %u", number, i, got[i]);
    OK(cuModuleUnload(module));
    free(text);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0, count = argc > 2 ? (unsigned)atoi(argv[2]) : 4;
    CUdeviceptr out;
    (void)load_ptx;
    load_context(0);
    OK(cuMemAlloc(&out, THREADS * 4));
    for (unsigned i = first; i < first + count; i++)
        run_kernel(i, out);
    OK(cuMemFree(out));
    puts("ok");
    return 0;
}
