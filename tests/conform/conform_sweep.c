/* SPDX-License-Identifier: Apache-2.0 */
/* Each function of conform_calls.def with good arguments, then with each argument replaced by each of
 * its bad values; and each function with good arguments in a state in which it must fail. All functions are
 * called through one type: on x86-64 all their arguments, except cuParamSetf's, are integers in registers
 * and on the stack. An answer also says when a failing call wrote its result, and which error the context
 * has afterwards. */
#define _GNU_SOURCE
#include "conform.h"

#include <dlfcn.h>
#include <pthread.h>

typedef CUresult (*any_call)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t, uint64_t, uint64_t);
struct call {
    const char *family, *name, *arguments, *suffix; /* suffix: of a second form, or NULL */
};
static const struct call calls[] = {
#define FAMILY(name)       {#name, NULL, NULL, NULL},
#define CALL(name, args)   {NULL, #name, args, NULL},
#define CALL_Z(name, args) {NULL, #name, args, "_ptsz"},
#define CALL_D(name, args) {NULL, #name, args, "_ptds"},
#include "conform_calls.def"
};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

struct ready { /* a call with its arguments */
    char name[96];
    any_call function; /* NULL: the library has none */
    struct token tokens[ARGUMENTS];
    struct value values[ARGUMENTS];
    unsigned count;
};

static void token_read(const char *text, size_t length, struct token *out)
{
    char copy[256], *rest = copy;
    snprintf(copy, sizeof(copy), "%.*s", (int)length, text);
    if (strcmp(copy, "device") == 0) snprintf(copy, sizeof(copy), "num:0:-1,1,99");
    if (strcmp(copy, "size") == 0) snprintf(copy, sizeof(copy), "num:256:0,0x100000,0x4000000000000000");
    memset(out, 0, sizeof(*out));
    snprintf(out->kind, sizeof(out->kind), "%s", strsep(&rest, ":"));
    size_t end = strlen(out->kind);
    out->fresh = out->kind[end - 1] == '!';
    if (out->fresh) out->kind[end - 1] = 0;
    if (rest != NULL) snprintf(out->good, sizeof(out->good), "%s", strsep(&rest, ":"));
    if (rest != NULL) snprintf(out->bad, sizeof(out->bad), "%s", rest);
}

static void ready_read(const struct call *call, const char *suffix, struct ready *out)
{
    memset(out, 0, sizeof(*out));
    snprintf(out->name, sizeof(out->name), "%s%s", call->name, suffix);
    void *symbol = dlsym(RTLD_DEFAULT, out->name);
    memcpy(&out->function, &symbol, sizeof(symbol));
    for (const char *at = call->arguments; *at != 0;) {
        size_t length = strcspn(at, " ");
        token_read(at, length, &out->tokens[out->count++]);
        at += length + (at[length] == ' ');
    }
}

static void ready_good(struct ready *ready)
{
    for (unsigned i = 0; i < ready->count; i++)
        if (!conform_value(&ready->tokens[i], 0, i, &ready->values[i])) abort();
}

static CUresult invoke(const struct ready *ready)
{
    const struct value *v = ready->values;
    return ready->function(v[0].bits, v[1].bits, v[2].bits, v[3].bits, v[4].bits, v[5].bits, v[6].bits,
                           v[7].bits, v[8].bits, v[9].bits, v[10].bits, v[11].bits);
}

static bool wrote(const struct ready *ready)
{
    for (unsigned i = 0; i < ready->count; i++) {
        const unsigned char *at = conform_scratch(i);
        if (strcmp(ready->tokens[i].kind, "out") != 0 || ready->values[i].bits == 0) continue;
        for (unsigned byte = 0; byte < 64; byte++)
            if (at[byte] != 0x5a) return true;
    }
    return false;
}

static void end_capture(CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph graph;
    cuStreamIsCapturing(stream, &status);
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) cuStreamEndCapture(stream, &graph);
}

static void end_captures(const struct ready *ready)
{
    if (strstr(ready->name, "Destroy") != NULL) return;
    for (unsigned i = 0; i < ready->count; i++)
        if (ready->values[i].stream != NULL) end_capture(ready->values[i].stream);
}

/* End captures, restore the current context, and see whether it still works. */
static CUresult settle(const struct ready *ready)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (conform_context == NULL) return CUDA_SUCCESS;
    cuThreadExchangeStreamCaptureMode(&mode);
    cuCtxSetCurrent(conform_context);
    end_captures(ready);
    if (strstr(ready->name, "Capture") != NULL) end_capture(CU_STREAM_PER_THREAD);
    return cuCtxSynchronize();
}

static void ask(const struct ready *ready, const char *change)
{
    char name[256], text[96];
    snprintf(name, sizeof(name), "%s%s%s", ready->name, *change == 0 ? "" : " ", change);
    if (!conform_case(name)) {
        settle(ready);
        return;
    }
    if (ready->function == NULL) {
        conform_answer("no such function");
        return;
    }
    CUresult result = invoke(ready);
    bool written = result != CUDA_SUCCESS && wrote(ready);
    snprintf(text, sizeof(text), "%s%s", conform_error(result), written ? ", written" : "");
    CUresult after = settle(ready);
    if (after != CUDA_SUCCESS) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text), ", then %s", conform_error(after));
        conform_lost(text);
    }
    conform_answer(text);
}

static void sweep_argument(struct ready *ready, unsigned at, bool brief)
{
    for (unsigned index = 1;; index++) {
        char change[192];
        ready_good(ready);
        if (!conform_value(&ready->tokens[at], index, at, &ready->values[at])) return;
        if (brief && strcmp(ready->values[at].name, "null") != 0) {
            settle(ready);
            continue;
        }
        snprintf(change, sizeof(change), "%u=%s", at + 1, ready->values[at].name);
        ask(ready, change);
    }
}

static void sweep_call(const struct call *call, const char *suffix)
{
    struct ready ready;
    ready_read(call, suffix, &ready);
    ready_good(&ready);
    ask(&ready, "");
    for (unsigned at = 0; at < ready.count; at++)
        sweep_argument(&ready, at, *suffix != 0);
}

void conform_sweep(const char *family)
{
    bool inside = false;
    conform_begin();
    for (unsigned i = 0; i < CALLS; i++) {
        if (calls[i].family != NULL) inside = strcmp(calls[i].family, family) == 0;
        if (!inside || calls[i].name == NULL) continue;
        sweep_call(&calls[i], "");
        if (calls[i].suffix != NULL) sweep_call(&calls[i], calls[i].suffix);
    }
}

/* ---- states */
static void *destroy(void *context)
{
    cuCtxDestroy(context);
    return NULL;
}

static void enter(const char *state)
{
    pthread_t thread;
    if (strcmp(state, "no context") == 0) {
        cuCtxSetCurrent(NULL);
    } else if (strcmp(state, "destroyed context") == 0) {
        if (pthread_create(&thread, NULL, destroy, conform_context) != 0) abort();
        pthread_join(thread, NULL);
    } else if (strcmp(state, "failed context") == 0) {
        (void)conform_fault("illegal_address");
    }
}

/* Functions that would end the state. */
static bool ends_state(const char *state, const char *name)
{
    static const char *const enders[] = {
        "cuCtxDe",     "cuCtxPush",   "cuCtxPop",           "cuCtxSetCurrent",
        "cuCtxAttach", "cuCtxCreate", "cuDevicePrimaryCtx", "cuInit"};
    for (size_t i = 0; i < sizeof(enders) / sizeof(*enders); i++)
        if (strncmp(name, enders[i], strlen(enders[i])) == 0)
            return strcmp(state, "not initialised") != 0 || strcmp(name, "cuInit") == 0;
    return false;
}

static void state_prepare(const struct call *call, const char *suffix, struct ready *out)
{
    ready_read(call, suffix, out);
    ready_good(out);
}

/* Structures, strings and results lie in one scratch a slot: built again right before the call. */
static void state_again(struct ready *ready)
{
    for (unsigned i = 0; i < ready->count; i++) {
        struct value value;
        const char *name;
        if (strcmp(ready->tokens[i].kind, "out") == 0 || strcmp(ready->tokens[i].kind, "ptr") == 0 ||
            strncmp(ready->tokens[i].kind, "loc", 3) == 0)
            conform_value(&ready->tokens[i], 0, i, &value);
        else
            (void)conform_struct(&ready->tokens[i], 0, conform_scratch(i), &name);
    }
}

static void state_ask(struct ready *ready, const char *state)
{
    if (ends_state(state, ready->name)) return;
    state_again(ready);
    if (conform_case(ready->name))
        conform_answer(ready->function == NULL ? "no such function" : conform_error(invoke(ready)));
    if (strcmp(state, "no context") == 0) end_captures(ready);
}

void conform_state(const char *state)
{
    static struct ready ready[2 * CALLS];
    unsigned count = 0;
    bool brief = strcmp(state, "destroyed context") == 0; /* where NVIDIA's library crashes again and again */
    if (strcmp(state, "not initialised") != 0) conform_begin();
    for (unsigned i = 0; i < CALLS; i++) {
        if (calls[i].name == NULL) continue;
        state_prepare(&calls[i], "", &ready[count++]);
        if (calls[i].suffix != NULL && !brief) state_prepare(&calls[i], calls[i].suffix, &ready[count++]);
    }
    enter(state);
    for (unsigned i = 0; i < count; i++)
        state_ask(&ready[i], state);
}
