/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: __managed__ variables of programs that `softwarp cc` compiled.
 * Method: in host code they are ordinary variables, in the section MANAGED_SECTION of the program or shared
 * library that has the fat binary (cuda/include/host_defines.h); a kernel can reach any host memory, so the
 * device's variable of the same name is given that address when its module is loaded. Names and addresses
 * come from the file's symbol table (runtime_symbols.c). Limits: a program that was stripped has lost the
 * names, which is refused. */
#include "runtime_priv.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool managed_open_file(const char *path, struct rt_file *file)
{
    struct stat info;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    void *bytes = MAP_FAILED;
    if (fstat(descriptor, &info) == 0 && info.st_size > 0)
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED) return false;
    file->bytes = bytes;
    file->size = (size_t)info.st_size;
    return true;
}

/* The file that an address of this process was loaded from. */
static bool file_of(const void *address, struct rt_file *file)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return false;
    file->bias = map->l_addr;
    return managed_open_file(*map->l_name ? map->l_name : "/proc/self/exe", file);
}

void rt_managed_read(const void *wrapper, struct rt_managed *list)
{
    struct rt_file file;
    if (list->read) return;
    list->read = true;
    if (!file_of(wrapper, &file)) return;
    rt_managed_symbols(&file, list);
    munmap((void *)(uintptr_t)file.bytes, file.size);
}

CUresult rt_managed_load(const void *wrapper, struct rt_managed *list, CUmodule *module)
{
    rt_managed_read(wrapper, list);
    if (list->lost) return CUDA_ERROR_NOT_FOUND;
    if (list->count == 0) return cuModuleLoadData(module, wrapper);
    CUjit_option options[] = {CU_JIT_GLOBAL_SYMBOL_COUNT, CU_JIT_GLOBAL_SYMBOL_NAMES,
                              CU_JIT_GLOBAL_SYMBOL_ADDRESSES};
    void *values[] = {(void *)list->count, list->names, list->addresses}; /* NOLINT: a number */
    return cuModuleLoadDataEx(module, wrapper, 3, options, values);
}
