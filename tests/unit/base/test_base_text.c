/* SPDX-License-Identifier: Apache-2.0 */
/* Catalogues of translations: looked up as they are, and refused when they are cut off or point outside
 * themselves. */
#include "base/base_text.h"

#include "base/base.h"

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

/* Two texts, by the format in GNU gettext's manual. */
struct sample {
    uint32_t magic, revision, count, originals, translations, hash_size, hashes;
    uint32_t original[2][2], translation[2][2];
    char text[32];
};

#define AT(offset) (uint32_t)(offsetof(struct sample, text) + (offset))

static const struct sample SAMPLE = {
    .magic = 0x950412de,
    .count = 2,
    .originals = offsetof(struct sample, original),
    .translations = offsetof(struct sample, translation),
    .original = {{0, AT(0)}, {4, AT(1)}},
    .translation = {{6, AT(6)}, {6, AT(13)}},
    .text = "\0warp\0header\0线束",
};

static char folder[] = "/tmp/softwarp-text-XXXXXX";

static void file_name(char *path, size_t size)
{
    snprintf(path, size, "%s/zh_CN/LC_MESSAGES/softwarp.mo", folder);
}

static void write_catalogue(const void *data, size_t bytes)
{
    char path[128];
    file_name(path, sizeof path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

static int setup(void **state)
{
    (void)state;
    char path[128];
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/zh_CN", folder);
    if (mkdir(path, 0700)) return -1;
    snprintf(path, sizeof path, "%s/zh_CN/LC_MESSAGES", folder);
    return mkdir(path, 0700);
}

static int teardown(void **state)
{
    (void)state;
    char path[128];
    file_name(path, sizeof path);
    unlink(path);
    for (int i = 0; i < 3; i++) {
        *strrchr(path, '/') = '\0';
        rmdir(path);
    }
    return 0;
}

static void texts_are_translated(void **state)
{
    (void)state;
    write_catalogue(&SAMPLE, sizeof SAMPLE);
    assert_int_equal(sw_text_open("zh", folder), 1);
    assert_string_equal(sw_text("warp"), "线束");
    assert_string_equal(sw_text("block"), "block");
    assert_string_equal(sw_text(""), "");
    assert_int_equal(sw_text_open("en", folder), 1);
    assert_string_equal(sw_text("warp"), "warp");
}

static void locales_choose_the_language(void **state)
{
    (void)state;
    write_catalogue(&SAMPLE, sizeof SAMPLE);
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    setenv("LANG", "zh_CN.UTF-8", 1);
    assert_int_equal(sw_text_open(NULL, folder), 1);
    assert_string_equal(sw_text("warp"), "线束");
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_int_equal(sw_text_open(NULL, folder), 1);
    assert_string_equal(sw_text("warp"), "warp");
}

static void missing_catalogues_are_refused(void **state)
{
    (void)state;
    assert_int_equal(sw_text_open("zh", "/nonexistent"), 0);
    assert_int_equal(sw_text_open("fr", folder), 0);
    assert_string_equal(sw_text("warp"), "warp");
}

static void bad_catalogues_are_refused(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < AT(20); bytes++) { /* its last text ends there */
        write_catalogue(&SAMPLE, bytes);
        assert_int_equal(sw_text_open("zh", folder), 0);
        assert_string_equal(sw_text("warp"), "warp");
    }
    for (size_t word = 0; word < offsetof(struct sample, text) / 4; word++) {
        struct sample bad = SAMPLE;
        uint32_t far = 0xffffff00;
        if (word == 5 || word == 6) continue; /* the hash table is not used */
        memcpy((char *)&bad + 4 * word, &far, 4);
        write_catalogue(&bad, sizeof bad);
        assert_int_equal(sw_text_open("zh", folder), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_translated), cmocka_unit_test(locales_choose_the_language),
        cmocka_unit_test(missing_catalogues_are_refused), cmocka_unit_test(bad_catalogues_are_refused)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
