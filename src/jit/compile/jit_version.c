/* SPDX-License-Identifier: Apache-2.0 */
/* The version of LLVM's library as it runs, which may be newer than the headers. Any thread. */
#include "jit_compile_priv.h"

#include <llvm-c/Core.h>

__attribute__((visibility("default"))) void softwarp_jit_llvm_version(unsigned *major, unsigned *minor,
                                                                      unsigned *patch);

void softwarp_jit_llvm_version(unsigned *major, unsigned *minor, unsigned *patch)
{
    jit_llvm_opened();
    LLVMGetVersion(major, minor, patch);
}
