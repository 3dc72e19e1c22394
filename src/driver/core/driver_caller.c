/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which function the program called, and from where, for tools that name it. Method: read off the
 * stack: the outermost frame inside our libraries is the function, the next one its caller. Both are kept by
 * the caller's address, so that names are looked up once. Callers are named by their place in their file, so
 * that two runs give the same; the command line finds their source lines. Limits: of deeper stacks only the
 * innermost frames are looked at. */
#include "driver_caller.h"

#include "base/base.h"
#include "base/base_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST_FRAMES = 48 };

static pthread_mutex_t callers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct map callers; /* by the caller's address and the function's: struct driver_caller */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_ours(const Dl_info *info)
{
    const char *name = info->dli_fname ? file_name(info->dli_fname) : "";
    bool is_library = sw_starts_with(name, "lib") && strstr(name, ".so"); /* a program may be called "nccl" */
    const struct sw_library *library = is_library ? sw_library_find(name) : NULL;
    return sw_starts_with(name, "libcuda.so") || sw_starts_with(name, "libcudart.so") ||
           (library && library->ours[0]);
}

/* Exported names end in suffixes for versions and per-thread forms, which programs do not write; compilers
 * write the underscores of __cudaLaunchKernel; functions of NCCL have a second name, for profilers. */
static char *plain_name(const char *symbol)
{
    size_t skipped = sw_starts_with(symbol, "__cuda") ? 2 : sw_starts_with(symbol, "pnccl") ? 1 : 0;
    char *name = sw_xstrdup(symbol + skipped);
    for (size_t i = 0; i < 3; i++) {
        static const char *const ENDS[] = {"_ptds", "_ptsz", "_v2"};
        size_t length = strlen(name), cut = strlen(ENDS[i]);
        if (sw_ends_with(name, ENDS[i])) name[length - cut] = 0;
    }
    return name;
}

/* The file that holds an address, and the place in it as tools for debugging count: programs that stand at a
 * fixed address count from 0. */
static void add_location(struct str *out, const Dl_info *info, const void *address)
{
    char self[PATH_MAX];
    const Elf64_Ehdr *head = info->dli_fbase;
    uintptr_t base = head->e_type == ET_EXEC ? 0 : (uintptr_t)info->dli_fbase;
    const char *file = info->dli_fname;
    if (file[0] != '/') { /* the program, as it was called */
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length > 0 ? length : 0] = 0;
        file = self;
    }
    str_printf(out, "%s+0x%llx", file, (unsigned long long)((uintptr_t)address - base));
}

static struct driver_caller *caller_new(void *function, void *caller)
{
    Dl_info info;
    struct str text = {0};
    struct driver_caller *made = sw_xmalloc(sizeof *made);
    made->api = dladdr(function, &info) && info.dli_sname ? plain_name(info.dli_sname) : "";
    if (caller && dladdr(caller, &info) && info.dli_fname) add_location(&text, &info, caller);
    made->where = sw_xstrdup(str_text(&text));
    str_release(&text);
    return made;
}

enum kind { OTHER, OURS, C_LIBRARY };

/* Of an address: kept, since dladdr goes through all symbols of a library. */
static enum kind kind_of(void *address)
{
    static struct map kinds; /* by address: the kind, and 1 */
    Dl_info info;
    pthread_mutex_lock(&callers_lock);
    uintptr_t kind = (uintptr_t)map_get_u64(&kinds, (uintptr_t)address);
    if (!kind) {
        bool known = dladdr(address, &info) && info.dli_fname;
        kind = 1 + (known && is_ours(&info)                                         ? OURS
                    : known && sw_starts_with(file_name(info.dli_fname), "libc.so") ? C_LIBRARY
                                                                                    : OTHER);
        map_set_u64(&kinds, (uintptr_t)address, (void *)kind);
    }
    pthread_mutex_unlock(&callers_lock);
    return (enum kind)(kind - 1);
}

/* The caller of a stub that is one of the first frames of the program; else the first frame. */
static void *caller_of_stub(const void *stub, void *const *frames, int count)
{
    enum { NEAR = 3 }; /* of nvcc's stubs the inner part calls */
    for (int i = 0; stub && i < NEAR && i + 1 < count; i++)
        if (_Unwind_FindEnclosingFunction((char *)frames[i] - 1) == stub) return (char *)frames[i + 1] - 1;
    return (char *)frames[0] - 1;
}

/* Up to some callers from the first frame of the program on; false: a thread of ours. */
static bool read_launch(void **function, void **out, int most)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES), found = 0;
    for (int i = 0; i < count && found < most; i++) {
        void *call = (char *)frames[i] - 1;
        enum kind kind = kind_of(call);
        if (kind == OURS && !found)
            *function = call;
        else if (*function && kind != OTHER)
            break;
        else if (*function)
            out[found++] = call;
    }
    return found > 0;
}

/* false: a thread of ours. */
static bool read_stack(const void *stub, void **function, void **caller)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    for (int i = 0; i < count && !*caller; i++) {
        void *call = (char *)frames[i] - 1; /* the return address may be the next function's */
        enum kind kind = kind_of(call);
        if (kind == OURS)
            *function = call;
        else if (*function) /* before it: the C library's part of this */
            *caller = caller_of_stub(stub, frames + i, count - i);
        if (*caller && kind == C_LIBRARY) return false;
    }
    return true;
}

const struct driver_caller *driver_caller_find(const void *stub)
{
    void *function = NULL, *caller = NULL;
    if (!read_stack(stub, &function, &caller)) return NULL;
    uint64_t key = (uintptr_t)caller * 31 + (uintptr_t)function;
    pthread_mutex_lock(&callers_lock);
    struct driver_caller *found = map_get_u64(&callers, key);
    if (!found) {
        found = caller_new(function, caller);
        map_set_u64(&callers, key, found);
    }
    pthread_mutex_unlock(&callers_lock);
    return found;
}

const struct driver_caller *driver_caller_of_launch(void)
{
    enum { CALLERS = 4 };    /* implementation: nvcc's stubs have up to three parts */
    static struct map known; /* by a hash of the addresses: struct driver_caller */
    void *addresses[1 + CALLERS] = {NULL};
    if (!read_launch(&addresses[0], &addresses[1], CALLERS)) return NULL;
    uint64_t key = sw_hash_bytes(addresses, sizeof addresses, 0);
    pthread_mutex_lock(&callers_lock);
    struct driver_caller *found = map_get_u64(&known, key);
    if (!found) {
        struct str text = {0};
        Dl_info info;
        found = caller_new(addresses[0], addresses[1]);
        for (int i = 1; i <= CALLERS && addresses[i]; i++) {
            if (!dladdr(addresses[i], &info) || !info.dli_fname) continue;
            if (text.length) str_add_char(&text, '\n');
            add_location(&text, &info, addresses[i]);
        }
        found->where = sw_xstrdup(str_text(&text));
        str_release(&text);
        map_set_u64(&known, key, found);
    }
    pthread_mutex_unlock(&callers_lock);
    return found;
}

/* The first place of the program's on the stack, from the instruction on: the C library may make the access
 * for it. NULL: it makes it for us. */
static const void *place_of_access(const void *pc)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES), i = 0;
    while (i < count && frames[i] != pc)
        i++;
    if (kind_of((void *)(uintptr_t)pc) != C_LIBRARY)
        return kind_of((void *)(uintptr_t)pc) == OURS ? NULL : pc;
    for (i++; i < count; i++) {
        char *call = (char *)frames[i] - 1;
        if (kind_of(call) != C_LIBRARY) return kind_of(call) == OURS ? NULL : call;
    }
    return pc;
}

const struct driver_caller *driver_caller_of_access(const void *pc)
{
    static struct map known; /* by address: struct driver_caller */
    const void *place = place_of_access(pc);
    if (!place) return NULL;
    pthread_mutex_lock(&callers_lock);
    struct driver_caller *found = map_get_u64(&known, (uintptr_t)place);
    if (!found) {
        found = caller_new(NULL, (void *)(uintptr_t)place);
        found->api = "host code";
        map_set_u64(&known, (uintptr_t)place, found);
    }
    pthread_mutex_unlock(&callers_lock);
    return found;
}

static _Thread_local const void *called_from;

void driver_called_from(const void *address)
{
    called_from = address;
}

const void *driver_caller_taken(void)
{
    const void *address = called_from;
    called_from = NULL;
    return address;
}

char *driver_caller_place(const void *address)
{
    Dl_info info;
    struct str text = {0};
    const void *call = (const char *)address - 1;
    bool ours = kind_of((void *)(uintptr_t)call) == OURS; /* one of its functions called another */
    if (!ours && dladdr(call, &info) && info.dli_fname) add_location(&text, &info, call);
    char *place = sw_xstrdup(str_text(&text));
    str_release(&text);
    return place;
}
