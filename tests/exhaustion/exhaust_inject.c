/* SPDX-License-Identifier: Apache-2.0 */
/* Makes calls of the C library fail: the Nth one, or all from the Nth on.
 * Method: it defines the functions and is found before the C library. Only calls of Softwarp's libraries, of
 * softwarp and of the C library itself (strdup, pthread_create, dlopen) are counted, by the address that they
 * return to; with INJECT_COMPILER, those of LLVM's and the C++ library's. A program's own calls never fail.
 * Environment, for programs that are not linked to it: INJECT_AT=N, INJECT_ON=1 (all from N on), INJECT_KINDS
 * (a number, enum inject_kind), INJECT_PROGRAM (the short name of the program, others are left alone),
 * INJECT_COUNT=FILE (the number of calls is written there at exit).
 * Limits: what the C library calls inside itself cannot be caught: writes of stdio, maps of malloc. */
#include "exhaust_inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own names of what this file defines. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

enum side { OTHER, SOFTWARP, COMPILER };

static struct range {
    uintptr_t begin, end;
    enum side side;
} ranges[512];
static atomic_uint range_count;
static pthread_mutex_t range_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static atomic_uint armed; /* kinds */
static atomic_ulong seen, failed, fail_at;
static atomic_bool fail_on;

/* ---- whose call it is */

static bool begins(const char *name, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(name, *with, strlen(*with)) == 0) return true;
    return false;
}

static enum side side_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!*name) name = program_invocation_short_name;
    if (begins(name, (const char *const[]){"libLLVM", "libstdc++", NULL})) return COMPILER;
    if (begins(name, (const char *const[]){"libcu", "libsoftwarp", "libnv", "libnccl", "libc.so", "softwarp",
                                           NULL}))
        return SOFTWARP;
    return OTHER;
}

static int note_object(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        unsigned count = atomic_load(&range_count);
        for (unsigned k = 0; k < count; k++)
            if (ranges[k].begin == begin) return 0;
        if (count == sizeof ranges / sizeof *ranges) return 0;
        ranges[count] = (struct range){begin, begin + part->p_memsz, side_of(info->dlpi_name)};
        atomic_store(&range_count, count + 1);
    }
    return 0;
}

static const struct range *range_find(uintptr_t at)
{
    unsigned count = atomic_load(&range_count);
    for (unsigned i = 0; i < count; i++)
        if (at >= ranges[i].begin && at < ranges[i].end) return &ranges[i];
    return NULL;
}

static enum side side_at(uintptr_t at)
{
    const struct range *range = range_find(at);
    if (range) return range->side;
    pthread_mutex_lock(&range_lock);
    dl_iterate_phdr(note_object, NULL);
    pthread_mutex_unlock(&range_lock);
    range = range_find(at);
    return range ? range->side : OTHER;
}

static void say(const char *name, void *caller)
{
    if (!getenv("INJECT_SAY")) return;
    char line[512];
    Dl_info info = {0};
    dladdr(caller, &info);
    int length = snprintf(
        line, sizeof line, "inject: %s fails at %s+0x%zx (%s)\n", name, info.dli_fname ? info.dli_fname : "?",
        (size_t)((char *)caller - (char *)info.dli_fbase), info.dli_sname ? info.dli_sname : "?");
    syscall(SYS_write, 2, line, length);
}

/* Does this call fail? */
static bool fails(enum inject_kind kind, const char *name, void *caller)
{
    unsigned kinds = atomic_load_explicit(&armed, memory_order_relaxed);
    if (!(kinds & kind)) return false;
    if (side_at((uintptr_t)caller) != (kinds & INJECT_COMPILER ? COMPILER : SOFTWARP)) return false;
    unsigned long number = atomic_fetch_add(&seen, 1) + 1, at = atomic_load(&fail_at);
    if (!at || (atomic_load(&fail_on) ? number < at : number != at)) return false;
    if (atomic_fetch_add(&failed, 1) == 0) say(name, caller);
    return true;
}

#define FAILS(kind, name) fails(kind, name, __builtin_return_address(0))
/* The real one of a name, for those that have no other. */
#define REAL(name) __typeof__(&name) real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

/* ---- memory */

static void *none(int error)
{
    errno = error;
    return NULL;
}

void *malloc(size_t bytes)
{
    return FAILS(INJECT_HEAP, "malloc") ? none(ENOMEM) : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return FAILS(INJECT_HEAP, "calloc") ? none(ENOMEM) : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return FAILS(INJECT_HEAP, "realloc") ? none(ENOMEM) : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return FAILS(INJECT_HEAP, "aligned_alloc") ? none(ENOMEM) : __libc_memalign(align, bytes);
}

void *memalign(size_t align, size_t bytes);
void *memalign(size_t align, size_t bytes)
{
    return FAILS(INJECT_HEAP, "memalign") ? none(ENOMEM) : __libc_memalign(align, bytes);
}

int posix_memalign(void **out, size_t align, size_t bytes)
{
    if (FAILS(INJECT_HEAP, "posix_memalign")) return ENOMEM;
    void *memory = __libc_memalign(align, bytes);
    if (memory) *out = memory;
    return memory ? 0 : ENOMEM;
}

void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    if (FAILS(INJECT_MAPS, "mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, bytes, access, flags, file, offset);
}

/* ---- threads, files */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    if (FAILS(INJECT_THREADS, "pthread_create")) return EAGAIN;
    REAL(pthread_create);
    return real(thread, attributes, run, argument);
}

static int minus(int error)
{
    errno = error;
    return -1;
}

ssize_t write(int file, const void *data, size_t bytes)
{
    if (file > STDERR_FILENO && FAILS(INJECT_WRITES, "write")) return minus(ENOSPC);
    return syscall(SYS_write, file, data, bytes);
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t at)
{
    return FAILS(INJECT_WRITES, "pwrite") ? minus(ENOSPC) : syscall(SYS_pwrite64, file, data, bytes, at);
}

int ftruncate(int file, off_t bytes)
{
    return FAILS(INJECT_WRITES, "ftruncate") ? minus(ENOSPC) : (int)syscall(SYS_ftruncate, file, bytes);
}

int fallocate(int file, int mode, off_t at, off_t bytes)
{
    return FAILS(INJECT_WRITES, "fallocate") ? minus(ENOSPC)
                                             : (int)syscall(SYS_fallocate, file, mode, at, bytes);
}

#define MODE(flags)                                                                                          \
    mode_t mode = 0;                                                                                         \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                   \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        mode = va_arg(arguments, mode_t);                                                                    \
        va_end(arguments);                                                                                   \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    return FAILS(INJECT_FILES, "open") ? minus(EMFILE)
                                       : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE(flags)
    return FAILS(INJECT_FILES, "openat") ? minus(EMFILE)
                                         : (int)syscall(SYS_openat, folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *how)
{
    if (FAILS(INJECT_FILES, "fopen")) return none(EMFILE);
    REAL(fopen);
    return real(path, how);
}

int memfd_create(const char *name, unsigned flags)
{
    return FAILS(INJECT_FILES, "memfd_create") ? minus(EMFILE) : (int)syscall(SYS_memfd_create, name, flags);
}

int mkstemp(char *path)
{
    if (FAILS(INJECT_FILES, "mkstemp")) return minus(EMFILE);
    REAL(mkstemp);
    return real(path);
}

int pipe2(int ends[2], int flags)
{
    return FAILS(INJECT_FILES, "pipe2") ? minus(EMFILE) : (int)syscall(SYS_pipe2, ends, flags);
}

int pipe(int ends[2])
{
    return FAILS(INJECT_FILES, "pipe") ? minus(EMFILE) : (int)syscall(SYS_pipe2, ends, 0);
}

int socket(int domain, int type, int protocol)
{
    return FAILS(INJECT_FILES, "socket") ? minus(EMFILE) : (int)syscall(SYS_socket, domain, type, protocol);
}

/* ---- control */

void inject_arm(unsigned kinds, unsigned long at, bool on)
{
    atomic_store(&armed, 0);
    atomic_store(&seen, 0);
    atomic_store(&failed, 0);
    atomic_store(&fail_at, at);
    atomic_store(&fail_on, on);
    atomic_store(&armed, kinds);
}

void inject_disarm(void)
{
    atomic_store(&armed, 0);
}

unsigned long inject_seen(void)
{
    return atomic_load(&seen);
}

static unsigned long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : 0;
}

static bool chosen(void)
{
    const char *program = getenv("INJECT_PROGRAM");
    return getenv("INJECT_KINDS") && (!program || strcmp(program, program_invocation_short_name) == 0);
}

__attribute__((constructor)) static void begin(void)
{
    if (chosen()) inject_arm((unsigned)number("INJECT_KINDS"), number("INJECT_AT"), number("INJECT_ON") != 0);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("INJECT_COUNT");
    if (!path || !chosen()) return;
    inject_disarm();
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%lu\n", inject_seen());
    fclose(file);
}
