/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: load, launch, unload. One and the same text, texts that all differ, and both as libraries. */
#include "lives.h"

static CUdeviceptr result;
static _Thread_local unsigned thread_number;
static unsigned threads;

static void begin(void)
{
    OK(cuMemAlloc(&result, 4096));
}

/* A kernel that stores `value`, in a module that also has a variable. */
static void make_text(char *text, size_t bytes, uint64_t value)
{
    snprintf(text, bytes,
             ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 kept[256];\n"
             ".visible .entry store(.param .u64 at)\n{\n    .reg .b64 %%d<3>;\n"
             "    ld.param.u64 %%d1, [at]; mov.u64 %%d2, %llu; st.global.u64 [%%d1], %%d2; ret;\n}\n",
             (unsigned long long)value);
}

static CUdeviceptr own_place(void)
{
    if (!thread_number) thread_number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return result + thread_number % 512 * 8;
}

static void launch_and_look(CUfunction function, uint64_t value)
{
    CUdeviceptr at = own_place();
    void *params[] = {&at};
    uint64_t seen = 0;
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_PER_THREAD, params, NULL));
    OK(cuMemcpyDtoHAsync(&seen, at, 8, CU_STREAM_PER_THREAD));
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    CHECK(seen == value, "%llu, not %llu", (unsigned long long)seen, (unsigned long long)value);
}

static void as_module(uint64_t value)
{
    char text[512];
    CUmodule module;
    CUdeviceptr kept;
    size_t bytes;
    make_text(text, sizeof text, value);
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetGlobal(&kept, &bytes, module, "kept"));
    CHECK(bytes == 256, "%zu bytes", bytes);
    launch_and_look(load_function(module, "store"), value);
    OK(cuModuleUnload(module));
}

static void as_library(uint64_t value)
{
    char text[512];
    CUlibrary library;
    CUkernel kernel;
    make_text(text, sizeof text, value);
    OK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "store"));
    launch_and_look((CUfunction)kernel, value);
    OK(cuLibraryUnload(library));
}

static void same(uint64_t step)
{
    if (step % 2)
        as_module(7);
    else
        as_library(8);
}

static void distinct(uint64_t step)
{
    uint64_t value = ((uint64_t)(own_place() - result) << 40) + step + 1000;
    if (step % 2)
        as_module(value);
    else
        as_library(value);
}

/* A few texts in turn, more than one alone: what the cache on disk has is loaded again and again. */
static void several(uint64_t step)
{
    as_module(100 + step % 50);
}

const struct life lives_modules[] = {
    {"modules", "one and the same text as module and library", begin, same, NULL, 100},
    {"modules-several", "50 texts in turn", begin, several, NULL, 60},
    {"modules-distinct", "texts that all differ", begin, distinct, NULL, 50},
    {.name = NULL},
};
