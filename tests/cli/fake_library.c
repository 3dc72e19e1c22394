/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a library of NVIDIA's, whose file's name it gets: it asks for the driver's private tables, as
 * the runtime inside those libraries does, and loads an image that is machine code alone. */
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

int fake_asks(void);
int fake_loads(int from_heap);

static void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *function = driver ? dlsym(driver, name) : NULL;
    if (!function) abort();
    return function;
}

int fake_asks(void)
{
    const void *table;
    unsigned char id[16] = {0};
    int (*init)(unsigned), (*export_table)(const void **, const void *);
    *(void **)&init = driver_function("cuInit");
    *(void **)&export_table = driver_function("cuGetExportTable");
    if (init(0)) abort();
    return export_table(&table, id);
}

static Elf64_Ehdr cubin = {
    .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
    .e_type = ET_EXEC,
    .e_machine = 190, /* EM_CUDA */
    .e_version = EV_CURRENT,
    .e_flags = 0x5a005a, /* sm_90 */
    .e_ehsize = sizeof(Elf64_Ehdr)};

int fake_loads(int from_heap)
{
    int (*init)(unsigned), (*retain)(void **, int), (*current)(void *), (*load)(void **, const void *);
    void *context, *module, *heap = malloc(sizeof cubin);
    *(void **)&init = driver_function("cuInit");
    *(void **)&retain = driver_function("cuDevicePrimaryCtxRetain");
    *(void **)&current = driver_function("cuCtxSetCurrent");
    *(void **)&load = driver_function("cuModuleLoadData");
    memcpy(heap, &cubin, sizeof cubin);
    if (init(0) || retain(&context, 0) || current(context)) abort();
    int result = load(&module, from_heap ? heap : (void *)&cubin);
    free(heap);
    return result;
}
