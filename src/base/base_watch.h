/* SPDX-License-Identifier: Apache-2.0 */
/* base: exported functions that can tell of calls. SW_WATCH(symbol, target, flag, begin, end) makes the
 * function `symbol`, which jumps to `target` unless the byte `flag` is set. Then it calls begin(name,
 * registers, stack), the target, and end(name, registers, stack, result), so that its own frame stands on the
 * stack meanwhile. What begin returns, unless it is 0, is the result, and the target is not called. Registers
 * of integer and floating arguments are as they were; the arguments on the stack are copied: of those that
 * any function of CUDA's has, the most is SW_WATCH_STACK bytes (the handle of cuIpcOpenMemHandle). registers:
 * the integer ones in order, then the first two floating ones; stack[-1]: where the function returns to. For
 * x86-64 and AArch64. */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#define SW_WATCH_STACK 128

#ifdef __aarch64__

#define SW_WATCH_INTEGERS  8
#define SW_WATCH_COPY_(at) "ldp q16, q17, [x29, 16 + " #at "]\n\tstp q16, q17, [sp, " #at "]\n\t"
#define SW_WATCH_COPY_ALL_ SW_WATCH_COPY_(0) SW_WATCH_COPY_(32) SW_WATCH_COPY_(64) SW_WATCH_COPY_(96)
#define SW_WATCH_SAVE_                                                                                       \
    "stp x0, x1, [x29, -80]\n\tstp x2, x3, [x29, -64]\n\tstp x4, x5, [x29, -48]\n\t"                         \
    "stp x6, x7, [x29, -32]\n\tstp d0, d1, [x29, -16]\n\t"
#define SW_WATCH_RESTORE_                                                                                    \
    "ldp x0, x1, [x29, -80]\n\tldp x2, x3, [x29, -64]\n\tldp x4, x5, [x29, -48]\n\t"                         \
    "ldp x6, x7, [x29, -32]\n\tldp d0, d1, [x29, -16]\n\t"
#define SW_WATCH_NAME_ "adrp x0, 2b\n\tadd x0, x0, :lo12:2b\n\tsub x1, x29, 80\n\tadd x2, x29, 16\n\t"
#define SW_WATCH(symbol, target, flag, begin, end)                                                           \
    __asm__(".section .rodata.str1.1,\"aMS\",%progbits,1\n2:\t.asciz \"" #symbol "\"\n\t"                    \
            ".text\n\t.balign 16\n\t.globl " #symbol "\n\t.type " #symbol ", %function\n" #symbol ":\n\t"    \
            ".cfi_startproc\n\t"                                                                             \
            "adrp x16, " #flag "\n\tldrb w16, [x16, :lo12:" #flag "]\n\t"                                    \
            "cbnz w16, 1f\n\tb " #target "\n1:\n\t"                                                          \
            "stp x29, x30, [sp, -16]!\n\t.cfi_def_cfa_offset 16\n\t"                                         \
            ".cfi_offset 29, -16\n\t.cfi_offset 30, -8\n\t"                                                  \
            "mov x29, sp\n\t.cfi_def_cfa_register 29\n\t"                                                    \
            "sub sp, sp, 208\n\t" SW_WATCH_SAVE_ SW_WATCH_NAME_ "bl " #begin                                 \
            "\n\tcbnz w0, 3f\n\t" SW_WATCH_COPY_ALL_ SW_WATCH_RESTORE_ "bl " #target "\n3:\t"                \
            "str x0, [sp]\n\tmov w3, w0\n\t" SW_WATCH_NAME_ "bl " #end "\n\tldr x0, [sp]\n\t"                \
            "mov sp, x29\n\tldp x29, x30, [sp], 16\n\t.cfi_def_cfa 31, 0\n\tret\n\t"                         \
            ".cfi_endproc\n\t.size " #symbol ", .-" #symbol);

#else

#define SW_WATCH_INTEGERS  6
#define SW_WATCH_COPY_(at) "movups 16+" #at "(%rbp), %xmm8\n\tmovups %xmm8, " #at "(%rsp)\n\t"
#define SW_WATCH_COPY_ALL_                                                                                   \
    SW_WATCH_COPY_(0)                                                                                        \
    SW_WATCH_COPY_(16)                                                                                       \
    SW_WATCH_COPY_(32)                                                                                       \
    SW_WATCH_COPY_(48) SW_WATCH_COPY_(64) SW_WATCH_COPY_(80) SW_WATCH_COPY_(96) SW_WATCH_COPY_(112)
#define SW_WATCH_SAVE_                                                                                       \
    "movq %rdi, -64(%rbp)\n\tmovq %rsi, -56(%rbp)\n\tmovq %rdx, -48(%rbp)\n\tmovq %rcx, -40(%rbp)\n\t"       \
    "movq %r8, -32(%rbp)\n\tmovq %r9, -24(%rbp)\n\tmovsd %xmm0, -16(%rbp)\n\tmovsd %xmm1, -8(%rbp)\n\t"
#define SW_WATCH_RESTORE_                                                                                    \
    "movq -64(%rbp), %rdi\n\tmovq -56(%rbp), %rsi\n\tmovq -48(%rbp), %rdx\n\tmovq -40(%rbp), %rcx\n\t"       \
    "movq -32(%rbp), %r8\n\tmovq -24(%rbp), %r9\n\tmovsd -16(%rbp), %xmm0\n\tmovsd -8(%rbp), %xmm1\n\t"
#define SW_WATCH_NAME_ "leaq 2b(%rip), %rdi\n\tleaq -64(%rbp), %rsi\n\tleaq 16(%rbp), %rdx\n\t"
#define SW_WATCH(symbol, target, flag, begin, end)                                                           \
    __asm__(                                                                                                 \
        ".section .rodata.str1.1,\"aMS\",@progbits,1\n2:\t.asciz \"" #symbol "\"\n\t"                        \
        ".text\n\t.balign 16\n\t.globl " #symbol "\n\t.type " #symbol ", @function\n" #symbol ":\n\t"        \
        ".cfi_startproc\n\t"                                                                                 \
        "cmpb $0, " #flag "(%rip)\n\t"                                                                       \
        "je " #target "\n\t"                                                                                 \
        "pushq %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n\t"                                     \
        "movq %rsp, %rbp\n\t.cfi_def_cfa_register 6\n\t"                                                     \
        "subq $192, %rsp\n\t" SW_WATCH_SAVE_ SW_WATCH_NAME_ "call " #begin                                   \
        "\n\ttestl %eax, %eax\n\tjne 3f\n\t" SW_WATCH_COPY_ALL_ SW_WATCH_RESTORE_ "call " #target "\n3:\t"   \
        "movq %rax, (%rsp)\n\tmovl %eax, %ecx\n\t" SW_WATCH_NAME_ "call " #end "\n\tmovq (%rsp), %rax\n\t"   \
        "leave\n\t.cfi_def_cfa 7, 8\n\tret\n\t"                                                              \
        ".cfi_endproc\n\t.size " #symbol ", .-" #symbol);

#endif
#endif
