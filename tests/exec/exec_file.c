/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: read a .ptx test file and the directives in its comments:
 *   // buffer: NAME TYPE COUNT INIT [rel=X] [abs=X]       INIT: zero iota random special small
 *   // launch: KERNEL grid=X[,Y[,Z]] block=X[,Y[,Z]] [shared=BYTES] [together|resident] params=P,P...
 *              P: a buffer's name, u32:N, u64:N, f32:X or f64:X
 *   // fails: STATUS TEXT        the last launch ends with this status, its message holds TEXT
 * Limits: mistakes in directives end the program. */
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const struct exec_case *test, const char *line)
{
    fprintf(stderr, "%s: bad directive: %s\n", test->name, line);
    exit(2);
}

static enum isa_type type_named(const char *name)
{
    for (int t = 1; t < ISA_TYPE_COUNT; t++)
        if (strcmp(isa_type_name((enum isa_type)t), name) == 0) return (enum isa_type)t;
    return ISA_TYPE_NONE;
}

static void read_buffer(struct exec_case *test, char *line)
{
    struct exec_buffer *buffer = &test->buffers[test->buffer_count++];
    char type[16], *option;
    unsigned long long count;
    if (sscanf(line, "%31s %15s %llu %15s", buffer->name, type, &count, buffer->init) != 4)
        give_up(test, line);
    buffer->type = type_named(type);
    buffer->count = count;
    buffer->bytes = count * isa_type_bits(buffer->type) / 8;
    if ((option = strstr(line, "rel="))) buffer->relative = strtod(option + 4, NULL);
    if ((option = strstr(line, "abs="))) buffer->absolute = strtod(option + 4, NULL);
}

static struct exec_param read_param(struct exec_case *test, const char *text)
{
    for (unsigned i = 0; i < test->buffer_count; i++)
        if (strcmp(test->buffers[i].name, text) == 0)
            return (struct exec_param){.buffer = &test->buffers[i], .bytes = 8};
    struct exec_param param = {.bytes = strstr(text, "64:") ? 8 : 4};
    const char *value = strchr(text, ':');
    if (!value) give_up(test, text);
    double real = strtod(value + 1, NULL);
    float single = (float)real;
    if (text[0] == 'u')
        param.bits = strtoull(value + 1, NULL, 0);
    else if (param.bytes == 8)
        memcpy(&param.bits, &real, 8);
    else
        memcpy(&param.bits, &single, 4);
    return param;
}

static void read_three(const char *text, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    (void)sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]);
}

static void read_launch(struct exec_case *test, char *line)
{
    if (test->launch_count == EXEC_LAUNCHES) BUG("more than %d launches", EXEC_LAUNCHES);
    struct exec_launch *launch = &test->launches[test->launch_count++];
    char *save = NULL, *inner = NULL, *word = strtok_r(line, " ", &save);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", word);
    while ((word = strtok_r(NULL, " ", &save))) {
        if (strncmp(word, "grid=", 5) == 0)
            read_three(word + 5, launch->grid);
        else if (strncmp(word, "block=", 6) == 0)
            read_three(word + 6, launch->block);
        else if (strncmp(word, "shared=", 7) == 0)
            launch->shared = (uint32_t)strtoul(word + 7, NULL, 10);
        else if (strcmp(word, "together") == 0)
            launch->together = true;
        else if (strcmp(word, "resident") == 0)
            launch->resident = true;
        else if (strncmp(word, "params=", 7) == 0)
            for (char *p = strtok_r(word + 7, ",", &inner); p; p = strtok_r(NULL, ",", &inner))
                launch->params[launch->param_count++] = read_param(test, p);
        else
            give_up(test, word);
    }
}

static enum sw_status status_named(const char *name)
{
    for (int s = 0; s < SW_STATUS_COUNT; s++)
        if (strcmp(sw_status_name((enum sw_status)s), name) == 0) return (enum sw_status)s;
    return SW_UNKNOWN;
}

static void read_line(struct exec_case *test, char *line)
{
    char status[64];
    if (strncmp(line, "// buffer: ", 11) == 0) read_buffer(test, line + 11);
    if (strncmp(line, "// launch: ", 11) == 0) read_launch(test, line + 11);
    if (strncmp(line, "// fails: ", 10) == 0) {
        if (sscanf(line + 10, "%63s %127[^\n]", status, test->wanted_text) < 1) give_up(test, line);
        test->wanted_status = status_named(status);
    }
}

bool exec_file_read(const char *path, struct exec_case *out)
{
    FILE *file = fopen(path, "rb");
    struct str text = {0};
    char line[1024];
    *out = (struct exec_case){.name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path};
    if (!file) return false;
    while (fgets(line, sizeof line, file)) {
        str_add(&text, line);
        line[strcspn(line, "\n")] = 0;
        read_line(out, line);
    }
    fclose(file);
    out->length = text.length;
    out->text = str_steal(&text);
    return out->launch_count > 0;
}
