/* SPDX-License-Identifier: Apache-2.0 */
/* Which LLVM libsoftwarp-jit.so uses: exported by it and looked up by name, as what jit.h declares. */
#ifndef JIT_JIT_VERSION_H
#define JIT_JIT_VERSION_H

#define JIT_LLVM_VERSION_SYMBOL "softwarp_jit_llvm_version"
typedef void (*jit_llvm_version_fn)(unsigned *major, unsigned *minor, unsigned *patch);
#endif
