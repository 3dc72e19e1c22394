/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what is not supported is refused, and says what, where and what to do; also when it is written
 * wrongly. Method: each instruction of unsupported.txt in a kernel of its own, then with each of its words
 * and operands left out in turn, and doubled. The whole one must be SW_UNSUPPORTED with a message that names
 * the instruction, the kernel, the line and a way out; the others must be refused with any message. No
 * machine code is run. Limits: one instruction a kernel. */
#include "forms_unsupported.h"
#include "forms_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 5 }; /* of the instruction in the module */

static void module_text(struct forms_text *out, const char *target, const char *instruction)
{
    out->length = 0;
    forms_add(
        out,
        ".version 8.7\n.target %s\n.address_size 64\n"
        ".visible .entry forms(.param .u64 in, .param .u64 out, .param .u64 cells, .param .align 16 .b8 "
        "blob[%d]) {"
        ".reg .b16 %%h<16>; .reg .b32 %%r<16>; .reg .b64 %%d<16>; .reg .f32 %%f<16>; .reg .pred %%p<16>; "
        ".shared .align 128 .b8 own[512];\n%s;\nret; }\n",
        target, FORMS_BLOB_BYTES, instruction);
}

static enum sw_status outcome(struct forms_lab *lab, const struct forms_text *text, struct sw_error *error)
{
    struct forms_job job = {.kernel = "forms", .blocks = 1, .threads = 128, .out_bytes = 8};
    *error = (struct sw_error){0};
    enum sw_status status = forms_job_open(lab, text->text, text->length, &job, error);
    if (status != SW_OK) return status;
    status = forms_job_compiled(lab, &job, 0, error);
    forms_job_close(lab, &job);
    return status;
}

static bool has_number(const char *message, unsigned number)
{
    char text[32];
    snprintf(text, sizeof text, "line %u", number);
    return strstr(message, text) != NULL;
}

static bool is_told(const char *instruction, enum sw_status status, const char *message)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(instruction, ". "), instruction);
    return status == SW_UNSUPPORTED && strstr(message, name) && strstr(message, "'forms'") &&
           has_number(message, LINE) &&
           (strchr(message, ';') || strstr(message, "run it on") || strstr(message, "use "));
}

/* Words between dots, blanks and commas, each left out or doubled */
static unsigned hostile(struct forms_lab *lab, const char *target, const char *instruction)
{
    struct forms_text text = {0};
    struct sw_error error;
    unsigned failures = 0;
    char changed[512];
    for (size_t at = 0, length; instruction[at]; at += length) {
        length = 1 + strcspn(instruction + at + 1, "., {}[]");
        for (unsigned twice = 0; twice < 2; twice++) {
            snprintf(changed, sizeof changed, "%.*s%s", (int)(at + (twice ? length : 0)), instruction,
                     instruction + at + (twice ? 0 : length));
            module_text(&text, target, changed);
            enum sw_status status = outcome(lab, &text, &error);
            if (status == SW_OK || error.message[0]) continue;
            printf("FAIL without a word: %s\n", changed);
            failures++;
        }
    }
    free(text.text);
    return failures;
}

static unsigned check(struct forms_lab *lab, const char *target, const char *instruction, bool verbose)
{
    struct forms_text text = {0};
    struct sw_error error;
    if (*target == '+') return hostile(lab, target + 1, instruction);
    module_text(&text, target, instruction);
    enum sw_status status = outcome(lab, &text, &error);
    bool told = is_told(instruction, status, error.message);
    if (!told || verbose)
        printf("%s %s\n    %s: %s\n", told ? "ok" : "FAIL", instruction, sw_status_name(status),
               error.message);
    free(text.text);
    return !told + hostile(lab, target, instruction);
}

int forms_unsupported(const char *path, bool verbose)
{
    struct forms_lab lab;
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    unsigned count = 0, failures = 0;
    if (!file) return 2;
    forms_lab_open(&lab, 1 << 16, false);
    while (getline(&line, &capacity, file) > 0) {
        char *instruction = strchr(line, '\t');
        if (*line == '#' || !instruction) continue;
        *instruction++ = 0;
        instruction[strcspn(instruction, "\n")] = 0;
        failures += check(&lab, line, instruction, verbose);
        count++;
    }
    free(line);
    fclose(file);
    printf("%u instructions that are not supported, %u failed\n", count, failures);
    return failures != 0 || count == 0;
}
