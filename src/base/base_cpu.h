/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose loops are compiled for several instruction sets of x86-64; the loader takes the best that
 * this CPU has. Elsewhere, and under sanitizers, which cannot start with such functions, they are ordinary.
 */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define SW_FOR_EACH_CPU __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define SW_FOR_EACH_CPU
#endif
#endif
