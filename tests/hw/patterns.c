/* SPDX-License-Identifier: Apache-2.0 */
/* Launches one warp for each line of a list of patterns.py: kernel p_NAME, with the byte offset of each lane
 * (-: the lane takes no part). The same program runs on a GPU (recorded) and here (compared). usage:
 * hw_patterns KERNELS.ptx LIST */
#include "device_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, MEMORY = 1 << 20 };

static void launch(CUmodule module, char *line, CUdeviceptr offsets, CUdeviceptr memory)
{
    char kernel[64];
    int lanes[LANES];
    const char *name = strtok(line, " \n");
    snprintf(kernel, sizeof kernel, "p_%s", name);
    for (int i = 0; i < LANES; i++) {
        const char *word = strtok(NULL, " \n");
        lanes[i] = word && *word != '-' ? atoi(word) : -1;
    }
    CUfunction function;
    void *args[] = {&offsets, &memory};
    check(cuModuleGetFunction(&function, module, kernel), kernel);
    check(cuMemcpyHtoD(offsets, lanes, sizeof lanes), "cuMemcpyHtoD");
    check(cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, args, NULL), kernel);
    check(cuCtxSynchronize(), kernel);
}

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: hw_patterns KERNELS.ptx LIST\n"), 2;
    CUmodule module;
    CUdeviceptr offsets, memory;
    device_open();
    check(cuModuleLoad(&module, argv[1]), argv[1]);
    check(cuMemAlloc(&offsets, 4096), "cuMemAlloc");
    check(cuMemAlloc(&memory, MEMORY), "cuMemAlloc");
    check(cuMemsetD32(memory, 0, MEMORY / 4), "cuMemsetD32");
    FILE *list = fopen(argv[2], "r");
    char line[1024];
    if (!list) return perror(argv[2]), 1;
    while (fgets(line, sizeof line, list))
        launch(module, line, offsets, memory);
    fclose(list);
    return 0;
}
