/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run a program under several orders of blocks and warps, and find what the order changes.
 * Method: the program runs once for each schedule, from the same addresses (no address space randomization).
 * What memory holds after each launch, what the program prints and its exit status are compared with those
 * of schedule 0. Where something differs, two more runs follow, of schedule 0 and of one that differs.
 * Where a schedule differs from itself, the program is random, reads a clock or has threads that race, and
 * this is not compared: memory, exit status, or the lines of output. Both record the bytes that differ, so
 * that the finding can name the first element. A launch that is another one than under schedule 0 while
 * memory was the same until then is no result of the order: threads of the host race, or the host knows from
 * where this does not look. Limits: one finding on memory, of the first launch that differs, and one each on
 * output and status. Only the first run's output is printed, when that run is over. Standard input is read by
 * each run from the same place, if it is a file; else by the first run alone. */
#include "cli_priv.h"

#include "event/event_kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- one run */

static int schedule_run(const struct cli_schedules *all, uint32_t number, const struct session_look *look,
                        struct arena *arena, struct cli_schedule_run *out)
{
    struct session_options options = *all->run->options;
    struct cli_run run = *all->run;
    options.schedule = (struct event_order){true, number, all->seed};
    if (look) options.look = *look;
    run.options = &options;
    run.quiet = number > 0 || look;
    out->output = tmpfile();
    if (!out->output) return cli_fail(CLI_INTERNAL, "cannot make a temporary file: %s", strerror(errno));
    run.output = out->output;
    if (all->input >= 0) (void)lseek(STDIN_FILENO, all->input, SEEK_SET);
    out->status = cli_run_program(&run, arena, &out->reader, &out->ran);
    return CLI_OK;
}

static void schedule_run_release(struct cli_schedule_run *run)
{
    session_close(run->reader);
    if (run->output) fclose(run->output);
}

static bool is_whole(const struct cli_schedule_run *run)
{
    return run->ran && run->reader;
}

static size_t read_output(const struct cli_schedule_run *run, uint64_t at, char *out, size_t bytes)
{
    ssize_t got = pread(fileno(run->output), out, bytes, (off_t)at);
    return got > 0 ? (size_t)got : 0;
}

enum { PIECE_BYTES = 1 << 16, LOOK_MOST = 1 << 30 /* of a part; implementation: stays in memory */ };

static int print_output(const struct cli_schedule_run *run)
{
    char text[PIECE_BYTES];
    uint64_t at = 0;
    for (size_t got; (got = read_output(run, at, text, sizeof text)) > 0; at += got)
        if (fwrite(text, 1, got, stdout) != got) break;
    return fflush(stdout) == 0 && !ferror(stdout)
               ? CLI_OK
               : cli_fail(CLI_INTERNAL, "cannot write the program's output: %s", strerror(errno));
}

struct line {
    char *text;
    size_t capacity;
    ssize_t length; /* -1: there are no more */
};

static void next_line(const struct cli_schedule_run *run, struct line *line)
{
    if (line->length >= 0) line->length = getline(&line->text, &line->capacity, run->output);
}

static bool same_line(const struct line *a, const struct line *b)
{
    return a->length == b->length && (a->length <= 0 || memcmp(a->text, b->text, (size_t)a->length) == 0);
}

/* Where the output of b is not that of a: the line, from 1; 0: nowhere. Lines in which `again`, the same
 * schedule as a, is not like a, such as those with times, do not count; NULL: all do. */
static uint64_t output_differs(const struct cli_schedule_run *a, const struct cli_schedule_run *b,
                               const struct cli_schedule_run *again)
{
    const struct cli_schedule_run *const runs[] = {a, b, again ? again : a};
    struct line lines[SW_COUNT_OF(runs)] = {0};
    uint64_t number = 0, found = 0;
    for (size_t i = 0; i < SW_COUNT_OF(runs); i++)
        rewind(runs[i]->output);
    do {
        number++;
        for (size_t i = 0; i < (again ? 3u : 2u); i++)
            next_line(runs[i], &lines[i]);
        if (!same_line(&lines[0], &lines[1]) && (!again || same_line(&lines[0], &lines[2]))) found = number;
    } while (!found && (lines[0].length >= 0 || lines[1].length >= 0));
    for (size_t i = 0; i < SW_COUNT_OF(runs); i++)
        free(lines[i].text);
    return found;
}

/* ---- memory after launches */

static bool same_piece(const struct session_piece *a, const struct session_piece *b)
{
    return a->memory.base == b->memory.base && a->memory.bytes == b->memory.bytes &&
           memcmp(a->parts, b->parts, sizeof a->parts) == 0;
}

static bool same_contents(const struct session_contents *a, const struct session_contents *b)
{
    if (a->count != b->count || a->launch != b->launch || strcmp(a->kernel->name, b->kernel->name) != 0)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_piece(&a->pieces[i], &b->pieces[i])) return false;
    return true;
}

/* The first launch of a process that differs, up to `most`; `most`: none. Where one run has fewer, that is
 * the first that it lacks. */
static uint32_t first_difference(const struct session_process *a, const struct session_process *b,
                                 uint32_t most)
{
    uint32_t common = a->contents_count < b->contents_count ? a->contents_count : b->contents_count;
    for (uint32_t i = 0; i < common && i < most; i++)
        if (!same_contents(&a->contents[i], &b->contents[i])) return i;
    return a->contents_count != b->contents_count && common < most ? common : most;
}

struct spot { /* a launch of a process */
    uint32_t process, launch;
};
static const struct spot NOWHERE = {UINT32_MAX, UINT32_MAX};

static bool is_before(struct spot a, struct spot b)
{
    return a.process != b.process ? a.process < b.process : a.launch < b.launch;
}

/* The first that differs between two runs. */
static struct spot spot_of(const struct cli_schedule_run *a, const struct cli_schedule_run *b)
{
    if (!is_whole(a) || !is_whole(b)) return NOWHERE;
    const struct session_data *x = session_reader_data(a->reader), *y = session_reader_data(b->reader);
    for (uint32_t p = 0; p < x->process_count && p < y->process_count; p++) {
        uint32_t launch = first_difference(&x->processes[p], &y->processes[p], UINT32_MAX);
        if (launch != UINT32_MAX) return (struct spot){p, launch};
    }
    return NOWHERE;
}

static const struct session_process *process_of(const struct cli_schedule_run *run, struct spot spot)
{
    const struct session_data *data = session_reader_data(run->reader);
    return spot.process < data->process_count ? &data->processes[spot.process] : NULL;
}

/* The allocation as this launch left it; NULL: there is none. */
static const struct session_piece *state_of(const struct session_process *process, uint32_t launch,
                                            const struct event_piece *memory)
{
    for (uint32_t l = launch + 1; l-- > 0;)
        for (uint32_t i = 0; l < process->contents_count && i < process->contents[l].count; i++) {
            const struct session_piece *piece = &process->contents[l].pieces[i];
            if (piece->memory.base == memory->base)
                return piece->memory.bytes == memory->bytes ? piece : NULL;
        }
    return NULL;
}

static struct session_look part_that_differs(const struct session_piece *x, const struct session_piece *y)
{
    uint32_t part = 0;
    while (x->parts[part] == y->parts[part])
        part++;
    uint64_t offset = part * x->part_bytes, left = x->memory.bytes - offset;
    uint64_t bytes = left < x->part_bytes ? left : x->part_bytes;
    return (struct session_look){
        .base = x->memory.base, .offset = offset, .bytes = bytes < LOOK_MOST ? bytes : LOOK_MOST};
}

/* An allocation that both launches leave, and leave differently; NULL: there is none, since they are other
 * launches, or there is other memory. *look: the first part of it that differs. */
static const struct session_piece *piece_at(const struct cli_schedule_run *a,
                                            const struct cli_schedule_run *b, struct spot spot,
                                            struct session_look *look)
{
    const struct session_process *const both[] = {process_of(a, spot), process_of(b, spot)};
    if (!both[0] || !both[1] || spot.launch >= both[0]->contents_count ||
        spot.launch >= both[1]->contents_count)
        return NULL;
    const struct session_contents *x = &both[0]->contents[spot.launch], *y = &both[1]->contents[spot.launch];
    if (x->launch != y->launch || strcmp(x->kernel->name, y->kernel->name) != 0) return NULL;
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t i = 0; i < (side ? y : x)->count; i++) {
            const struct session_piece *one = &(side ? y : x)->pieces[i];
            const struct session_piece *other = state_of(both[!side], spot.launch, &one->memory);
            if (!other || same_piece(one, other)) continue;
            *look = part_that_differs(one, other);
            look->launch = x->launch, look->process = spot.process;
            return one;
        }
    return NULL;
}

/* ---- findings */

static uint32_t each_list(const struct cli_schedules *all, const bool *differs, struct str *out)
{
    uint32_t count = 0;
    for (uint32_t k = 1; k < all->count; k++)
        if (differs[k]) str_printf(out, "%s%u", count++ ? ", " : "", k);
    return count;
}

/* "schedules 1, 3 of 4 (seed 7)" */
static void add_who(const struct cli_schedules *all, const bool *differs, struct str *out)
{
    struct str list = {0};
    uint32_t count = each_list(all, differs, &list);
    str_printf(out, "schedule%s %s of %u (seed %" PRIu64 ")", count == 1 ? "" : "s", str_text(&list),
               all->count, all->seed);
    str_release(&list);
}

static uint32_t word_at(const uint8_t *bytes, uint64_t at)
{
    uint32_t word;
    memcpy(&word, bytes + at, sizeof word);
    return word;
}

static double float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static void add_word(uint32_t word, struct str *out)
{
    str_printf(out, "%" PRId32 " (as float %.9g)", (int32_t)word, float_of(word));
}

/* Of two words that differ: how far apart they are as floats, of the larger. */
static double distance_of(uint32_t a, uint32_t b)
{
    double x = float_of(a), y = float_of(b), larger = fmax(fabs(x), fabs(y));
    return isfinite(x) && isfinite(y) && larger > 0 ? fabs(x - y) / larger : INFINITY;
}

/* Words that differ: the first, how many, and whether they are alike as floats. */
static void add_words(const struct session_look *look, const uint8_t *a, const uint8_t *b, struct str *out)
{
    const double ALIKE = 1e-3; /* assumed: sums in another order of fewer than 10,000 floats of one sign are
                                  closer */
    enum { WORD = 4 };
    uint64_t count = 0, first = 0;
    double most = 0;
    for (uint64_t at = 0; at + WORD <= look->bytes; at += WORD) {
        uint32_t x = word_at(a, at), y = word_at(b, at);
        if (x == y) continue;
        if (!count++) first = at;
        most = fmax(most, distance_of(x, y));
    }
    if (!count) return;
    str_printf(out, "; first at byte %" PRIu64 ": ", look->offset + first);
    add_word(word_at(a, first), out);
    str_add(out, " and ");
    add_word(word_at(b, first), out);
    if (most < ALIKE) str_printf(out, "; as floats, values differ by %.1e of themselves at most", most);
}

/* What two more runs under these schedules recorded of it. */
static void add_values(const struct session_look *look, const struct cli_schedule_run *a,
                       const struct cli_schedule_run *b, struct str *out)
{
    const struct session_data *x = session_reader_data(a->reader), *y = session_reader_data(b->reader);
    if (look->process >= x->process_count || look->process >= y->process_count) return;
    const struct session_process *first = &x->processes[look->process],
                                 *second = &y->processes[look->process];
    if (first->looked && second->looked && first->looked_bytes == look->bytes &&
        second->looked_bytes == look->bytes)
        add_words(look, first->looked, second->looked, out);
}

static void finding_add(struct cli_schedules *all, struct arena *arena, struct event_finding finding,
                        struct str *message)
{
    finding.kind = EVENT_FINDING_SCHEDULE;
    finding.message = arena_strdup(arena, str_text(message));
    *vec_push(&all->findings) = finding;
    str_release(message);
}

/* How runs differ from that of schedule 0. */
struct difference {
    struct spot spot;               /* the first of all; NOWHERE: none */
    bool *memory, *output, *status; /* by schedule: memory at the spot */
    uint32_t first;                 /* schedule that differs in anything; 0: none */
    uint32_t at_spot;               /* the first that differs there; 0: none */
};

static struct difference compare_runs(const struct cli_schedules *all, struct arena *arena)
{
    struct difference d = {.spot = NOWHERE};
    const struct cli_schedule_run *runs = all->runs;
    d.memory = ARENA_ARRAY(arena, bool, all->count);
    d.output = ARENA_ARRAY(arena, bool, all->count);
    d.status = ARENA_ARRAY(arena, bool, all->count);
    for (uint32_t k = 1; k < all->count; k++) {
        struct spot spot = spot_of(&runs[0], &runs[k]);
        if (is_before(spot, d.spot)) d.spot = spot;
    }
    for (uint32_t k = 1; k < all->count; k++) {
        struct spot spot = spot_of(&runs[0], &runs[k]);
        d.memory[k] = spot.process != NOWHERE.process && !is_before(d.spot, spot);
        d.output[k] = output_differs(&runs[0], &runs[k], NULL) != 0;
        d.status[k] = runs[0].status != runs[k].status;
        if (d.memory[k] && !d.at_spot) d.at_spot = k;
        if ((d.memory[k] || d.output[k] || d.status[k]) && !d.first) d.first = k;
    }
    return d;
}

static uint32_t first_of(const struct cli_schedules *all, const bool *differs)
{
    for (uint32_t k = 1; k < all->count; k++)
        if (differs[k]) return k;
    return 0;
}

static void find_memory(struct cli_schedules *all, const struct difference *d,
                        const struct session_look *look, const struct session_piece *piece,
                        struct arena *arena)
{
    const struct event_piece *m = &piece->memory;
    struct event_finding finding = {.space = ISA_SPACE_GLOBAL,
                                    .address = m->base,
                                    .base = m->base,
                                    .size = m->bytes,
                                    .variable = m->variable,
                                    .made = m->made,
                                    .where = m->where};
    struct str text = {0};
    const struct session_contents *launch = &process_of(&all->runs[0], d->spot)->contents[d->spot.launch];
    finding.place.kernel = launch->kernel;
    add_who(all, d->memory, &text);
    str_printf(&text, ": values differ from those of schedule 0 in the %" PRIu64 " bytes at 0x%" PRIx64,
               m->bytes, m->base);
    add_values(look, &all->repeated[0], &all->repeated[1], &text);
    if (launch->left_out)
        str_printf(&text, "; by this launch or one of the %u before it, which were not looked at",
                   launch->left_out);
    finding_add(all, arena, finding, &text);
}

static void find_rest(struct cli_schedules *all, const struct difference *d, struct arena *arena)
{
    uint32_t output = first_of(all, d->output), status = first_of(all, d->status);
    struct str text = {0};
    if (status) {
        struct event_finding finding = {.place = {.has_value = true}};
        add_who(all, d->status, &text);
        str_printf(&text, ": the program ends with status %d, not with %d as under schedule 0",
                   all->runs[status].status, all->runs[0].status);
        finding_add(all, arena, finding, &text);
    }
    if (output) {
        text = (struct str){0};
        add_who(all, d->output, &text);
        str_printf(&text, ": the program prints something else than under schedule 0, first in line %" PRIu64,
                   output_differs(&all->runs[0], &all->runs[output], &all->repeated[0]));
        finding_add(all, arena, (struct event_finding){0}, &text);
    }
}

/* Does this launch, or one before, differ between a run and its repetition? */
static bool is_random_at(struct spot spot, const struct cli_schedule_run *run,
                         const struct cli_schedule_run *again)
{
    return !is_before(spot, spot_of(run, again));
}

/* Where a schedule differs from itself, other schedules are no cause: that is left out of *d. k: the schedule
 * that was repeated besides 0. */
static void leave_out_random(const struct cli_schedules *all, uint32_t k, struct difference *d)
{
    const struct cli_schedule_run *a = &all->runs[0], *b = &all->runs[k], *again = all->repeated;
    bool memory = d->at_spot && (is_random_at(d->spot, a, &again[0]) || is_random_at(d->spot, b, &again[1]));
    bool status = first_of(all, d->status) && (a->status != again[0].status || b->status != again[1].status);
    for (uint32_t i = 1; i < all->count; i++) {
        d->output[i] = d->output[i] && output_differs(a, &all->runs[i], &again[0]) != 0;
        if (status) d->status[i] = false;
    }
    d->output[k] = d->output[k] && output_differs(a, &again[1], &again[0]) != 0;
    if (memory) d->at_spot = 0;
    if (memory || status)
        cli_say("%s differs from run to run under one schedule, too (does the program read a clock or random "
                "numbers, or do its threads race?): it is not compared",
                memory ? "what kernels leave in memory" : "the exit status");
}

/* Schedule 0 and k once more. */
static int repeat(struct cli_schedules *all, uint32_t k, const struct session_look *look, struct arena *arena)
{
    const uint32_t which[] = {0, k};
    for (size_t i = 0; i < SW_COUNT_OF(which); i++) {
        int code = schedule_run(all, which[i], look, arena, &all->repeated[i]);
        if (code != CLI_OK) return code;
        if (!is_whole(&all->repeated[i])) return cli_fail(CLI_INTERNAL, "the program could not be run again");
    }
    return CLI_OK;
}

static int find_differences(struct cli_schedules *all, struct arena *arena)
{
    struct difference d = compare_runs(all, arena);
    struct session_look look = {0};
    const struct session_piece *piece = NULL;
    uint32_t k = d.at_spot ? d.at_spot : d.first;
    if (!d.first) return CLI_OK;
    if (d.at_spot) piece = piece_at(&all->runs[0], &all->runs[k], d.spot, &look);
    int code = repeat(all, k, &look, arena);
    if (code != CLI_OK) return code;
    leave_out_random(all, k, &d);
    if (d.at_spot && piece) find_memory(all, &d, &look, piece, arena);
    if (d.at_spot && !piece)
        cli_say(
            "under other schedules other kernels are launched, though memory was the same until then: what "
            "they leave is not compared from there on");
    find_rest(all, &d, arena);
    return CLI_OK;
}

/* By a signal that asks a program to end: whoever sent it wants no more runs. */
static bool was_stopped(const struct cli_schedule_run *run)
{
    static const int SIGNALS[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    enum { BY_SIGNAL = 128 };
    for (size_t i = 0; i < SW_COUNT_OF(SIGNALS); i++)
        if (run->status == BY_SIGNAL + SIGNALS[i]) return true;
    return false;
}

int cli_schedules_run(struct cli_schedules *all, struct arena *arena)
{
    all->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    all->runs = ARENA_ARRAY(arena, struct cli_schedule_run, all->count);
    for (uint32_t k = 0; k < all->count; k++) {
        int code = schedule_run(all, k, NULL, arena, &all->runs[k]);
        if (code == CLI_OK && k == 0 && all->runs[0].ran) code = print_output(&all->runs[0]);
        if (code != CLI_OK) return code;
        if (was_stopped(&all->runs[k])) return all->runs[k].status;
        if (!is_whole(&all->runs[k])) return all->runs[k].status ? all->runs[k].status : CLI_INTERNAL;
    }
    return find_differences(all, arena);
}

void cli_schedules_release(struct cli_schedules *all)
{
    for (uint32_t k = 0; all->runs && k < all->count; k++)
        schedule_run_release(&all->runs[k]);
    for (size_t i = 0; i < SW_COUNT_OF(all->repeated); i++)
        schedule_run_release(&all->repeated[i]);
    vec_release(&all->findings);
}
