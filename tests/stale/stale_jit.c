/* SPDX-License-Identifier: Apache-2.0 */
/* What looks like libsoftwarp-jit.so, but must not be called: with STALE_ABI, as of another build; without,
 * as of those that did not tell. */
#include <stdint.h>
#include <stdlib.h>

int softwarp_jit_compile(const void *request, void *out, void *error);
int softwarp_jit_compile(const void *request, void *out, void *error)
{
    (void)request, (void)out, (void)error;
    abort();
}

#ifdef STALE_ABI
uint64_t softwarp_jit_abi(void);
uint64_t softwarp_jit_abi(void)
{
    return STALE_ABI;
}
#endif
