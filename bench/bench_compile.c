/* SPDX-License-Identifier: Apache-2.0 */
/* How long a kernel takes until its first block could run. For each entry of each file: PTX instructions
 * (flattened), and seconds to flatten and compile it for blocks of as many threads as it allows, 256 at most.
 * Which tier: SOFTWARP_TIERS. Seconds are of the process's CPU, which a busy machine does not lengthen, then
 * of the wall. A last line a file: seconds to parse and verify it.
 * usage: bench_compile LIBRARY-FOLDER LEAST MOST COUNT FILE.ptx...
 * kernels of LEAST to MOST instructions of PTX, at most COUNT of each file */
#include "engine/engine.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(const char *what, const struct sw_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = sw_xmalloc(*length + 1);
    if (fread(text, 1, *length, file) != *length) exit(1);
    fclose(file);
    return text;
}

static void compile(struct engine_module *module, const char *name)
{
    struct sw_error error = {0};
    struct engine_kernel *kernel;
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    if (engine_kernel_get(module, name, &kernel, &error) != SW_OK) stop(name, &error);
    enum { USUAL = 256 };
    uint32_t most = engine_kernel_info(kernel)->max_threads_per_block;
    uint32_t block[3] = {most < USUAL ? most : USUAL, 1, 1};
    enum sw_status status = engine_kernel_prepare(kernel, block, 0, &error);
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = seconds(CLOCK_MONOTONIC) - wall;
    printf("%8u %9.3f %9.3f  %s%s%s\n", engine_kernel_function(kernel)->instr_count, cpu, wall, name,
           status == SW_OK ? "" : ": ", status == SW_OK ? "" : error.message);
    fflush(stdout);
}

static void compile_file(struct engine *engine, const char *path, uint32_t least, uint32_t most,
                         uint32_t count)
{
    struct sw_error error = {0};
    struct ptx_module *ptx;
    struct engine_module *module;
    size_t length;
    char *text = read_text(path, &length);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (ptx_parse(text, length, path, &ptx, &error) != SW_OK) stop(path, &error);
    if (ptx_verify(ptx, &error) != SW_OK) stop(path, &error);
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (engine_module_new(engine, ptx, NULL, &module, &error) != SW_OK) stop(path, &error);
    for (uint32_t i = 0; i < ptx->function_count && count; i++) {
        const struct ptx_function *function = ptx->functions[i];
        if (!function->is_entry || !function->has_body) continue;
        if (function->instr_count < least || function->instr_count > most) continue;
        compile(module, function->name);
        count--;
    }
    printf("%8s %9.3f %9s  parsed %s\n", "", cpu, "", path);
    engine_module_free(module);
    ptx_module_free(ptx);
    free(text);
}

int main(int argc, char **argv)
{
    struct sw_error error = {0};
    if (argc < 6) return 2;
    struct engine_config config = {.threads = 1, .isa = -1, .library_dir = argv[1]};
    struct engine *engine;
    if (engine_new(&config, &engine, &error) != SW_OK) stop("engine", &error);
    for (int i = 5; i < argc; i++)
        compile_file(engine, argv[i], (uint32_t)atol(argv[2]), (uint32_t)atol(argv[3]),
                     (uint32_t)atol(argv[4]));
    engine_free(engine);
    return 0;
}
