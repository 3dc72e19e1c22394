/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual machine: lists of devices, what CUDA_VISIBLE_DEVICES leaves (expected values: recorded on two
 * H200s, see tests/driver/sharing_answers.h200.txt), and the record that processes share, a killed one
 * included. */
#include "arch/arch_machine.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct arch_device devices[ARCH_DEVICES];
static uint32_t count;

static void load(const char *list)
{
    struct sw_error error = {0};
    assert_int_equal(arch_machine_load(list, devices, &count, &error), SW_OK);
}

static void lists(void **state)
{
    (void)state;
    struct sw_error error = {0};
    load(NULL);
    assert_int_equal(count, 1);
    assert_string_equal(devices[0].gpu.name, "h200");
    load("h200:2,v100");
    assert_int_equal(count, 3);
    assert_string_equal(devices[2].gpu.name, "v100");
    assert_int_equal(devices[2].number, 2);
    assert_memory_not_equal(devices[0].uuid, devices[1].uuid, 16);
    assert_int_not_equal(devices[0].key, devices[1].key);
    assert_int_equal(arch_machine_load("h200:17", devices, &count, &error), SW_INVALID_DEVICE);
    assert_int_equal(arch_machine_load("h200:x", devices, &count, &error), SW_INVALID_DEVICE);
    assert_int_equal(arch_machine_load("nothing", devices, &count, &error), SW_INVALID_DEVICE);
    assert_int_equal(arch_machine_load("h200,", devices, &count, &error), SW_INVALID_DEVICE);
}

static void visible(void **state)
{
    (void)state;
    char uuid[48], both[128], part[16];
    load("h200:2");
    arch_machine_uuid(&devices[1], uuid);
    assert_int_equal(strlen(uuid), 40);
    snprintf(both, sizeof both, "%s,0", uuid);
    snprintf(part, sizeof part, "%.10s", uuid);
    static const struct {
        const char *text, *left;
    } CASES[] = {{"", ""},       {"0", "0"},    {"1,0", "10"},  {"0,-1,1", "0"}, {"-1", ""},    {"9", ""},
                 {"0,9,1", "0"}, {"1gpu", "1"}, {"0 ,1", "01"}, {" 1", "1"},     {"x", ""},     {"0x1", "0"},
                 {"1.5", "1"},   {"+1", "1"},   {",0", ""},     {"0,,1", "0"},   {"all", ""},   {"UUID", "1"},
                 {"PART", "1"},  {"BOTH", "1"}, {"GPU-", ""},   {"0,0", "?"},    {"0,1,0", "?"}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        const char *text = CASES[i].text;
        if (strcmp(text, "UUID") == 0) text = uuid;
        if (strcmp(text, "PART") == 0) text = part;
        if (strcmp(text, "BOTH") == 0) text = both;
        uint32_t chosen[ARCH_DEVICES], left = arch_machine_visible(devices, count, NULL, text, chosen);
        char got[8] = "?";
        for (uint32_t k = 0; left != ARCH_VISIBLE_TWICE && k <= left; k++)
            got[k] = k < left ? (char)('0' + chosen[k]) : 0;
        if (strcmp(got, CASES[i].left) != 0) fail_msg("'%s' leaves '%s', not '%s'", text, got, CASES[i].left);
    }
}

static void order(void **state)
{
    (void)state;
    uint32_t chosen[ARCH_DEVICES];
    load("t4,h200,v100");
    assert_int_equal(arch_machine_visible(devices, count, NULL, NULL, chosen), 3);
    assert_int_equal(chosen[0], 0);
    arch_machine_visible(devices, count, "FASTEST_FIRST", NULL, chosen);
    assert_int_equal(chosen[0], 1);
    assert_int_equal(chosen[1], 2);
    assert_int_equal(chosen[2], 0);
    arch_machine_visible(devices, count, "PCI_BUS_ID", NULL, chosen);
    assert_int_equal(chosen[0], 0);
    assert_int_equal(arch_machine_visible(devices, count, "FASTEST_FIRST", "0", chosen), 1);
    assert_int_equal(chosen[0], 1);
}

static void hold(int ready)
{
    arch_record_enter(devices, count);
    arch_record_bytes(devices[0].key, 1000);
    arch_record_begin(devices[0].key);
    if (write(ready, "x", 1) == 1) pause();
    _exit(0);
}

/* A process is seen while it lives, by number, bytes and time, and not once it was killed. */
static void record(void **state)
{
    (void)state;
    static struct arch_usage all[ARCH_PROCESSES];
    int ready[2];
    char byte;
    uint32_t busy = 0;
    load("h200:2");
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) hold(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    arch_record_enter(devices, count);
    arch_record_bytes(devices[0].key, 5);
    assert_int_equal(arch_record_others(devices[0].key, true), 1000);
    assert_int_equal(arch_record_others(devices[1].key, true), 0);
    usleep(1200000);
    uint32_t n = arch_record_processes(devices[0].key, all, &busy);
    assert_int_equal(n, 2);
    const struct arch_usage *child = all[0].pid == pid ? &all[0] : &all[1];
    assert_int_equal(child->pid, pid);
    assert_int_equal(child->bytes, 1000);
    assert_true(child->busy_percent >= 95);
    assert_int_equal(arch_record_processes(devices[1].key, all, &busy), 0);
    assert_int_equal(busy, 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(arch_record_others(devices[0].key, true), 0);
    assert_int_equal(arch_record_others(devices[0].key, false), 1000);
    assert_int_equal(arch_record_processes(devices[0].key, all, &busy), 1);
}

static int private_folder(void **state)
{
    (void)state;
    static char folder[] = "/tmp/softwarp-test-XXXXXX";
    return mkdtemp(folder) && setenv("SOFTWARP_RUNTIME_DIR", folder, 1) == 0 ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -r '%s'", getenv("SOFTWARP_RUNTIME_DIR"));
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(visible),
        cmocka_unit_test(order),
        cmocka_unit_test(record),
    };
    return cmocka_run_group_tests(tests, private_folder, remove_folder);
}
