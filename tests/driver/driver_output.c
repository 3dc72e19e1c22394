/* SPDX-License-Identifier: Apache-2.0 */
/* Device printf: the next synchronisation prints the text, in the order of launches, and in order with
 * the program's own output. */
#include "driver_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 format[10] = {98, 108, 111, 99, 107, 32, 37, 100, 10, 0};\n" /* "block %d\n" */
    ".visible .entry says(.param .u32 n)\n{\n"
    "    .local .align 8 .b8 args[8]; .reg .b64 %d<4>; .reg .b32 %r<3>;\n"
    "    ld.param.u32 %r1, [n]; st.local.u32 [args], %r1; mov.u64 %d1, args; cvta.local.u64 %d2, %d1;\n"
    "    mov.u64 %d3, format; cvta.global.u64 %d3, %d3;\n"
    "    {\n    .param .b64 f; .param .b64 a; .param .b32 r;\n    st.param.b64 [f], %d3; st.param.b64 [a], "
    "%d2;\n"
    "    call.uni (r), vprintf, (f, a);\n    ld.param.b32 %r2, [r];\n    }\n    ret;\n}\n";

int main(void)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    OK(cuInit(0));
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, "says"));
    char path[] = "/tmp/softwarp_outputXXXXXX", text[256] = {0};
    int file = mkstemp(path), saved = dup(STDOUT_FILENO);
    if (file < 0 || saved < 0) return 1;
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    for (unsigned n = 1; n <= 3; n++) {
        void *params[] = {&n};
        OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    }
    printf("before\n");
    OK(cuCtxSynchronize());
    printf("after\n");
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    ssize_t got = pread(file, text, sizeof text - 1, 0);
    close(file);
    unlink(path);
    if (got > 0 && strcmp(text, "before\nblock 1\nblock 2\nblock 3\nafter\n") == 0) return 0;
    fprintf(stderr, "output is:\n%s", text);
    return 1;
}
