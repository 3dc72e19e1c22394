/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the engine with the real compiler: the disk cache, counters, concurrent launches, faults
 * outside of kernels. Method: one small kernel. Checks that need a fresh process run this program again
 * with an argument. Skips where libsoftwarp-jit.so was not built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

#include "engine/core/engine_object.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [n]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 "
    "%r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1; setp.ge.u32 %p1, %r4, %r5; @%p1 bra DONE;\n"
    "and.b32 %r6, %r4, 1; setp.eq.u32 %p2, %r6, 0; @%p2 bra EVEN; mul.lo.u32 %r4, %r4, 3;\n"
    "EVEN: mul.wide.u32 %rd2, %r1, 4; mad.lo.u32 %r7, %r2, %r3, %r1; mul.wide.u32 %rd2, %r7, 4; add.s64 "
    "%rd3, %rd1, %rd2;\n"
    "st.global.u32 [%rd3], %r4;\nDONE: ret; }\n";

/* ---- a world
 * ---------------------------------------------------------------------------------------------------- */

struct world {
    struct engine_fixture of;
    struct engine_kernel *kernel;
};

ENGINE_FIXTURE_TOOL(EVENT_PROBE_COUNT, 1);

static void world_open_with(struct world *world, uint32_t threads, const struct event_tool *with,
                            const char *library_dir)
{
    struct sw_error error = {0};
    struct engine_config config = {.threads = threads, .isa = -1, .library_dir = library_dir, .tool = with};
    assert_true(engine_fixture_open(&world->of, config, text, 1 << 16));
    assert_int_equal(engine_kernel_get(world->of.module, "k", &world->kernel, &error), SW_OK);
}

static void world_open(struct world *world, uint32_t threads, const struct event_tool *with)
{
    world_open_with(world, threads, with, NULL);
}

static void world_close(struct world *world)
{
    engine_fixture_close(&world->of);
}

struct params {
    uint64_t out;
    uint32_t n;
};

static enum sw_status launch(struct world *world, uint32_t block, uint32_t n, uint64_t *counters,
                             struct sw_error *error)
{
    struct params params = {world->of.memory, n};
    struct engine_launch launch = {.kernel = world->kernel,
                                   .grid = {(n + block - 1) / block, 1, 1},
                                   .block = {block, 1, 1},
                                   .params = &params,
                                   .count = counters != NULL,
                                   .counters = counters};
    return engine_launch(world->of.engine, &launch, error);
}

static void check_out(const struct world *world, uint32_t n)
{
    const uint32_t *out = (const uint32_t *)(uintptr_t)world->of.memory;
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(out[i], i % 2 ? 3 * i : i);
}

/* ---- the disk cache
 * --------------------------------------------------------------------------------------------- */

static char folder[64];

static int count_files(char *last, size_t bytes)
{
    char path[128];
    int count = 0;
    snprintf(path, sizeof path, "%s/softwarp", folder);
    DIR *dir = opendir(path);
    for (struct dirent *item = dir ? readdir(dir) : NULL; item; item = readdir(dir)) {
        if (item->d_name[0] == '.') continue;
        count++;
        if (last) snprintf(last, bytes, "%.100s/%.100s", path, item->d_name);
    }
    if (dir) closedir(dir);
    return count;
}

static void run_once(void)
{
    struct world world;
    struct sw_error error = {0};
    world_open(&world, 1, NULL);
    if (launch(&world, 64, 500, NULL, &error) != SW_OK) fail_msg("%s", error.message);
    check_out(&world, 500);
    world_close(&world);
}

/* In a fresh process: with the object in the cache, the kernel runs and LLVM is not loaded. */
static int child_without_llvm(void)
{
    char line[512];
    bool loaded = false;
    run_once();
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        loaded |= strstr(line, "libLLVM") != NULL;
    fclose(maps);
    return loaded ? 9 : 0;
}

static int run_self(const char *mode)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test", mode, (char *)NULL);
        _exit(99);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void damage(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 0x55, file);
    fclose(file);
}

static void test_cache(void **state)
{
    (void)state;
    char path[256];
    struct stat info;
    if (!engine_fixture_can_compile()) skip();
    run_once();
    assert_int_equal(count_files(path, sizeof path), 1);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(run_self("hit"), 0);
    damage(path, info.st_size - 100);
    assert_int_equal(run_self("hit"), 9); /* damaged: compiled again, and replaced */
    assert_int_equal(run_self("hit"), 0);
    assert_int_equal(truncate(path, 50), 0);
    assert_int_equal(run_self("hit"), 9);
    assert_int_equal(run_self("hit"), 0);
}

static void test_cache_is_kept_small_and_private(void **state)
{
    (void)state;
    char path[256];
    if (!engine_fixture_can_compile()) skip();
    struct world world;
    world_open(&world, 1, NULL);
    for (uint32_t block = 32; block <= 224; block += 32)
        assert_int_equal(launch(&world, block, 100, NULL, NULL), SW_OK);
    world_close(&world);
    assert_true(count_files(NULL, 0) >= 7);
    struct stat info;
    count_files(path, sizeof path);
    stat(path, &info);
    char limit[32];
    snprintf(limit, sizeof limit, "%lld", (long long)info.st_size * 3);
    setenv("CUDA_CACHE_MAXSIZE", limit, 1);
    world_open(&world, 1, NULL);
    assert_int_equal(launch(&world, 480, 100, NULL, NULL), SW_OK);
    world_close(&world);
    assert_in_range(count_files(NULL, 0), 1, 3);
    unsetenv("CUDA_CACHE_MAXSIZE");
    snprintf(path, sizeof path, "%s/softwarp", folder);
    chmod(path, 0755); /* others may look in: not used */
    assert_int_equal(run_self("hit"), 9);
    chmod(path, 0700);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    int before = count_files(NULL, 0);
    world_open(&world, 1, NULL);
    assert_int_equal(launch(&world, 352, 100, NULL, NULL), SW_OK);
    world_close(&world);
    assert_int_equal(count_files(NULL, 0), before);
    unsetenv("CUDA_CACHE_DISABLE");
}

/* ---- variants, counters, threads
 * -------------------------------------------------------------------------------- */

static void test_many_shapes_share_a_generic_object(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct world world;
    world_open(&world, 2, NULL);
    for (uint32_t block = 1; block <= 40; block++) {
        memset((void *)(uintptr_t)world.of.memory, 0, 4000);
        assert_int_equal(launch(&world, block, 1000, NULL, NULL), SW_OK);
        check_out(&world, 1000);
    }
    unsigned variants = 0;
    for (struct engine_variant *variant = world.kernel->variants; variant; variant = variant->next)
        variants++;
    assert_int_equal(variants, 9);
    world_close(&world);
}

static void count_with(uint32_t threads, uint64_t counters[256], uint32_t *slots)
{
    struct world world;
    struct sw_error error = {0};
    const struct event_kernel *described;
    world_open(&world, threads, &tool);
    struct engine_launch shape = {
        .kernel = world.kernel, .grid = {79, 1, 1}, .block = {96, 1, 1}, .count = true};
    if (engine_launch_slots(world.of.engine, &shape, slots, &described, &error) != SW_OK)
        fail_msg("%s", error.message);
    assert_in_range(*slots, 1, 256);
    assert_int_equal(described->instr_count, world.kernel->function->instr_count);
    assert_string_equal(described->instrs[0].op, "ld.param.u64");
    assert_int_equal(launch(&world, 96, 79 * 96 - 5, counters, &error), SW_OK);
    uint32_t first = described->instrs[0].slots.warps;
    assert_true(first < *slots);
    assert_int_equal(counters[first], 79 * 3);
    world_close(&world);
}

static void test_counters_do_not_depend_on_threads(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    uint64_t one[256] = {0}, four[256] = {0};
    uint32_t slots_one, slots_four;
    count_with(1, one, &slots_one);
    count_with(4, four, &slots_four);
    assert_int_equal(slots_one, slots_four);
    assert_memory_equal(one, four, slots_one * sizeof one[0]);
}

static void *launch_thread(void *argument)
{
    struct world *world = argument;
    enum sw_status status = SW_OK;
    for (int i = 0; i < 50 && status == SW_OK; i++)
        status = launch(world, 64, 5000, NULL, NULL);
    return (void *)(uintptr_t)status;
}

static void test_launches_at_once(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct world world;
    pthread_t threads[4];
    world_open(&world, 3, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, launch_thread, &world);
    for (int i = 0; i < 4; i++) {
        void *status;
        pthread_join(threads[i], &status);
        assert_int_equal((uintptr_t)status, SW_OK);
    }
    check_out(&world, 5000);
    assert_null(world.kernel->variants->next); /* compiled once */
    world_close(&world);
}

/* ---- mistakes
 * --------------------------------------------------------------------------------------------------- */

static void test_refused_launches(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct world world;
    struct sw_error error = {0};
    world_open(&world, 1, NULL);
    assert_int_equal(launch(&world, 2048, 4096, NULL, &error), SW_INVALID_VALUE);
    struct engine_kernel *none;
    assert_int_equal(engine_kernel_get(world.of.module, "nothing", &none, &error), SW_NOT_FOUND);
    assert_non_null(strstr(error.message, "'nothing'"));
    world.of.memory = 0x10;
    assert_int_equal(launch(&world, 64, 64, NULL, &error), SW_ILLEGAL_ADDRESS);
    assert_string_equal(error.file, "k");
    assert_non_null(strstr(error.message, "0x10"));
    world_close(&world);
}

/* A fault outside of kernels kills the process as usual, although the engine has installed its signal
 * handlers. */
static int child_faults(void)
{
    struct world world;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    world_open(&world, 1, NULL);
    (void)launch(&world, 64, 64, NULL, NULL);
    *(volatile int *)(uintptr_t)(world.of.memory + (1 << 16)) = 1;
    return 0;
}

static void test_other_faults_are_not_ours(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    assert_int_equal(run_self("fault"), 1000 + SIGSEGV);
}

/* The engine refuses a compiler library of another build, which would misread its structures. */
static void test_stale_compilers_are_refused(void **state)
{
    static const char *const FOLDERS[] = {SW_BUILD_DIR "/tests/stale/other",
                                          SW_BUILD_DIR "/tests/stale/nameless"};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(FOLDERS); i++) {
        struct world world = {0};
        struct sw_error error = {0};
        world_open_with(&world, 1, NULL, FOLDERS[i]);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(launch(&world, 64, 64, NULL, &error), SW_NOT_SUPPORTED);
            assert_non_null(strstr(error.message, "another build"));
            assert_non_null(strstr(error.message, FOLDERS[i]));
        }
        world_close(&world);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) return strcmp(argv[1], "hit") == 0 ? child_without_llvm() : child_faults();
    snprintf(folder, sizeof folder, "/tmp/softwarp-cache-XXXXXX");
    if (!mkdtemp(folder)) return 2;
    setenv("CUDA_CACHE_PATH", folder, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_is_kept_small_and_private),
        cmocka_unit_test(test_many_shapes_share_a_generic_object),
        cmocka_unit_test(test_counters_do_not_depend_on_threads),
        cmocka_unit_test(test_launches_at_once),
        cmocka_unit_test(test_refused_launches),
        cmocka_unit_test(test_other_faults_are_not_ours),
        cmocka_unit_test(test_stale_compilers_are_refused),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 ? 2 : failures;
}
