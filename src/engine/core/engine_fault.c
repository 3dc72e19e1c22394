/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: a fault inside a kernel becomes a status; every other fault goes where it would have gone without
 * us. Method: SIGSEGV, SIGBUS, SIGFPE and SIGILL handlers look at one thread-local pointer, set only while
 * emitted code runs (worker->armed). Then the signal is recorded and the worker jumps back to
 * engine_fault_guard, on a signal stack of its own so that exhausted stacks are seen too. Otherwise the
 * handler that stood there before is called, or the default action restored. The jump is safe because emitted
 * code holds no locks, and helpers that take one never touch device memory inside. Limits: what emitted code
 * changed before the fault stays changed, as on a GPU. Where that is the process's own memory, the handler
 * may be unable to do its work, or the process faults elsewhere: then it says so and lets the process die. */
#include "engine_fault.h"

#include "engine_cpu.h"
#include "engine_ticks.h"

#include "base/base_host.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_NEAR = 1 << 20 }; /* a fault this close to the stack pointer is a stack overflow */

/* initial-exec: the handler must not be the first to ask for this thread's storage, which could allocate. */
static _Thread_local struct engine_worker *current __attribute__((tls_model("initial-exec")));

char engine_fault_timer;

static _Thread_local int chaining __attribute__((tls_model("initial-exec")));

static _Atomic(engine_fault_fn *) asked;

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction previous[SW_COUNT_OF(caught)];

/* ---- deaths: with words, though nothing in memory can be trusted but constants */

static const char *death_number(uint64_t value, char text[24])
{
    char *at = text + 23;
    *at = '\0';
    do
        *--at = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    *--at = 'x';
    *--at = '0';
    return at;
}

static void death_say(int number, uint64_t address)
{
    char digits[24];
    const char *const parts[] = {
        "==SOFTWARP== ",
        number == SIGSEGV  ? "segmentation fault"
        : number == SIGBUS ? "bus error"
        : number == SIGFPE ? "arithmetic exception"
                           : "illegal instruction",
        " outside of kernels, at ", death_number(address, digits),
        ", ends the process; if a kernel wrote over its memory, 'softwarp check PROGRAM' "
        "shows where\n"};
    for (size_t i = 0; i < SW_COUNT_OF(parts); i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0) return;
}

/* The default action, when the instruction is executed again. */
static void death_take(int number, const siginfo_t *info)
{
    struct sigaction end = {.sa_handler = SIG_DFL};
    death_say(number, (uint64_t)(uintptr_t)info->si_addr);
    sigaction(number, &end, NULL);
}

/* The handler faulted itself, again and again: what it needs is overwritten. It runs on the signal stack. */
static bool death_is_near(const ucontext_t *at)
{
    uint64_t used_to = engine_cpu_stack(at) - (uint64_t)(uintptr_t)at->uc_stack.ss_sp;
    return used_to < at->uc_stack.ss_size / 2;
}

/* ---- faults of others */

/* Hand the signal to whoever was there before us. One that hands it back to us in turn ends the process, as a
 * fault without handlers would. */
static void fault_chain(int number, siginfo_t *info, void *context)
{
    struct sigaction before = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < SW_COUNT_OF(caught) && !chaining; i++)
        if (caught[i] == number) before = previous[i];
    chaining++;
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        death_take(number, info);
    } else {
        before.sa_handler(number);
    }
    chaining--;
}

static void fault_on_signal(int number, siginfo_t *info, void *context)
{
    if (death_is_near(context)) {
        death_take(number, info);
        return;
    }
    struct engine_worker *worker = current;
    bool timer = info->si_code == SI_TIMER && info->si_value.sival_ptr == ENGINE_FAULT_TIMER;
    if (timer && (!worker || !worker->armed || !worker->job->diagnosis)) return; /* late, or early */
    if (!timer && number == SIGSEGV && vmem_fault_passes((dev_addr)(uintptr_t)info->si_addr)) return;
    engine_fault_fn *ask = number == SIGSEGV && info->si_code == SEGV_ACCERR ? atomic_load(&asked) : NULL;
    if (ask && ask((uint64_t)(uintptr_t)info->si_addr, engine_cpu_writes(context), engine_cpu_pc(context)))
        return;
    if (!worker || !worker->armed || info->si_code == SI_USER || info->si_code == SI_TKILL) {
        fault_chain(number, info, context);
        return;
    }
    const ucontext_t *at = context;
    worker->fault_mask = at->uc_sigmask;
    uint64_t stack = engine_cpu_stack(context);
    worker->armed = 0;
    worker->fault_signal = number;
    worker->fault_code = info->si_code;
    worker->fault_address = (uint64_t)(uintptr_t)info->si_addr;
    worker->fault_on_stack = number == SIGSEGV && worker->fault_address - stack + STACK_NEAR < 2 * STACK_NEAR;
    siglongjmp(worker->landing, 1);
}

/* Called before each run: a program may have put handlers of its own over ours since. SIGSEGV, which kernels
 * raise, is looked at each time; the three others once in so many ticks, well under a millisecond: the four
 * system calls were a quarter of a small launch. */
void engine_fault_install(void)
{
    static const uint64_t LOOK_TICKS = 1 << 20;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t looked;
    struct sigaction action = {.sa_sigaction = fault_on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
                     now;
    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&lock);
    uint64_t ticks = engine_clock_ticks();
    bool all = looked == 0 || ticks - looked > LOOK_TICKS;
    if (all) looked = ticks;
    for (size_t i = 0; i < (all ? SW_COUNT_OF(caught) : 1); i++) {
        if (sigaction(caught[i], NULL, &now) != 0) continue;
        if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == fault_on_signal) continue;
        previous[i] = now;
        sigaction(caught[i], &action, NULL);
    }
    pthread_mutex_unlock(&lock);
}

void engine_fault_ask(engine_fault_fn *ask)
{
    atomic_store(&asked, ask);
    engine_fault_install();
}

/* ---- what happened, in words
 * ------------------------------------------------------------------------------------ */

void engine_fault_near(const struct engine *engine, uint64_t address, char text[ENGINE_NEAR_BYTES])
{
    const size_t bytes = ENGINE_NEAR_BYTES;
    struct vmem_block block;
    struct vmem *vmem = engine->config.vmem;
    char more[ENGINE_NEAR_BYTES / 2] = "";
    if (!vmem || !vmem_nearest(vmem, address, &block)) {
        snprintf(text, bytes, "no device memory is allocated");
        return;
    }
    if (engine->config.say_allocation) engine->config.say_allocation(address, more + 2, sizeof more - 2);
    if (more[2]) memcpy(more, ", ", 2);
    bool after = address >= block.base + block.bytes, before = address < block.base;
    if (after || before)
        snprintf(text, bytes, "%llu bytes %s the nearest allocation, 0x%llx of %llu bytes%s",
                 (unsigned long long)(after ? address - block.base - block.bytes : block.base - address),
                 after ? "past the end of" : "before", (unsigned long long)block.base,
                 (unsigned long long)block.bytes, more);
    else
        snprintf(text, bytes, "inside the %s 0x%llx of %llu bytes%s%s",
                 block.right == VMEM_BY_MAPPING ? "mapping" : "allocation", (unsigned long long)block.base,
                 (unsigned long long)block.bytes,
                 block.right == VMEM_BY_MAPPING ? ", whose access flags do not allow it; call cuMemSetAccess"
                                                : "",
                 more);
}

static void fault_describe_address(struct engine_worker *worker)
{
    const struct jit_ctx *ctx = &worker->ctx;
    char near[ENGINE_NEAR_BYTES];
    atomic_store(&worker->job->faulted, true);
    if (worker->fault_signal == SIGSEGV && worker->fault_code == SI_KERNEL) {
        sw_fail(&worker->error, SW_ILLEGAL_ADDRESS,
                "illegal address (not a canonical one) in block (%u,%u,%u), warp %u", ctx->ctaid[0],
                ctx->ctaid[1], ctx->ctaid[2], ctx->warp);
        return;
    }
    engine_fault_near(worker->engine, worker->fault_address, near);
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS, "illegal address 0x%llx in block (%u,%u,%u), warp %u; %s",
            (unsigned long long)worker->fault_address, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp,
            near);
}

/* What the recursion filled, 256 MiB a thread, goes back to the system: from where it faulted to well below
 * the running function. */
static void fault_release_stack(uint64_t fault)
{
    enum { PAGE = 4096, KEPT = 256 << 10 };
    uint64_t first = (fault | (PAGE - 1)) + 1,
             end = ((uint64_t)(uintptr_t)__builtin_frame_address(0) - KEPT) & ~(uint64_t)(PAGE - 1);
    if (first < end) madvise((void *)(uintptr_t)first, end - first, MADV_DONTNEED);
}

static void fault_describe(struct engine_worker *worker)
{
    const struct jit_ctx *ctx = &worker->ctx;
    if (worker->fault_on_stack) fault_release_stack(worker->fault_address);
    if (worker->fault_on_stack)
        sw_fail(&worker->error, SW_ILLEGAL_ADDRESS, /* what a Hopper GPU makes of it */
                "stack overflow in block (%u,%u,%u), warp %u; device recursion is too deep", ctx->ctaid[0],
                ctx->ctaid[1], ctx->ctaid[2], ctx->warp);
    else if (worker->fault_signal == SIGSEGV || worker->fault_signal == SIGBUS)
        fault_describe_address(worker);
    else
        sw_fail(&worker->error, SW_ILLEGAL_INSTRUCTION, "%s in block (%u,%u,%u), warp %u",
                worker->fault_signal == SIGFPE ? "arithmetic exception" : "illegal instruction",
                ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp);
}

/* ---- guarding
 * --------------------------------------------------------------------------------------------------- */

bool engine_fault_guard(struct engine_worker *worker,
                        void (*body)(struct engine_worker *worker, void *argument), void *argument)
{
    /* A program linked with -ffast-math has its threads flush denormals; emitted code expects the default,
     * and a fault may leave it in another rounding mode. */
    uint32_t float_state = sw_host_float_state();
    sw_host_float_set(SW_HOST_FLOAT_DEFAULT);
    worker->fault_signal = 0;
    worker->entered = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (sigsetjmp(worker->landing, 0) == 0) {
        current = worker;
        worker->armed = 1;
        body(worker, argument);
        worker->armed = 0;
        current = NULL;
        sw_host_float_set(float_state);
        return true;
    }
    worker->armed = 0;
    current = NULL;
    sw_host_float_set(float_state);
    if (worker->fault_signal) {
        /* the handler was left by a jump: whoever wrapped it (a thread sanitizer) may have blocked more */
        pthread_sigmask(SIG_SETMASK, &worker->fault_mask, NULL);
        fault_describe(worker);
    }
    return false;
}

void engine_fault_unwind(struct engine_worker *worker)
{
    worker->armed = 0;
    siglongjmp(worker->landing, 1);
}
