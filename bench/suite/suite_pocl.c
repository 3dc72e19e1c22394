/* SPDX-License-Identifier: Apache-2.0 */
/* The suite's kernels under PoCL: the same files, as OpenCL C (kernels/dialect.h). suite_no_pocl.c stands in
 * for this file where there are no OpenCL headers. */
#define CL_TARGET_OPENCL_VERSION 120
#include "suite.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 128 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem memory[BUFFERS];
static struct {
    const char *name;
    cl_kernel kernel;
} kernels[MAX_KERNELS];

static void check(cl_int result, const char *what)
{
    if (result == CL_SUCCESS) return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, result);
    exit(1);
}

static cl_kernel kernel_of(const char *name)
{
    cl_int error;
    int i = 0;
    for (; i < MAX_KERNELS && kernels[i].name; i++)
        if (!strcmp(kernels[i].name, name)) return kernels[i].kernel;
    if (i == MAX_KERNELS) exit(1);
    kernels[i].name = name;
    kernels[i].kernel = clCreateKernel(program, name, &error);
    check(error, name);
    return kernels[i].kernel;
}

static void reset(int from, size_t bytes)
{
    static const char zero = 0;
    if (from >= 0)
        check(clEnqueueWriteBuffer(queue, memory[Z], CL_TRUE, 0, bytes, suite_host[from], 0, NULL, NULL),
              "write");
    else
        check(clEnqueueFillBuffer(queue, memory[Z], &zero, 1, 0, bytes, 0, NULL, NULL), "fill");
    check(clFinish(queue), "clFinish");
}

static void launch(const struct suite_launch *l, unsigned step)
{
    cl_kernel kernel = kernel_of(l->kernel);
    size_t local[2] = {l->block[0], l->block[1]};
    size_t global[2] = {l->grid[0] * local[0], l->grid[1] * local[1]};
    for (unsigned i = 0; i < SUITE_ARGS && l->args[i].kind != NO_ARG; i++) {
        const struct suite_arg *a = &l->args[i];
        check(a->kind == BUFFER_ARG ? clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[a->value])
              : a->kind == STEP_ARG ? clSetKernelArg(kernel, i, sizeof step, &step)
                                    : clSetKernelArg(kernel, i, sizeof a->value, &a->value),
              l->kernel);
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), l->kernel);
}

static void run(const struct suite_row *row)
{
    for (unsigned s = 0; s < row->steps; s++)
        for (int i = 0; i < SUITE_LAUNCHES && row->launches[i].kernel; i++)
            launch(&row->launches[i], s);
    check(clFinish(queue), row->name);
}

static void read_output(void *to, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, memory[Z], CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}

static void build(cl_device_id dev, const char *folder)
{
    static char options[4096 + 64], log[1 << 16];
    const char *source = "#include \"all.cu\"\n";
    cl_int error;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-I%s", folder);
    error = clBuildProgram(program, 1, &dev, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        clGetProgramBuildInfo(program, dev, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    check(error, "clBuildProgram");
}

bool suite_pocl_open(struct suite_contender *contender, const char *folder)
{
    cl_platform_id platform;
    cl_device_id dev;
    cl_uint platforms = 0;
    cl_int error;
    if (clGetPlatformIDs(1, &platform, &platforms) != CL_SUCCESS || platforms == 0) {
        fprintf(stderr, "no OpenCL platform: install pocl-opencl-icd to compare with PoCL\n");
        return false;
    }
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &dev, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &dev, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, dev, 0, &error);
    check(error, "clCreateCommandQueue");
    build(dev, folder);
    for (int b = 0; b < BUFFERS; b++) {
        memory[b] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, suite_bytes[b],
                                   suite_host[b], &error);
        check(error, "clCreateBuffer");
    }
    *contender = (struct suite_contender){"PoCL", reset, run, read_output};
    return true;
}
