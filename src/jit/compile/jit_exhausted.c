/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: LLVM, which cannot report that it finds no memory, ends the process with a line that says so, not
 * by abort. Method: the handlers that LLVM and the C++ library have for it, which are those of the whole
 * process: a thread that is not in LLVM for us gets what it would have got, the handler that was there before
 * or std::bad_alloc. They are found by name, so nothing here needs a C++ compiler. Limits: not recovered
 * from: LLVM is compiled without exceptions and may hold locks. Where a name is not found, LLVM aborts. */
#include "jit_compile_priv.h"

#include "base/base_reserve.h"

#include <dlfcn.h>
#include <stdbool.h>

typedef void (*new_handler)(void);
typedef void (*llvm_handler)(void *user, const char *why, bool diagnose);

static new_handler handler_before;
static void (*throw_bad_alloc)(void);
static _Thread_local unsigned inside;
static _Thread_local bool opening; /* its constructors run */

void jit_llvm_begin(void)
{
    inside++;
}

void jit_llvm_end(void)
{
    inside--;
}

static void llvm_lacks_memory(void *user, const char *why, bool diagnose)
{
    (void)user, (void)why, (void)diagnose;
    sw_out_of_memory(0);
}

static void new_lacks_memory(void)
{
    if (inside || opening) sw_out_of_memory(0);
    if (handler_before)
        handler_before();
    else
        throw_bad_alloc();
}

void jit_llvm_opened(void)
{
    opening = false;
}

void jit_llvm_opens(void)
{
    opening = true;
    void (*install)(llvm_handler, void *) = (void (*)(llvm_handler, void *))(uintptr_t)dlsym(
        RTLD_DEFAULT, "_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
    new_handler (*set)(new_handler) =
        (new_handler(*)(new_handler))(uintptr_t)dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    throw_bad_alloc = (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv");
    if (install) install(llvm_lacks_memory, NULL);
    if (set && throw_bad_alloc) handler_before = set(new_lacks_memory);
}
