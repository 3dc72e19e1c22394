/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and pages apart: reserved ranges, mappings of a file, what may be done with them, and allocations
 * that become files. */
#include "vmem/vmem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };
static struct vmem *vmem;

static int setup(void **state)
{
    (void)state;
    struct sw_error error = {0};
    return vmem_new(&vmem, &error) == SW_OK ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    vmem_free_all(vmem);
    return 0;
}

static volatile uint32_t *word(dev_addr at)
{
    return (volatile uint32_t *)(uintptr_t)at;
}

/* Whether touching the address ends a process. */
static bool faults(dev_addr at, bool write)
{
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        if (write)
            *word(at) = 1;
        else
            (void)*word(at);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static struct vmem_block mapping(dev_addr base, uint64_t bytes)
{
    return (struct vmem_block){.base = base, .bytes = bytes, .kind = VMEM_DEVICE, .device = 1};
}

static int pages(uint64_t count)
{
    int file = memfd_create("test", MFD_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)(count * PAGE)), 0);
    return file;
}

static void reserved(void **state)
{
    (void)state;
    dev_addr at, again;
    struct vmem_block block;
    assert_int_equal(vmem_reserve(vmem, 100, 0, &at), SW_INVALID_VALUE);
    assert_int_equal(vmem_reserve(vmem, 4 << 20, UINT64_C(1) << 30, &at), SW_OK);
    assert_int_equal(at % (UINT64_C(1) << 30), 0);
    assert_true(faults(at, false));
    assert_false(vmem_find(vmem, at, &block));
    assert_true(vmem_reserved(vmem, at + PAGE, &block));
    assert_int_equal(block.base, at);
    assert_int_equal(vmem_live_bytes(vmem, 0), 0);
    assert_int_equal(vmem_unreserve(vmem, at, PAGE), SW_INVALID_VALUE);
    assert_int_equal(vmem_unreserve(vmem, at, 4 << 20), SW_OK);
    assert_int_equal(vmem_unreserve(vmem, at, 4 << 20), SW_INVALID_VALUE);
    assert_int_equal(vmem_reserve(vmem, 4 << 20, UINT64_C(1) << 30, &again), SW_OK);
    assert_int_equal(at, again);
    assert_int_equal(vmem_unreserve(vmem, at, 4 << 20), SW_OK);
}

static void mapped(void **state)
{
    (void)state;
    dev_addr at;
    int file = pages(4);
    struct vmem_block found;
    assert_int_equal(vmem_reserve(vmem, 2 << 20, 0, &at), SW_OK);
    struct vmem_block one = mapping(at, 2 * PAGE), two = mapping(at + 2 * PAGE, 2 * PAGE),
                      same = mapping(at + 8 * PAGE, 2 * PAGE), outside = mapping(at - PAGE, PAGE);
    assert_int_equal(vmem_map(vmem, &outside, file, 0), SW_INVALID_VALUE);
    assert_int_equal(vmem_map(vmem, &one, file, 0), SW_OK);
    assert_int_equal(vmem_map(vmem, &one, file, 0), SW_INVALID_VALUE);
    assert_int_equal(vmem_map(vmem, &two, file, 2 * PAGE), SW_OK);
    assert_int_equal(vmem_map(vmem, &same, file, 0), SW_OK);
    assert_int_equal(vmem_unreserve(vmem, at, 2 << 20), SW_INVALID_VALUE);
    assert_true(faults(at, false));
    assert_false(vmem_allows(vmem, at, 4, VMEM_READ));
    assert_int_equal(vmem_protect(vmem, at, VMEM_WRITE), SW_OK);
    assert_int_equal(vmem_protect(vmem, at + 8 * PAGE, VMEM_READ), SW_OK);
    assert_int_equal(vmem_protect(vmem, at + PAGE, VMEM_READ), SW_INVALID_VALUE);
    *word(at + 8) = 77;
    assert_int_equal(*word(at + 8 * PAGE + 8), 77); /* the same page */
    assert_true(faults(at + 8 * PAGE, true));
    assert_true(vmem_allows(vmem, at + 8 * PAGE, 2 * PAGE, VMEM_READ));
    assert_false(vmem_allows(vmem, at + 8 * PAGE, 4, VMEM_WRITE));
    assert_false(vmem_allows(vmem, at, 3 * PAGE, VMEM_READ)); /* the second mapping allows nothing yet */
    assert_int_equal(vmem_protect(vmem, at + 2 * PAGE, VMEM_WRITE), SW_OK);
    assert_true(vmem_allows(vmem, at, 4 * PAGE, VMEM_WRITE));
    assert_false(vmem_allows(vmem, at, 4 * PAGE + 1, VMEM_WRITE));
    assert_true(vmem_find(vmem, at + 3 * PAGE, &found));
    assert_int_equal(found.base, at + 2 * PAGE);
    assert_int_equal(found.device, 1);
    assert_int_equal(vmem_release(vmem, at), SW_INVALID_VALUE); /* no allocation */
    assert_int_equal(vmem_live_bytes(vmem, 1), 0);
    for (dev_addr base = at; base <= at + 8 * PAGE; base += base == at ? 2 * PAGE : 6 * PAGE)
        assert_int_equal(vmem_unmap(vmem, base), SW_OK);
    assert_int_equal(vmem_unmap(vmem, at), SW_INVALID_VALUE);
    assert_true(faults(at, false));
    assert_int_equal(vmem_unreserve(vmem, at, 2 << 20), SW_OK);
    close(file);
}

static void counted(void **state)
{
    (void)state;
    assert_int_equal(vmem_take(vmem, 3, 1000, 1500), SW_OK);
    assert_int_equal(vmem_take(vmem, 3, 1000, 1500), SW_OUT_OF_MEMORY);
    assert_int_equal(vmem_live_bytes(vmem, 3), 1000);
    vmem_give(vmem, 3, 1000);
    assert_int_equal(vmem_live_bytes(vmem, 3), 0);
}

/* An allocation becomes a file with the same bytes; whoever maps the file sees what is written later, and
 * what is freed here stays there. */
static void shared(void **state)
{
    (void)state;
    dev_addr at, other;
    int file, again;
    assert_int_equal(vmem_alloc(vmem, 3 * PAGE + 5, VMEM_DEVICE, 0, 0, 0, &at), SW_OK);
    *word(at + 4) = 5;
    *word(at + 3 * PAGE) = 6;
    assert_int_equal(vmem_share(vmem, at + 1, &file), SW_INVALID_VALUE);
    assert_int_equal(vmem_share(vmem, at, &file), SW_OK);
    assert_int_equal(vmem_share(vmem, at, &again), SW_OK);
    assert_int_equal(file, again);
    struct vmem_block block = {.bytes = 3 * PAGE + 5, .kind = VMEM_DEVICE};
    assert_int_equal(vmem_open(vmem, &block, file, 0, &other), SW_OK);
    assert_int_equal(vmem_live_bytes(vmem, 0), 3 * PAGE + 5); /* once */
    assert_int_equal(*word(other + 4), 5);
    assert_int_equal(*word(other + 3 * PAGE), 6);
    assert_int_equal(*word(other + PAGE), 0);
    *word(at + PAGE) = 9;
    assert_int_equal(*word(other + PAGE), 9);
    assert_int_equal(vmem_release(vmem, at), SW_OK);
    assert_int_equal(*word(other + PAGE), 9);
    assert_int_equal(vmem_release(vmem, other), SW_OK);
    assert_int_equal(vmem_live_bytes(vmem, 0), 0);
}

/* A writer that faulted while one allocation moved may come to its handler when the next ones have moved too:
 * it writes again. A fault that comes again is one. */
static void faults_while_moving(void **state)
{
    (void)state;
    dev_addr first, second;
    int file;
    assert_int_equal(vmem_alloc(vmem, PAGE, VMEM_DEVICE, 0, 0, 0, &first), SW_OK);
    assert_int_equal(vmem_alloc(vmem, PAGE, VMEM_DEVICE, 0, 0, 0, &second), SW_OK);
    assert_int_equal(vmem_share(vmem, first, &file), SW_OK);
    assert_int_equal(vmem_share(vmem, second, &file), SW_OK);
    assert_true(vmem_fault_passes(first));
    assert_false(vmem_fault_passes(first));
    assert_int_equal(vmem_release(vmem, first), SW_OK);
    assert_int_equal(vmem_release(vmem, second), SW_OK);
}

static unsigned denied(uint32_t device, dev_addr at, uint64_t bytes)
{
    struct vmem_permissions permissions;
    return vmem_permissions_of(vmem, device, &permissions) ? vmem_permissions_denied(&permissions, at, bytes)
                                                           : 0;
}

/* What one device may do and another may not. */
static void permissions(void **state)
{
    enum { PIECE = 1 << VMEM_PERMISSIONS_SHIFT };
    (void)state;
    struct vmem_permissions table;
    struct vmem_block block;
    dev_addr first, second, third;
    assert_false(vmem_permissions_of(vmem, 0, &table));
    assert_int_equal(vmem_permissions_begin(vmem, 2), SW_OK);
    assert_int_equal(vmem_alloc(vmem, 1, VMEM_DEVICE, 0, 0, 0, &first), SW_OK);
    assert_int_equal(vmem_alloc(vmem, 3 * PIECE, VMEM_DEVICE, 1, 0, 0, &second), SW_OK);
    assert_int_equal(vmem_alloc(vmem, 1, VMEM_HOST_PINNED, 0, 0, 0, &third), SW_OK);
    assert_int_not_equal(first / PIECE, second / PIECE); /* no two allocations in one piece */
    assert_int_not_equal((second + 3 * PIECE - 1) / PIECE, third / PIECE);
    assert_false(vmem_permissions_of(vmem, 0, &table)); /* nothing is denied yet */
    vmem_permissions_set(vmem, second, 0, VMEM_READ, VMEM_BY_POOL);
    vmem_permissions_set(vmem, second, 1, VMEM_WRITE, VMEM_BY_POOL);
    vmem_permissions_set(vmem, second + 8, 0, VMEM_NONE_ALLOWED,
                         VMEM_BY_PEER); /* no allocation begins there */
    assert_true(vmem_permissions_of(vmem, 0, &table));
    assert_false(vmem_permissions_of(vmem, 1, &table));
    assert_true(vmem_find(vmem, second + 5, &block));
    assert_int_equal(block.right, VMEM_BY_POOL);
    assert_int_equal(denied(0, second, 4), VMEM_WRITE & ~VMEM_READ);
    assert_int_equal(denied(0, second + 3 * PIECE - 4, 4), VMEM_WRITE & ~VMEM_READ);
    assert_int_equal(denied(0, second - 16, 32), VMEM_WRITE & ~VMEM_READ);
    assert_int_equal(denied(0, first, 4), 0);
    assert_int_equal(denied(0, third, 4), 0);
    assert_int_equal(denied(0, (dev_addr)(uintptr_t)&block, 4), 0); /* not of the reservation */
    assert_int_equal(denied(1, second, 4), 0);
    vmem_permissions_set(vmem, second, 0, VMEM_NONE_ALLOWED, VMEM_BY_POOL);
    assert_int_equal(denied(0, second, 4), VMEM_WRITE);
    vmem_permissions_set(vmem, second, 0, VMEM_WRITE, VMEM_BY_POOL);
    assert_false(vmem_permissions_of(vmem, 0, &table));
    vmem_permissions_set(vmem, second, 0, VMEM_READ, VMEM_BY_POOL);
    assert_int_equal(vmem_release(vmem, second), SW_OK); /* what comes next at these addresses is anybody's */
    assert_false(vmem_permissions_of(vmem, 0, &table));
    assert_int_equal(vmem_release(vmem, first), SW_OK);
    assert_int_equal(vmem_release(vmem, third), SW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reserved, setup, teardown),
        cmocka_unit_test_setup_teardown(mapped, setup, teardown),
        cmocka_unit_test_setup_teardown(counted, setup, teardown),
        cmocka_unit_test_setup_teardown(shared, setup, teardown),
        cmocka_unit_test_setup_teardown(faults_while_moving, setup, teardown),
        cmocka_unit_test_setup_teardown(permissions, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
