/* SPDX-License-Identifier: Apache-2.0 */
/* conform: the list of parts, one part, or `--hold`, which keeps the devices awake for others. A part runs in
 * a child; when the child dies or hangs, the case it was at is answered "crash" or "hang", and a new child
 * repeats the part without that case, printing only what follows. So state that cases leave behind is the
 * same with and without crashes. Environment: CONFORM_HANG_SECONDS, after which a case hangs (60);
 * CONFORM_KNOWN, a recording made before: what crashed, hung or lost its context then is not asked again but
 * answered from it. */
#define _GNU_SOURCE
#include "conform.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CASES = 1 << 15, HANG_SECONDS = 60, LOST = 77, KNOWN = 1024 };
struct progress {          /* shared with the child */
    unsigned now, printed; /* cases begun in this process; lines printed by all */
    char name[256];
    bool skip[CASES];
};
static struct progress *progress;
static unsigned hang_seconds = HANG_SECONDS;
static struct known { /* a case that ends its process */
    char name[512], answer[96];
    unsigned times; /* that the name stood before it in its part */
} known[KNOWN];
static unsigned known_count;

static void known_add(const char *name, const char *answer, unsigned times)
{
    if (known_count == KNOWN) abort();
    struct known *at = &known[known_count++];
    snprintf(at->name, sizeof(at->name), "%s", name);
    snprintf(at->answer, sizeof(at->answer), "%s", answer);
    at->times = times;
}

struct names {
    unsigned count;
    char *at[CASES];
};

/* How often the name was seen before; then it was seen once more. */
static unsigned seen(struct names *names, const char *name)
{
    unsigned times = 0;
    for (unsigned i = 0; i < names->count; i++)
        times += strcmp(names->at[i], name) == 0;
    if (names->count == CASES || (names->at[names->count++] = strdup(name)) == NULL) abort();
    return times;
}

static void known_read(const char *path, const char *part)
{
    static struct names recorded;
    char text[512];
    bool inside = false;
    FILE *file = fopen(path, "r");
    if (file == NULL) abort();
    while (fgets(text, sizeof(text), file) != NULL) {
        text[strcspn(text, "\n")] = 0;
        if (strncmp(text, "== ", 3) == 0) inside = strcmp(text + 3, part) == 0;
        char *colon = NULL, *at = text;
        while ((at = strstr(at, ": ")) != NULL)
            colon = at++;
        if (!inside || colon == NULL || text[0] == '=') continue;
        *colon = 0;
        unsigned times = seen(&recorded, text);
        const char *answer = colon + 2;
        if (strcmp(answer, "crash") == 0 || strcmp(answer, "hang") == 0 || strstr(answer, ", then ") != NULL)
            known_add(text, answer, times);
    }
    fclose(file);
}

bool conform_case(const char *name)
{
    if (++progress->now >= CASES) abort();
    snprintf(progress->name, sizeof(progress->name), "%s", name);
    alarm(hang_seconds);
    static struct names asked; /* in this process */
    unsigned times = known_count > 0 ? seen(&asked, progress->name) : 0;
    if (progress->skip[progress->now]) return false;
    for (unsigned i = 0; i < known_count; i++)
        if (known[i].times == times && strcmp(known[i].name, progress->name) == 0) {
            conform_answer(known[i].answer);
            return false;
        }
    return true;
}

static bool again(void)
{
    return progress->now <= progress->printed;
}

static void line(const char *text)
{
    if (again()) return;
    printf("%s: %s\n", progress->name, text);
    fflush(stdout);
    progress->printed = progress->now;
}

void conform_answer(const char *text)
{
    line(text);
}

void conform_lost(const char *text)
{
    line(text);
    progress->skip[progress->now] = true;
    _exit(LOST);
}

const char *conform_error(CUresult result)
{
    static char unknown[16];
    const char *name = NULL;
    if (cuGetErrorName(result, &name) == CUDA_SUCCESS && name != NULL)
        return strncmp(name, "CUDA_ERROR_", 11) == 0 ? name + 11 : result == CUDA_SUCCESS ? "ok" : name;
    snprintf(unknown, sizeof(unknown), "?%d", (int)result);
    return unknown;
}

void conform_say(const char *name, CUresult result)
{
    if (name != NULL && !conform_case(name)) return;
    conform_answer(conform_error(result));
}

void conform_must(const char *call, CUresult result)
{
    printf("!! %s: %s\n", call, conform_error(result));
    fflush(stdout);
    _exit(1);
}

static const struct part parts[] = {
#define FAMILY(name) {#name, conform_sweep},
#define CALL(name, args)
#define CALL_Z CALL
#define CALL_D CALL
#include "conform_calls.def"
#undef FAMILY
    {"not initialised", conform_state},
    {"no context", conform_state},
    {"destroyed context", conform_state},
    {"failed context", conform_state},
    {"attributes", conform_queries},
    {"errors", conform_queries},
    {"limits", conform_queries},
    {"occupancy", conform_queries},
    {"functions", conform_queries},
    {"allocations", conform_queries},
    {"entries", conform_queries},
    {"pointers", conform_queries},
    {"contexts", conform_sequences},
    {"primary contexts", conform_sequences},
    {"frees", conform_sequences},
    {"captures", conform_sequences},
    {"launches", conform_sequences},
    {"modules", conform_sequences},
    {"graphs", conform_sequences},
    {"pools", conform_sequences},
    {"registrations", conform_sequences},
    {"mappings", conform_sequences},
    {"events", conform_sequences},
    {"green contexts", conform_sequences},
    {"first forms", conform_sequences},
    {"captured graphs", conform_sequences},
    {"peers: kernels", conform_peers},
    {"peers: enabling", conform_peers},
    {"peers: copies", conform_peers},
    {"peers: pools", conform_peers},
    {"peers: mappings", conform_peers},
    {"peers: batches", conform_peers},
    {"peers: graphs", conform_peers},
    {"peers: other", conform_peers},
    {"fault: illegal_address", conform_faults},
    {"fault: misaligned", conform_faults},
    {"fault: traps", conform_faults},
    {"fault: asserts", conform_faults},
    {"fault: primary context", conform_faults},
    {"fault: other contexts", conform_faults},
    {"fault: exit", conform_faults},
    {"fault: exit while pending", conform_faults},
    {"first to ask: a query", conform_faults},
    {"first to ask: a query of another stream", conform_faults},
    {"first to ask: another stream", conform_faults},
    {"first to ask: a copy", conform_faults},
    {"first to ask: an allocation", conform_faults},
    {"first to ask: a launch", conform_faults},
    {"first to ask: a free", conform_faults},
    {"first to ask: a new stream", conform_faults},
    {"first to ask: another context", conform_faults},
    {"first to ask: the end of the stream", conform_faults},
    {"first to ask: the end of the context", conform_faults},
    {"first to ask: the end of the module", conform_faults},
};

static const struct part *find(const char *name)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (strcmp(parts[i].name, name) == 0) return &parts[i];
    return NULL;
}

/* True: the part is done. */
static bool attempt(const struct part *part)
{
    progress->now = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        part->run(part->name);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != LOST) return true;
    if (WIFEXITED(status)) return false;
    line(WTERMSIG(status) == SIGALRM ? "hang" : "crash");
    progress->skip[progress->now] = true;
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
            puts(parts[i].name);
        return 0;
    }
    if (getenv("CONFORM_HANG_SECONDS") != NULL) hang_seconds = (unsigned)atoi(getenv("CONFORM_HANG_SECONDS"));
    if (strcmp(argv[1], "--hold") == 0) {
        conform_begin();
        for (;;)
            pause();
    }
    const struct part *part = find(argv[1]);
    if (part == NULL) return 2;
    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) return 2;
    if (getenv("CONFORM_KNOWN") != NULL) known_read(getenv("CONFORM_KNOWN"), part->name);
    printf("== %s\n", part->name);
    unsigned rounds = 0;
    while (!attempt(part))
        if (++rounds > 1000) return 3;
    return 0;
}
