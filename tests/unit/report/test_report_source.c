/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source files; a path that a kernel names may be of something that has no end. */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena arena;
static struct report_sources sources;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena);
    sources = (struct report_sources){.arena = &arena};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    report_sources_release(&sources);
    arena_release(&arena);
    return 0;
}

static void lines_of_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/softwarp-source-XXXXXX";
    static const char TEXT[] = "first\r\n\n    third\nlast";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, TEXT, strlen(TEXT)) == (ssize_t)strlen(TEXT));
    close(file);
    assert_string_equal(report_source_text(&sources, path, 1), "first");
    assert_string_equal(report_source_text(&sources, path, 2), "");
    assert_string_equal(report_source_text(&sources, path, 3), "    third");
    assert_string_equal(report_source_line(&sources, path, 3), "third");
    assert_string_equal(report_source_text(&sources, path, 4), "last");
    assert_null(report_source_text(&sources, path, 5));
    assert_null(report_source_text(&sources, path, 0));
    unlink(path);
}

static void no_plain_files(void **state)
{
    (void)state;
    char pipe[] = "/tmp/softwarp-source-XXXXXX";
    assert_non_null(mkdtemp(pipe));
    char path[sizeof pipe + 5];
    snprintf(path, sizeof path, "%s/pipe", pipe);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(report_source_text(&sources, path, 1)); /* nobody writes to it */
    assert_null(report_source_text(&sources, "/dev/zero", 1));
    assert_null(report_source_text(&sources, pipe, 1));
    assert_null(report_source_text(&sources, "/no such file", 1));
    unlink(path);
    rmdir(pipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_of_a_file, setup, teardown),
        cmocka_unit_test_setup_teardown(no_plain_files, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
