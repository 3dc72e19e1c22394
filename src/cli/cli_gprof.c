/* SPDX-License-Identifier: Apache-2.0 */
/* gprof's flat profile: a function a line, with its share of the time. Limits: English, as gprof writes it.
 */
#include "cli_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A number of calls; 0 where it is none that can be. */
static uint64_t calls_of(double number)
{
    static const double MOST = 18446744073709549568.0; /* definition: the largest double below 2^64 */
    return number >= 0 && number <= MOST ? (uint64_t)number : 0;
}

/* "%time cumulative self [calls self total] name"; false: no such line. */
static bool parse_line(const char *line, struct arena *arena, struct cli_hotspot *out)
{
    double numbers[6];
    int count = 0;
    const char *at = line;
    while (count < 6) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || (*end && !isspace((unsigned char)*end))) break;
        numbers[count++] = value;
        at = end;
    }
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\r\n");
    if (count < 3 || count == 5 || !length) return false;
    *out = (struct cli_hotspot){.name = arena_strndup(arena, at, length),
                                .share = numbers[0] / 100,
                                .seconds = numbers[2],
                                .calls = count >= 4 ? calls_of(numbers[3]) : 0,
                                .has_calls = count >= 4};
    return out->share >= 0 && out->share <= 1;
}

/* A program that ends before the first sample is taken has a table of zeros. */
static int check_samples(const char *path, const cli_hotspots *list)
{
    double seconds = 0;
    for (size_t i = 0; i < list->count; i++)
        seconds += list->at[i].seconds;
    if (seconds > 0) return -1;
    return cli_fail(
        CLI_USAGE,
        "'%s' has no samples: the program ended too soon for gprof; give it more work, so that it "
        "runs for some seconds, and make the profile again",
        path);
}

/* The flat profile: from the line of its heads ("time seconds seconds ... name") to the first empty one. */
int cli_gprof_read(const char *path, struct arena *arena, cli_hotspots *out)
{
    FILE *file = fopen(path, "r");
    if (!file) return cli_fail(CLI_USAGE, "cannot read '%s': %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    bool inside = false;
    while (getline(&line, &capacity, file) > 0) {
        struct cli_hotspot hotspot;
        if (strstr(line, "seconds") && strstr(line, "name")) {
            inside = true;
        } else if (inside && !line[strspn(line, " \t\r\n\f")]) {
            break;
        } else if (inside && parse_line(line, arena, &hotspot)) {
            *vec_push(out) = hotspot;
        }
    }
    free(line);
    fclose(file);
    if (!out->count)
        return cli_fail(CLI_USAGE, "'%s' has no flat profile: make it with gprof PROGRAM gmon.out > %s", path,
                        path);
    return check_samples(path, out);
}
