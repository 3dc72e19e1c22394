/* SPDX-License-Identifier: Apache-2.0 */
/* How many machine instructions become of a PTX instruction, by compute capability: as ptxas 13.0 makes them
 * (tests/hw/sass/counts.tsv). */
#include "event_code.h"
#include "sass/sass.h"

#include <stdio.h>

/* Forms whose counts say something else than the table, and why. */
static const struct {
    const char *form, *reason;
} OTHERS[] = {
    {"abs.", "of several in a chain one is left"},
    {"neg.", "of several in a chain one is left"},
    {"not.", "of several in a chain one is left"},
    {"cnot.", "of several in a chain one is left"},
    {"rcp.approx", "of several in a chain one is left"},
    {"cvt.sat.f32.f32", "of several in a chain one is left"},
    {"cvt.u32.u8", "of several in a chain one is left"},
    {"cvt.s32.s8", "of several in a chain one is left"},
    {"ex2.approx.f32", "the result of another needs no test; executed instructions were recorded"},
    {"lg2.approx.f32", "the result of another needs no test; executed instructions were recorded"},
    {"selp.b", "becomes the guard of a load"},
    {"selp.f32", "becomes the guard of a load"},
    {"mad.wide", "the addend comes later than the factors, so that it is added apart"},
    {"bfe.u32", "position and length in registers: programs mostly have constants"},
    {"bfe.s32", "position and length in registers: programs mostly have constants"},
    {"bfi.b32", "position and length in registers: programs mostly have constants"},
    {"div.s32", "loops keep what they need of a divisor; executed instructions were recorded"},
    {"div.u32", "loops keep what they need of a divisor; executed instructions were recorded"},
    {"rem.s32", "loops keep what they need of a divisor; executed instructions were recorded"},
    {"rem.u32", "loops keep what they need of a divisor; executed instructions were recorded"},
    {"vmax.", "with a second operation"},
    {"vabsdiff4.", "with a second operation: a quarter of it moves"},
    {"mul.lo.s16", "operands of 16 bits are widened"},
};
/* Moves go to either pipe and stand in a column of their own; a half of what is left of some instructions is
 * a move that has another name there. */
static const double TOLERANCE = 0.6;

struct line {
    char form[64], letters[16], cc[8], opcodes[256];
    double fma, alu, xu, fp64, half, other, moves;
};

static bool is_other(const char *form)
{
    for (size_t i = 0; i < SW_COUNT_OF(OTHERS); i++)
        if (strncmp(form, OTHERS[i].form, strlen(OTHERS[i].form)) == 0) return true;
    return false;
}

/* How many of them there are for one instruction. */
static double count_of(const struct line *line, const char *opcode)
{
    char key[32];
    snprintf(key, sizeof key, "%s:", opcode);
    const char *found = strstr(line->opcodes, key);
    double count = 0;
    return found && sscanf(found + strlen(key), "%lf", &count) == 1 ? count : 0;
}

/* What the form itself becomes: a result that is a predicate guards a store of a constant (LDC); 16 bits are
 * packed for and after memory (PRMT). False: slow paths stand in the code, too, or ptxas refuses it. */
static bool read_line(char *text, struct line *line)
{
    if (sscanf(text, "%63s %15s %7s %lf %lf %lf %lf %lf %lf %lf %255[^\n]", line->form, line->letters,
               line->cc, &line->fma, &line->alu, &line->xu, &line->fp64, &line->half, &line->other,
               &line->moves, line->opcodes) != 11)
        return false;
    if (line->letters[0] == 'p') line->other -= count_of(line, "LDC");
    if (strchr(line->letters, 'h')) line->alu -= count_of(line, "PRMT");
    return !strstr(line->opcodes, "CALL") && !strstr(line->opcodes, "BRA");
}

static void lower_form(const struct line *line, struct sass_lower *lower)
{
    static const char *const NAMES[] = {
        ['r'] = "r", ['d'] = "rd", ['h'] = "rs", ['f'] = "f", ['g'] = "fd", ['p'] = "p"};
    int major = 0, minor = 0;
    struct str text = {0};
    struct event_code code;
    assert_int_equal(sscanf(line->cc, "%d.%d", &major, &minor), 2);
    struct arch_gpu gpu = {.cc_major = major, .cc_minor = minor};
    str_printf(&text, "%s ", line->form);
    for (int i = 0; line->letters[i]; i++)
        str_printf(&text, "%s%%%s%d", i ? ", " : "", NAMES[(unsigned char)line->letters[i]], i + 1);
    str_add(&text, ";");
    event_code_open(&code, str_text(&text));
    struct sass_lower all[4] = {0};
    assert_true(code.kernel.instr_count <= SW_COUNT_OF(all));
    sass_lower_kernel(&gpu, &code.kernel, all);
    *lower = all[0];
    lower->other -= 1; /* the kernel's own */
    event_code_close(&code);
    str_release(&text);
}

static bool is_near(double have, double want)
{
    return have - want < TOLERANCE && want - have < TOLERANCE;
}

static void forms_become_what_ptxas_makes_of_them(void **state)
{
    (void)state;
    enum { LEAST = 1400 }; /* lines that are compared */
    char text[512];
    int compared = 0, wrong = 0;
    FILE *file = fopen(SW_SOURCE_DIR "/tests/hw/sass/counts.tsv", "r");
    assert_non_null(file);
    while (fgets(text, sizeof text, file)) {
        struct line line;
        struct sass_lower l;
        if (!read_line(text, &line) || is_other(line.form)) continue;
        lower_form(&line, &l);
        compared++;
        /* Additions and what becomes of them go to one pipe or another; a wide product counts twice. */
        bool same =
            is_near(l.xu, line.xu) && is_near(l.fp64, line.fp64) &&
            is_near(sass_slots(&l), line.fma + line.alu + line.xu + line.fp64 + line.half + line.other);
        if (same) continue;
        print_error("%s on %s: %g fma, %g alu, %g xu, %g fp64, %g half, %g other; ptxas: %s\n", line.form,
                    line.cc, l.fma, l.alu, l.xu, l.fp64, l.half, l.other, line.opcodes);
        wrong++;
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(compared >= LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_become_what_ptxas_makes_of_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
