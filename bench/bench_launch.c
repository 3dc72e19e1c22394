/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch costs: an empty kernel of one block of 32 threads, through the driver API and, where PoCL is
 * installed, through clEnqueueNDRangeKernel, in turn in one process. "launch" is 10,000 launches and one
 * wait, divided; "round trip" is a launch and a wait each time. Wall time, medians of the repetitions and the
 * least; the processor is left to the scheduler, since launches hand work from one thread to another. usage:
 * bench_launch [-r REPETITIONS] [-n LAUNCHES] [--softwarp-only] */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cuda.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPS = 999, ROUND_TRIPS = 1000, WARM_UP = 100 };

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty()\n{\n    ret;\n}\n";
static const char opencl[] = "__kernel void empty(void) {}";

static CUfunction function;
static cl_command_queue queue;
static cl_kernel kernel;

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void check(int result, const char *what)
{
    if (result == 0) return;
    fprintf(stderr, "%s: error %d\n", what, result);
    exit(1);
}

static void open_softwarp(void)
{
    CUcontext context;
    CUmodule module;
    check((int)cuInit(0), "cuInit");
    check((int)cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check((int)cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check((int)cuModuleLoadData(&module, ptx), "cuModuleLoadData");
    check((int)cuModuleGetFunction(&function, module, "empty"), "cuModuleGetFunction");
}

static bool open_pocl(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_uint platforms = 0;
    cl_int error;
    const char *source = opencl;
    if (clGetPlatformIDs(1, &platform, &platforms) != CL_SUCCESS || platforms == 0) return false;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "empty", &error);
    check(error, "clCreateKernel");
    return true;
}

static void softwarp_launch(void)
{
    check((int)cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), "cuLaunchKernel");
}

static void softwarp_wait(void)
{
    check((int)cuCtxSynchronize(), "cuCtxSynchronize");
}

static void pocl_launch(void)
{
    size_t threads = 32;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, &threads, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

static void pocl_wait(void)
{
    check(clFinish(queue), "clFinish");
}

struct contender {
    const char *name;
    void (*launch)(void), (*wait)(void);
    double queued[MAX_REPS], trip[MAX_REPS]; /* microseconds a launch */
};
static struct contender contenders[] = {
    {.name = "Softwarp", .launch = softwarp_launch, .wait = softwarp_wait},
    {.name = "PoCL", .launch = pocl_launch, .wait = pocl_wait}};

static void measure(struct contender *c, int repetition, int launches)
{
    double start = now_us();
    for (int i = 0; i < launches; i++)
        c->launch();
    c->wait();
    double middle = now_us();
    for (int i = 0; i < ROUND_TRIPS; i++) {
        c->launch();
        c->wait();
    }
    c->queued[repetition] = (middle - start) / launches;
    c->trip[repetition] = (now_us() - middle) / ROUND_TRIPS;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(struct contender *c, int repetitions)
{
    qsort(c->queued, (size_t)repetitions, sizeof c->queued[0], ascending);
    qsort(c->trip, (size_t)repetitions, sizeof c->trip[0], ascending);
    printf("%-10s %12.2f %12.2f %12.2f %12.2f\n", c->name, c->queued[repetitions / 2], c->queued[0],
           c->trip[repetitions / 2], c->trip[0]);
}

int main(int argc, char **argv)
{
    int repetitions = 21, launches = 10000, count = 2;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-r") && i + 1 < argc) repetitions = atoi(argv[++i]);
        if (!strcmp(argv[i], "-n") && i + 1 < argc) launches = atoi(argv[++i]);
        if (!strcmp(argv[i], "--softwarp-only")) count = 1;
    }
    if (repetitions < 1 || repetitions > MAX_REPS || launches < 1) return 2;
    open_softwarp();
    if (count == 2 && !open_pocl()) count = 1;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < WARM_UP; i++)
            contenders[c].launch();
        contenders[c].wait();
    }
    for (int r = 0; r < repetitions; r++)
        for (int c = 0; c < count; c++)
            measure(&contenders[c], r, launches);
    printf("%-10s %12s %12s %12s %12s\n", "us", "launch", "least", "round trip", "least");
    for (int c = 0; c < count; c++)
        print(&contenders[c], repetitions);
    return 0;
}
