/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the functions that the library exports, for tools that hear of calls. Method: each jumps to the
 * function that does it. Where a tool asks (driver_watched), it calls it instead, so that its own frame
 * stands on the stack and says which function the program called, and then tells of a result that is an
 * error. It passes on registers as they are and copies the arguments on the stack: of those that any function
 * has, the most is COPIED bytes (the handle of cuIpcOpenMemHandle). Without a tool a call costs a comparison
 * and a jump. Limits: x86-64. Functions that are refused have no such entry (driver_proc.c). */
#include "driver_watch.h"

#include "driver/core/driver_finding.h"

bool driver_watched;

void driver_watch_calls(void)
{
    driver_watched = true;
}

__attribute__((used)) unsigned driver_watch_returned(unsigned result);
unsigned driver_watch_returned(unsigned result)
{
    if (result) driver_entry_failed(result);
    return result;
}

#define COPY(at) "movups 16+" #at "(%rbp), %xmm8\n\tmovups %xmm8, " #at "(%rsp)\n\t"
#define COPIED   "128"
#define COPY_ALL COPY(0) COPY(16) COPY(32) COPY(48) COPY(64) COPY(80) COPY(96) COPY(112)

#define DONE(symbol, name, since)                                                                            \
    __asm__(".text\n\t.balign 16\n\t.globl " #symbol "\n\t.type " #symbol ", @function\n" #symbol ":\n\t"    \
            ".cfi_startproc\n\t"                                                                             \
            "cmpb $0, driver_watched(%rip)\n\t"                                                              \
            "je driver_" #symbol "\n\t"                                                                      \
            "pushq %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n\t"                                 \
            "movq %rsp, %rbp\n\t.cfi_def_cfa_register 6\n\t"                                                 \
            "subq $" COPIED ", %rsp\n\t" COPY_ALL "call driver_" #symbol "\n\t"                              \
            "movl %eax, %edi\n\tcall driver_watch_returned\n\t"                                              \
            "leave\n\t.cfi_def_cfa 7, 8\n\tret\n\t"                                                          \
            ".cfi_endproc\n\t.size " #symbol ", .-" #symbol);
#define REFUSED(symbol, name, since)
#include "driver_api.def"
