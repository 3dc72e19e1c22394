/* SPDX-License-Identifier: Apache-2.0 */
/* What threads get from barriers that lanes of a warp reach separately. Each kernel of barriers.ptx.in
 * runs in a process of its own, because some never end on a GPU.
 *
 *   usage: barriers FORM BARRIERS.ptx CASES.txt
 *
 * Each line of output is the form, kernel and number of threads, and then one of:
 *   bar.red turns 96: 2 96 77 x 00000042 ...   number of barriers passed, the result of each, x the lanes
 *                                              with these results (a mask for each warp)
 *   bar.red arms 64: does not end
 *   ...: error 715 */
#include <cuda.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROW = 8, THREADS = 128, WARPS = THREADS / 32, SECONDS = 3, ENDLESS = 77 };

static const char *form;

static void check(CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS) return;
    fprintf(stderr, "barriers: %s: error %d\n", call, (int)result);
    _exit(1);
}

static void print_rows(const char *kernel, unsigned threads, unsigned rows[THREADS][ROW])
{
    int done[THREADS] = {0};
    for (unsigned first = 0; first < threads; first++) {
        if (done[first]) continue;
        unsigned masks[WARPS] = {0}, crossings = rows[first][0];
        for (unsigned t = first; t < threads; t++)
            if (!memcmp(rows[t], rows[first], sizeof *rows)) done[t] = 1, masks[t / 32] |= 1u << t % 32;
        printf("%s %s %u: %u", form, kernel, threads, crossings);
        for (unsigned i = 1; i < ROW && i <= crossings; i++)
            printf(" %u", rows[first][i]);
        printf(" x");
        for (unsigned w = 0; w * 32 < threads; w++)
            printf(" %08x", masks[w]);
        printf("\n");
    }
}

static void run(const char *image, const char *kernel, unsigned threads)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    static unsigned rows[THREADS + 1][ROW]; /* the last: a flag of the kernel's */
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoad(&module, image), "cuModuleLoad");
    check(cuModuleGetFunction(&function, module, kernel), kernel);
    check(cuMemAlloc(&out, sizeof rows), "cuMemAlloc");
    check(cuMemsetD8(out, 0, sizeof rows), "cuMemsetD8");
    void *params[] = {&out};
    alarm(SECONDS);
    check(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL), "cuLaunchKernel");
    CUresult result = cuCtxSynchronize();
    if (result == CUDA_ERROR_LAUNCH_TIMEOUT) _exit(ENDLESS);
    alarm(0);
    if (result) {
        printf("%s %s %u: error %d\n", form, kernel, threads, (int)result);
        return;
    }
    check(cuMemcpyDtoH(rows, out, sizeof rows), "cuMemcpyDtoH");
    print_rows(kernel, threads, rows);
}

int main(int argc, char **argv)
{
    char kernel[64];
    unsigned threads, failed = 0;
    FILE *cases = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (!cases) return fprintf(stderr, "usage: barriers FORM BARRIERS.ptx CASES.txt\n"), 2;
    form = argv[1];
    while (fscanf(cases, "%63s %u", kernel, &threads) == 2 && threads <= THREADS) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            run(argv[2], kernel, threads);
            fflush(stdout);
            _exit(0); /* exit would move the position of `cases`, which the parent shares */
        }
        waitpid(child, &status, 0);
        int endless = WIFSIGNALED(status) ? WTERMSIG(status) == SIGALRM : WEXITSTATUS(status) == ENDLESS;
        if (endless)
            printf("%s %s %u: does not end\n", form, kernel, threads);
        else if (status)
            printf("%s %s %u: failed\n", form, kernel, threads), failed++;
    }
    fclose(cases);
    return failed != 0;
}
