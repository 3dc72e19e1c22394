/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the functions that the library exports, for tools that hear of calls. Method: each jumps to the
 * function that does it. Where a tool asks (driver_watched), it calls it instead, so that its own frame
 * stands on the stack and says which function the program called, and then tells of a result that is an
 * error. It passes on registers as they are and copies the arguments on the stack: of those that any function
 * has, the most is COPIED bytes (the handle of cuIpcOpenMemHandle). Without a tool a call costs a comparison
 * and a jump. For x86-64 and AArch64. Functions that are refused have no such entry (driver_proc.c). */
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

#ifdef __aarch64__

#define COPY(at) "ldp q16, q17, [x29, 16 + " #at "]\n\tstp q16, q17, [sp, " #at "]\n\t"
#define COPIED   "128"
#define COPY_ALL COPY(0) COPY(32) COPY(64) COPY(96)

#define DONE(symbol, name, since)                                                                            \
    __asm__(".text\n\t.balign 16\n\t.globl " #symbol "\n\t.type " #symbol ", %function\n" #symbol ":\n\t"    \
            ".cfi_startproc\n\t"                                                                             \
            "adrp x16, driver_watched\n\tldrb w16, [x16, :lo12:driver_watched]\n\t"                          \
            "cbnz w16, 1f\n\tb driver_" #symbol "\n1:\n\t"                                                   \
            "stp x29, x30, [sp, -16]!\n\t.cfi_def_cfa_offset 16\n\t"                                         \
            ".cfi_offset 29, -16\n\t.cfi_offset 30, -8\n\t"                                                  \
            "mov x29, sp\n\t.cfi_def_cfa_register 29\n\t"                                                    \
            "sub sp, sp, " COPIED "\n\t" COPY_ALL "bl driver_" #symbol "\n\t"                                \
            "bl driver_watch_returned\n\t"                                                                   \
            "mov sp, x29\n\tldp x29, x30, [sp], 16\n\t.cfi_def_cfa 31, 0\n\tret\n\t"                         \
            ".cfi_endproc\n\t.size " #symbol ", .-" #symbol);

#else

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

#endif
#define REFUSED(symbol, name, since)
#include "driver_api.def"
