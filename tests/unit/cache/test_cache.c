/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the cache gives back what was put in, or nothing, whatever happened to its files in between; it
 * stays within its limit; processes that write at once, and die while they do, leave it sound.
 * Method: every test has a folder of its own. What needs root (another user's file, a full disk) is left out
 * where there is no root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache_priv.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char base[64], folder[96];
enum { BYTES = 3000 };
static const struct cache_key KEY = {{16, 0xffffffffffffffff, 3, 0x0123456789abcdef}};

static int set_up(void **state)
{
    (void)state;
    strcpy(base, "/tmp/softwarp-cache-XXXXXX");
    if (!mkdtemp(base)) return 1;
    snprintf(folder, sizeof folder, "%s/softwarp", base);
    unsetenv("CUDA_CACHE_DISABLE");
    unsetenv("CUDA_CACHE_MAXSIZE");
    return setenv("CUDA_CACHE_PATH", base, 1);
}

static int tear_down(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", base, base);
    return system(command);
}

static void fill(uint8_t *data, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i * 31 + seed + (i >> 8));
}

static void put(const struct cache_key *key, unsigned seed, size_t bytes)
{
    uint8_t *data = sw_xmalloc(bytes ? bytes : 1);
    fill(data, bytes, seed);
    cache_write(key, data, bytes);
    free(data);
}

enum found { ABSENT, RIGHT, WRONG };
static enum found look(const struct cache_key *key, unsigned seed, size_t bytes)
{
    uint8_t *data, *want = sw_xmalloc(bytes ? bytes : 1);
    size_t got;
    enum found found = ABSENT;
    fill(want, bytes, seed);
    if (cache_read(key, &data, &got)) {
        found = got == bytes && memcmp(data, want, bytes) == 0 ? RIGHT : WRONG;
        free(data);
    }
    free(want);
    return found;
}

static bool is_there(const struct cache_key *key)
{
    return look(key, 0, 0) != ABSENT;
}

static bool holds(const struct cache_key *key, unsigned seed, size_t bytes)
{
    return look(key, seed, bytes) == RIGHT;
}

static const char *path_of(const struct cache_key *key)
{
    static char path[256];
    char name[CACHE_NAME_BYTES];
    cache_name(key, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct cache_state state_now(void)
{
    struct cache_state state;
    assert_true(cache_check(CACHE_KEEP, &state, NULL, NULL));
    return state;
}

/* A damaged entry is absent, is found by the check, and is replaced. */
static void expect_rebuilt(void)
{
    assert_false(is_there(&KEY));
    assert_int_equal(state_now().damaged, 1);
    put(&KEY, 7, BYTES);
    assert_true(holds(&KEY, 7, BYTES));
    assert_int_equal(state_now().damaged, 0);
}

static void what_was_put_in(void **state)
{
    (void)state;
    struct cache_key other = KEY;
    other.words[3]++;
    assert_false(is_there(&KEY));
    put(&KEY, 1, BYTES);
    put(&other, 2, 0);
    assert_true(holds(&KEY, 1, BYTES));
    assert_true(holds(&other, 2, 0));
    put(&KEY, 3, 100);
    assert_true(holds(&KEY, 3, 100));
    struct cache_state now = state_now();
    assert_int_equal(now.entries, 2);
    assert_int_equal(now.bytes, 100);
    assert_int_equal(now.damaged + now.leftovers, 0);
}

static void write_byte(const char *path, long at, uint8_t flip)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    uint8_t byte = 0;
    assert_true(file >= 0 && pread(file, &byte, 1, at) == 1);
    byte ^= flip;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    close(file);
}

/* Every byte in turn, each with another bit. */
static void a_flipped_bit(void **state)
{
    (void)state;
    put(&KEY, 1, 200);
    struct stat info;
    assert_int_equal(stat(path_of(&KEY), &info), 0);
    for (long at = 0; at < info.st_size; at++) {
        uint8_t bit = (uint8_t)(1u << at % 8);
        write_byte(path_of(&KEY), at, bit);
        if (is_there(&KEY)) fail_msg("byte %ld may change", at);
        write_byte(path_of(&KEY), at, bit);
    }
    assert_true(holds(&KEY, 1, 200));
    write_byte(path_of(&KEY), 20, 1);
    expect_rebuilt();
}

static void another_length(void **state)
{
    (void)state;
    put(&KEY, 1, BYTES);
    struct stat info;
    assert_int_equal(stat(path_of(&KEY), &info), 0);
    for (long bytes = info.st_size - 1; bytes >= 0; bytes = bytes > 100 ? bytes / 2 : bytes - 1) {
        assert_int_equal(truncate(path_of(&KEY), bytes), 0);
        assert_false(is_there(&KEY));
    }
    expect_rebuilt();
    assert_int_equal(truncate(path_of(&KEY), info.st_size + 1), 0);
    expect_rebuilt();
}

static void of_another_key(void **state)
{
    (void)state;
    struct cache_key other = KEY;
    char from[256];
    other.words[0] = 99;
    put(&other, 1, BYTES);
    strcpy(from, path_of(&other));
    assert_int_equal(rename(from, path_of(&KEY)), 0);
    expect_rebuilt();
}

static void not_a_file(void **state)
{
    (void)state;
    put(&KEY, 1, BYTES);
    struct cache_key other = KEY;
    char target[256];
    other.words[0] = 99;
    strcpy(target, path_of(&KEY));
    assert_int_equal(symlink(target, path_of(&other)), 0);
    assert_false(is_there(&other));
    assert_int_equal(unlink(path_of(&other)), 0);
    assert_int_equal(unlink(path_of(&KEY)), 0);
    assert_int_equal(mkdir(path_of(&KEY), 0700), 0);
    expect_rebuilt();
    assert_int_equal(unlink(path_of(&KEY)), 0);
    assert_int_equal(mkfifo(path_of(&KEY), 0600), 0);
    expect_rebuilt();
    assert_int_equal(unlink(path_of(&KEY)), 0);
    assert_int_equal(symlink("/dev/zero", path_of(&KEY)), 0);
    expect_rebuilt();
}

static void another_users(void **state)
{
    (void)state;
    if (geteuid() != 0) skip();
    put(&KEY, 1, BYTES);
    assert_int_equal(chown(path_of(&KEY), 12345, 12345), 0);
    expect_rebuilt();
    assert_int_equal(chown(folder, 12345, 12345), 0);
    assert_false(is_there(&KEY));
    assert_int_equal(chown(folder, 0, 0), 0);
    assert_true(is_there(&KEY));
}

/* What others may write to is not executed; where nothing can be written, nothing is. */
static void unfit_folders(void **state)
{
    (void)state;
    char place[128];
    put(&KEY, 1, BYTES);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_false(is_there(&KEY));
    put(&KEY, 2, BYTES);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_true(holds(&KEY, 1, BYTES));
    assert_int_equal(chmod(folder, 0500), 0);
    put(&KEY, geteuid() == 0 ? 1 : 2, BYTES); /* root may */
    assert_true(holds(&KEY, 1, BYTES));
    assert_int_equal(chmod(folder, 0700), 0);
    snprintf(place, sizeof place, "%s/elsewhere", base);
    assert_int_equal(rename(folder, place), 0);
    assert_int_equal(symlink(place, folder), 0);
    assert_false(is_there(&KEY));
    assert_int_equal(unlink(folder), 0);
    int file = open(folder, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
    close(file);
    put(&KEY, 1, BYTES);
    assert_false(is_there(&KEY));
    assert_int_equal(setenv("CUDA_CACHE_PATH", "/proc/nowhere", 1), 0);
    put(&KEY, 1, BYTES);
    assert_false(is_there(&KEY));
}

/* What is above the folder: whoever can put another in its place is not trusted. */
static void unfit_parents(void **state)
{
    (void)state;
    put(&KEY, 1, BYTES);
    assert_int_equal(chmod(base, 0777), 0);
    assert_false(is_there(&KEY));
    put(&KEY, 2, BYTES);
    assert_int_equal(chmod(base, 01777), 0); /* as /tmp is */
    assert_true(holds(&KEY, 1, BYTES));
    assert_int_equal(chmod(base, 0755), 0);
    assert_true(holds(&KEY, 1, BYTES));
    if (geteuid() != 0) return;
    assert_int_equal(chown(base, 12345, 0), 0);
    assert_false(is_there(&KEY));
    assert_int_equal(chown(base, 0, 12345), 0);
    assert_true(holds(&KEY, 1, BYTES));
    assert_int_equal(chmod(base, 0775), 0);
    assert_false(is_there(&KEY));
}

/* Links on the way are the user's or root's, and lead to what may be trusted. */
static void links_above(void **state)
{
    (void)state;
    char link[128], inner[128];
    put(&KEY, 1, BYTES);
    snprintf(link, sizeof link, "%s/link", base);
    snprintf(inner, sizeof inner, "%s/inner", base);
    assert_int_equal(symlink("./inner/..", link), 0);
    assert_int_equal(mkdir(inner, 0755), 0);
    assert_int_equal(setenv("CUDA_CACHE_PATH", link, 1), 0);
    assert_true(holds(&KEY, 1, BYTES));
    assert_int_equal(chmod(inner, 0777), 0);
    assert_false(is_there(&KEY));
    assert_int_equal(chmod(inner, 0755), 0);
    assert_true(is_there(&KEY));
    if (geteuid() == 0) {
        assert_int_equal(lchown(link, 12345, 12345), 0);
        assert_false(is_there(&KEY));
    }
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("link", link), 0); /* without end */
    assert_false(is_there(&KEY));
}

/* An entry that others may write to is not executed. */
static void writable_entries(void **state)
{
    (void)state;
    put(&KEY, 1, BYTES);
    assert_int_equal(chmod(path_of(&KEY), 0666), 0);
    expect_rebuilt();
    assert_int_equal(chmod(path_of(&KEY), 0644), 0);
    assert_true(is_there(&KEY));
}

static void in_child(void (*body)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static char said[1024];
static void keep_line(void *user, const char *line)
{
    (void)user;
    snprintf(said, sizeof said, "%s", line);
}

static void reads_what_is_damaged(void)
{
    sw_log_set_sink(keep_line, NULL);
    if (is_there(&KEY) || !strstr(said, "wrong checksum")) _exit(1);
    *said = 0;
    if (is_there(&KEY) || *said) _exit(2); /* once */
    put(&KEY, 1, BYTES);
    if (!is_there(&KEY) || *said) _exit(3);
    if (chmod(base, 0777) != 0 || is_there(&KEY)) _exit(4);
    if (!strstr(said, "is writable by other users") || !strstr(said, base)) _exit(5);
}

static void finds_nothing(void)
{
    sw_log_set_sink(keep_line, NULL);
    if (is_there(&KEY) || *said) _exit(1);
}

static void what_is_refused_is_said(void **state)
{
    (void)state;
    in_child(finds_nothing);
    put(&KEY, 1, BYTES);
    write_byte(path_of(&KEY), 100, 1);
    in_child(reads_what_is_damaged);
}

static void the_variables(void **state)
{
    (void)state;
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    put(&KEY, 1, BYTES);
    unsetenv("CUDA_CACHE_DISABLE");
    assert_false(is_there(&KEY));
    setenv("CUDA_CACHE_DISABLE", "0", 1);
    put(&KEY, 1, BYTES);
    assert_true(holds(&KEY, 1, BYTES));
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    assert_false(is_there(&KEY));
    assert_int_equal(cache_limit_bytes(), 1 << 30);
    setenv("CUDA_CACHE_MAXSIZE", "1000000", 1);
    assert_int_equal(cache_limit_bytes(), 1000000);
    setenv("CUDA_CACHE_MAXSIZE", "much", 1);
    assert_int_equal(cache_limit_bytes(), 1 << 30);
    setenv("CUDA_CACHE_MAXSIZE", "-1", 1);
    assert_int_equal(cache_limit_bytes(), 1 << 30);
}

static struct cache_key numbered(unsigned number)
{
    return (struct cache_key){{number, 5, 6, 7}};
}

static void set_time(const struct cache_key *key, long seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path_of(key), times, 0), 0);
}

/* Ten entries where six fit: the two that were read stay, though they are the oldest. */
static void least_recently_used_goes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        struct cache_key key = numbered(i);
        put(&key, i, 1000);
        set_time(&key, 1000000 + i);
    }
    struct cache_key first = numbered(0), third = numbered(2), last = numbered(10);
    assert_true(holds(&first, 0, 1000));
    assert_true(holds(&third, 2, 1000));
    setenv("CUDA_CACHE_MAXSIZE", "6500", 1);
    put(&last, 10, 1000);
    for (unsigned i = 0; i <= 10; i++) {
        struct cache_key key = numbered(i);
        bool stays = i == 0 || i == 2 || i >= 8;
        if (holds(&key, i, 1000) != stays && i != 7) fail_msg("entry %u %s", i, stays ? "went" : "stayed");
    }
    assert_true(state_now().entries <= 6);
    put(&KEY, 1, 7000); /* larger than all that may be */
    assert_false(is_there(&KEY));
    assert_true(holds(&last, 10, 1000));
}

/* A file that a writer left is removed when it is old, and nothing else of other names is. */
static void leftovers_go(void **state)
{
    (void)state;
    char young[300], old[300], foreign[300];
    put(&KEY, 1, BYTES);
    snprintf(young, sizeof young, "%s.123.4", path_of(&KEY));
    snprintf(old, sizeof old, "%s.77.0", path_of(&KEY));
    snprintf(foreign, sizeof foreign, "%s/notes.o.txt", folder);
    const char *all[] = {young, old, foreign};
    for (int i = 0; i < 3; i++)
        close(open(all[i], O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    assert_int_equal(utimensat(AT_FDCWD, old, times, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, foreign, times, 0), 0);
    assert_int_equal(state_now().leftovers, 2);
    put(&KEY, 1, BYTES);
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(access(young, F_OK), 0);
    assert_int_equal(access(foreign, F_OK), 0);
}

static void check_removes_when_asked(void **state)
{
    (void)state;
    struct cache_state now;
    struct cache_key other = numbered(1);
    put(&KEY, 1, BYTES);
    put(&other, 1, BYTES);
    write_byte(path_of(&KEY), 100, 1);
    assert_true(cache_check(CACHE_REMOVE_BAD, &now, NULL, NULL));
    assert_int_equal(now.damaged, 1);
    assert_int_equal(now.removed, 1);
    assert_true(is_there(&other));
    assert_true(cache_check(CACHE_REMOVE_ALL, &now, NULL, NULL));
    assert_int_equal(now.removed, 1);
    assert_int_equal(state_now().entries, 0);
}

/* A write beyond the limit would be SIGXFSZ. */
static void small_files_only(void)
{
    struct rlimit limit = {1000, 1000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    put(&KEY, 1, BYTES);
    if (is_there(&KEY)) _exit(2);
}

static void file_size_limit(void **state)
{
    (void)state;
    in_child(small_files_only);
    put(&KEY, 1, BYTES);
    assert_true(holds(&KEY, 1, BYTES));
}

static void full_disk(void **state)
{
    (void)state;
    struct cache_key small = numbered(1);
    if (geteuid() != 0 || mount("none", base, "tmpfs", 0, "size=64k") != 0) skip();
    put(&small, 1, 1000);
    put(&KEY, 1, 100000);
    bool there = is_there(&KEY), kept = holds(&small, 1, 1000);
    struct cache_state now = state_now();
    umount2(base, MNT_DETACH);
    assert_false(there);
    assert_true(kept);
    assert_int_equal(now.damaged + now.leftovers, 0);
}

/* Writers and readers of the same few entries, which some writer replaces all the time. */
static void hammer(unsigned seed)
{
    for (unsigned i = 0; i < 400; i++) {
        struct cache_key key = numbered((seed * 7 + i) % 5);
        unsigned content = (unsigned)key.words[0];
        if ((i + seed) % 3 == 0)
            put(&key, content, 20000);
        else if (look(&key, content, 20000) == WRONG)
            _exit(1);
    }
    _exit(0);
}

static void many_writers(void **state)
{
    (void)state;
    enum { PROCESSES = 8 };
    setenv("CUDA_CACHE_MAXSIZE", "70000", 1); /* three of five: entries go as well */
    for (unsigned i = 0; i < PROCESSES; i++)
        if (fork() == 0) hammer(i);
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct cache_state now = state_now();
    assert_int_equal(now.damaged + now.leftovers, 0);
}

/* Killed while it writes, at moments that differ: what is there is whole. */
static void sudden_death(void **state)
{
    (void)state;
    put(&KEY, 1, BYTES); /* so that there is a folder */
    for (unsigned i = 0; i < 60; i++) {
        pid_t child = fork();
        if (child == 0)
            for (unsigned j = 0;; j++) {
                struct cache_key key = numbered(j % 4);
                put(&key, j % 4, 300000);
            }
        usleep(1000 + i * 977 % 5000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        assert_int_equal(state_now().damaged, 0);
        for (unsigned j = 0; j < 4; j++) {
            struct cache_key key = numbered(j);
            assert_int_not_equal(look(&key, j, 300000), WRONG);
        }
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_refused_is_said), /* first: once in a process */
        TEST(what_was_put_in),
        TEST(a_flipped_bit),
        TEST(another_length),
        TEST(of_another_key),
        TEST(not_a_file),
        TEST(another_users),
        TEST(unfit_folders),
        TEST(unfit_parents),
        TEST(links_above),
        TEST(writable_entries),
        TEST(the_variables),
        TEST(least_recently_used_goes),
        TEST(leftovers_go),
        TEST(check_removes_when_asked),
        TEST(file_size_limit),
        TEST(full_disk),
        TEST(many_writers),
        TEST(sudden_death),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
