/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the loader maps a compiler's objects and refuses damaged ones. Method: a C
 * compiler makes the objects, so that their relocations are real. Then each byte of one is damaged in turn;
 * the loader may fail or succeed, but must not crash. Skips where no compiler is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/code/engine_load.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "#include <string.h>\n"
    "#include <math.h>\n"
    "static const double table[4] = {1.5, 2.5, 3.5, 4.5};\n"
    "static const char *const names[2] = {\"alpha\", \"beta\"};\n"
    "static int counter = 40, zeroed;\n"
    "__attribute__((noinline)) static double pick(int i) { return fmod(table[i & 3], 2.0); }\n"
    "static int a(void) { return 1; } static int b(void) { return 2; }\n"
    "static int (*const calls[2])(void) = {a, b};\n"
    "void softwarp_run(void *ctx, unsigned long first, unsigned long count) {\n"
    "  double *out = ctx; char text[64]; memset(text, 0, sizeof text);\n"
    "  memcpy(text, names[first & 1], 5); counter++; zeroed += 2;\n"
    "  out[0] = pick((int)first); out[1] = counter; out[2] = zeroed; out[3] = text[0]; out[4] = calls[count "
    "& 1]();\n"
    "}\n"
    "unsigned softwarp_step(void *ctx, unsigned long block) {\n"
    "  switch (block) { case 0: return 3; case 1: return 14; case 2: return 15; case 3: return 92; case 4: "
    "return 65;\n"
    "  case 5: return 35; } (void)ctx; return 0; }\n";

static uint8_t *compile(const char *text, const char *flags, size_t *bytes)
{
    char folder[] = "/tmp/softwarp-load-XXXXXX", command[1024], path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.o", folder);
    /* Ubuntu's compiler enables the stack protector by default, whose function does not exist here */
    snprintf(command, sizeof command, SW_CC " -x c -w -fno-stack-protector -c %s -o %s - 2>/dev/null", flags,
             path);
    FILE *pipe = popen(command, "w");
    fputs(text, pipe);
    uint8_t *data = NULL;
    if (pclose(pipe) == 0) {
        FILE *file = fopen(path, "rb");
        data = malloc(1 << 20);
        *bytes = fread(data, 1, 1 << 20, file);
        fclose(file);
    }
    (void)unlink(path);
    (void)rmdir(folder);
    return data;
}

static void check_flags(const char *flags)
{
    size_t bytes;
    uint8_t *object = compile(source, flags, &bytes);
    if (!object) skip();
    struct engine_image image;
    struct sw_error error = {0};
    double out[5];
    if (engine_image_load(object, bytes, &image, &error) != SW_OK) fail_msg("%s: %s", flags, error.message);
    image.run((struct jit_ctx *)(void *)out, 1, 2);
    assert_true(out[0] == 0.5 && out[1] == 41 && out[2] == 2 && out[3] == 'b' && out[4] == 1);
    image.run((struct jit_ctx *)(void *)out, 0, 1);
    assert_true(out[0] == 1.5 && out[1] == 42 && out[2] == 4 && out[3] == 'a' && out[4] == 2);
    assert_int_equal(image.step(NULL, 3), 92);
    engine_image_release(&image);
    free(object);
}

static void test_loads_what_compilers_make(void **state)
{
    (void)state;
    check_flags("-O2 -fPIC");
    check_flags("-O0 -fPIC");
    check_flags("-O2 -fPIC -ffunction-sections -fdata-sections -fno-plt");
}

static void test_names_what_is_missing(void **state)
{
    (void)state;
    size_t bytes;
    uint8_t *object =
        compile("void puts(char*); void softwarp_run(void) { puts(\"x\"); }", "-O1 -fPIC", &bytes);
    if (!object) skip();
    struct engine_image image;
    struct sw_error error = {0};
    assert_int_equal(engine_image_load(object, bytes, &image, &error), SW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'puts'"));
    free(object);
}

static void test_damage_never_crashes(void **state)
{
    (void)state;
    size_t bytes, loaded = 0;
    uint8_t *object = compile(source, "-O2 -fPIC", &bytes);
    if (!object) skip();
    for (size_t i = 0; i < bytes; i++) {
        struct engine_image image = {0};
        object[i] ^= 0xff;
        if (engine_image_load(object, bytes, &image, NULL) == SW_OK) loaded++;
        engine_image_release(&image);
        object[i] ^= 0xff;
    }
    for (size_t size = 0; size < bytes; size += 7) {
        struct engine_image image = {0};
        uint8_t *cut = malloc(size + 1);
        memcpy(cut, object, size);
        assert_int_not_equal(engine_image_load(cut, size, &image, NULL), SW_OK);
        free(cut);
    }
    assert_true(loaded > 0);
    free(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_what_compilers_make),
        cmocka_unit_test(test_names_what_is_missing),
        cmocka_unit_test(test_damage_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
