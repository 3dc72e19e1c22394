/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the device address space keeps its promises: alignment, fences, reuse, determinism, limits.
 * Method: faults are provoked in a forked child, whose signal is the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vmem/vmem.h"
#include "vmem/vmem_ranges.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In place of the C library's: AArch64 systems have pages of 16 and 64 KiB, too. */
static int page_bytes = 4096;
int getpagesize(void)
{
    return page_bytes;
}

static struct vmem *fresh(void)
{
    struct vmem *vmem;
    struct sw_error error = {0};
    assert_int_equal(vmem_new(&vmem, &error), SW_OK);
    return vmem;
}

static dev_addr take(struct vmem *vmem, uint64_t bytes)
{
    dev_addr at = 0;
    assert_int_equal(vmem_alloc(vmem, bytes, VMEM_DEVICE, 0, 7, 0, &at), SW_OK);
    return at;
}

/* The undefined-behaviour sanitizer would end the store to 0 in its own way. */
__attribute__((no_sanitize("undefined"))) static bool faults(dev_addr address)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        *(volatile char *)(uintptr_t)address = 1;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void test_alignment_and_fence(void **state)
{
    (void)state;
    struct vmem *vmem = fresh();
    uint64_t sizes[] = {1, 511, 512, 4096, 4097, 1000000, 5 << 20};
    for (size_t i = 0; i < SW_COUNT_OF(sizes); i++) {
        dev_addr at = take(vmem, sizes[i]);
        assert_int_equal(at % 512, 0);
        assert_true(vmem_in_reservation(vmem, at));
        memset((void *)(uintptr_t)at, 0x5a, sizes[i]);
        assert_true(faults(sw_align_up(at + sizes[i], 4096)));
    }
    assert_true(faults(0));
    vmem_free_all(vmem);
}

static void test_released_pages_fault_and_come_back_zeroed(void **state)
{
    (void)state;
    struct vmem *vmem = fresh();
    dev_addr at = take(vmem, 8192);
    memset((void *)(uintptr_t)at, 1, 8192);
    assert_int_equal(vmem_release(vmem, at), SW_OK);
    assert_true(faults(at));
    assert_int_equal(vmem_release(vmem, at), SW_INVALID_VALUE);
    assert_int_equal(take(vmem, 8192), at);
    assert_int_equal(*(char *)(uintptr_t)at, 0);
    vmem_free_all(vmem);
}

static void test_same_calls_same_addresses(void **state)
{
    (void)state;
    dev_addr seen[2][64];
    for (int round = 0; round < 2; round++) {
        struct vmem *vmem = fresh();
        uint32_t seed = 1;
        for (int i = 0; i < 64; i++) {
            seed = seed * 1664525u + 1013904223u;
            seen[round][i] = take(vmem, 1 + seed % 100000) - vmem_base(vmem);
            if (i % 3 == 2) vmem_release(vmem, seen[round][i - 1] + vmem_base(vmem));
        }
        vmem_free_all(vmem);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
}

static void test_quarantine(void **state)
{
    (void)state;
    enum { ROUNDS = 100 };
    struct vmem *vmem = fresh();
    dev_addr first = take(vmem, 1000);
    assert_int_equal(vmem_release(vmem, first), SW_OK);
    assert_int_equal(take(vmem, 1000), first);
    vmem_quarantine(vmem);
    dev_addr last = first;
    for (int i = 0; i < ROUNDS; i++) {
        assert_int_equal(vmem_release(vmem, last), SW_OK);
        assert_true(faults(last));
        dev_addr now = take(vmem, 1000);
        assert_true(now > last);
        last = now;
    }
    /* More goes through it than there are addresses, so those of the first releases come back. */
    for (int i = 0; i < 3 << 10; i++) {
        dev_addr large = take(vmem, UINT64_C(1) << 30);
        assert_int_equal(vmem_release(vmem, large), SW_OK);
    }
    vmem_free_all(vmem);
}

static void test_limits(void **state)
{
    (void)state;
    struct vmem *vmem = fresh();
    dev_addr at;
    assert_int_equal(vmem_alloc(vmem, 0, VMEM_DEVICE, 0, 0, 0, &at), SW_INVALID_VALUE);
    assert_int_equal(vmem_alloc(vmem, 1000, VMEM_DEVICE, 0, 0, 999, &at), SW_OUT_OF_MEMORY);
    assert_int_equal(vmem_alloc(vmem, 1000, VMEM_DEVICE, 0, 0, 1000, &at), SW_OK);
    assert_int_equal(vmem_alloc(vmem, 1, VMEM_DEVICE, 0, 0, 1000, &at), SW_OUT_OF_MEMORY);
    assert_int_equal(vmem_alloc(vmem, 1, VMEM_DEVICE, 1, 0, 1000, &at), SW_OK);
    assert_int_equal(vmem_alloc(vmem, UINT64_C(1) << 50, VMEM_DEVICE, 0, 0, 0, &at), SW_OUT_OF_MEMORY);
    assert_int_equal(vmem_alloc(vmem, UINT64_MAX - 5, VMEM_DEVICE, 0, 0, 0, &at), SW_OUT_OF_MEMORY);
    assert_int_equal(vmem_live_bytes(vmem, 0), 1000);
    assert_int_equal(vmem_live_bytes(vmem, 1), 1);
    vmem_free_all(vmem);
}

static void test_find(void **state)
{
    (void)state;
    static char host[100];
    struct vmem *vmem = fresh();
    struct vmem_block block;
    assert_false(vmem_nearest(vmem, 5, &block));
    dev_addr a = take(vmem, 100), b = take(vmem, 10000);
    assert_true(vmem_find(vmem, a + 99, &block));
    assert_int_equal(block.base, a);
    assert_int_equal(block.tag, 7);
    assert_false(vmem_find(vmem, a + 100, &block));
    assert_true(vmem_find(vmem, b + 5000, &block));
    assert_int_equal(block.base, b);
    assert_true(vmem_nearest(vmem, a + 104, &block));
    assert_int_equal(block.base, a);
    assert_true(vmem_nearest(vmem, b - 1, &block));
    assert_int_equal(block.base, b);
    assert_int_equal(vmem_register(vmem, host, sizeof host, 3), SW_OK);
    assert_int_equal(vmem_register(vmem, host + 50, 10, 3), SW_INVALID_VALUE);
    assert_true(vmem_find(vmem, (dev_addr)(uintptr_t)host + 20, &block));
    assert_int_equal(block.kind, VMEM_HOST_REGISTERED);
    assert_int_equal(vmem_unregister(vmem, host), SW_OK);
    assert_false(vmem_find(vmem, (dev_addr)(uintptr_t)host, &block));
    vmem_free_all(vmem);
}

static void test_many_small_ones(void **state)
{
    (void)state;
    struct vmem *vmem = fresh();
    enum { MANY = 40000 };
    dev_addr *at = calloc(MANY, sizeof *at);
    for (int i = 0; i < MANY; i++) {
        at[i] = take(vmem, 64);
        *(int *)(uintptr_t)at[i] = i;
    }
    for (int i = 0; i < MANY; i += 2)
        assert_int_equal(vmem_release(vmem, at[i]), SW_OK);
    for (int i = 1; i < MANY; i += 2)
        assert_int_equal(*(int *)(uintptr_t)at[i], i);
    free(at);
    vmem_free_all(vmem);
}

static void test_ranges_merge(void **state)
{
    (void)state;
    struct vmem_ranges ranges;
    uint64_t a, b, c, d;
    vmem_ranges_init(&ranges, 0, 100);
    assert_true(vmem_ranges_take(&ranges, 10, 1, &a) && a == 0);
    assert_true(vmem_ranges_take(&ranges, 10, 16, &b) && b == 16);
    assert_true(vmem_ranges_take(&ranges, 6, 1, &c) && c == 10); /* the hole fits best */
    assert_false(vmem_ranges_take(&ranges, 75, 1, &d));
    assert_true(vmem_ranges_take(&ranges, 74, 1, &d) && d == 26);
    assert_int_equal(ranges.free.count, 0);
    vmem_ranges_give(&ranges, a, 10);
    vmem_ranges_give(&ranges, b, 10);
    vmem_ranges_give(&ranges, d, 74);
    vmem_ranges_give(&ranges, c, 6);
    assert_int_equal(ranges.free.count, 1);
    assert_int_equal(ranges.free.at[0].end, 100);
    vmem_ranges_release(&ranges);
}

static void test_other_pages_are_refused(void **state)
{
    (void)state;
    struct vmem *vmem = NULL;
    struct sw_error error = {0};
    page_bytes = 65536;
    assert_int_equal(vmem_new(&vmem, &error), SW_NOT_SUPPORTED);
    assert_null(vmem);
    assert_non_null(strstr(error.message, "pages of 65536 bytes"));
    page_bytes = 4096;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment_and_fence),
        cmocka_unit_test(test_released_pages_fault_and_come_back_zeroed),
        cmocka_unit_test(test_same_calls_same_addresses),
        cmocka_unit_test(test_quarantine),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_many_small_ones),
        cmocka_unit_test(test_ranges_merge),
        cmocka_unit_test(test_other_pages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
