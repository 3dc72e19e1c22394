/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: exit destroys nothing of LLVM, so that a thread may open it and compile until the process is gone.
 * Method: C++ registers destructors of static objects with __cxa_atexit: those of a library while it is
 * opened, those of functions when they are first called. Exit runs them before any handler that is older,
 * thus under a thread that opens LLVM or compiles. So the entry for __cxa_atexit in the table by which LLVM's
 * library calls others is set to a function that registers nothing. The library that has this file is linked
 * with -z initfirst: its constructor runs when all libraries are bound, and before LLVM's constructors. Other
 * libraries keep theirs. The memory stays in use until the end, as with objects that C++ never destroys.
 * Limits: x86-64 and AArch64, glibc. Where LLVM's library has no such entry, it registers nothing. Where the
 * program has opened the same LLVM before, what that made is destroyed at exit. */
#include "jit_compile_priv.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <llvm-c/Core.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __aarch64__
enum { CALLED = R_AARCH64_JUMP_SLOT, NAMED = R_AARCH64_GLOB_DAT };
#else
enum { CALLED = R_X86_64_JUMP_SLOT, NAMED = R_X86_64_GLOB_DAT };
#endif

struct relocations {
    const Elf64_Rela *first;
    size_t bytes;
};

static int register_nothing(void (*destructor)(void *), void *object, void *library)
{
    (void)destructor, (void)object, (void)library;
    return 0;
}

/* The loader has made addresses of these entries. */
static uint64_t dynamic_value(const struct link_map *library, Elf64_Sxword tag)
{
    for (const Elf64_Dyn *entry = library->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) return entry->d_un.d_val;
    return 0;
}

/* Tables of libraries that bind all at once are read-only when they are complete. */
static void slot_set(void **slot)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)slot & ~(page - 1);
    if (mprotect((void *)begin, page, PROT_READ | PROT_WRITE) == 0) {
        *slot = (void *)(uintptr_t)register_nothing;
        return;
    }
    sw_log("a process that ends while it compiles may crash: LLVM's table of functions cannot be written: %s",
           strerror(errno));
}

static void keep_in(const struct link_map *library, struct relocations table)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)(uintptr_t)dynamic_value(library, DT_SYMTAB);
    const char *names = (const char *)(uintptr_t)dynamic_value(library, DT_STRTAB);
    for (size_t i = 0; i < table.bytes / sizeof *table.first; i++) {
        const Elf64_Rela *entry = &table.first[i];
        uint64_t type = ELF64_R_TYPE(entry->r_info);
        if (type != CALLED && type != NAMED) continue;
        if (strcmp(names + symbols[ELF64_R_SYM(entry->r_info)].st_name, "__cxa_atexit") == 0)
            slot_set((void **)(uintptr_t)(library->l_addr + entry->r_offset));
    }
}

__attribute__((constructor)) static void keep(void)
{
    jit_llvm_opens();
    Dl_info unused;
    struct link_map *library;
    if (!dladdr1((void *)(uintptr_t)LLVMContextCreate, &unused, (void **)&library, RTLD_DL_LINKMAP))
        BUG("LLVM is in no library");
    const Elf64_Rela *calls = (const Elf64_Rela *)(uintptr_t)dynamic_value(library, DT_JMPREL);
    const Elf64_Rela *others = (const Elf64_Rela *)(uintptr_t)dynamic_value(library, DT_RELA);
    keep_in(library, (struct relocations){calls, dynamic_value(library, DT_PLTRELSZ)});
    keep_in(library, (struct relocations){others, dynamic_value(library, DT_RELASZ)});
}
