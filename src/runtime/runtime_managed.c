/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: __managed__ variables of programs that `softwarp cc` compiled.
 * Method: in host code they are ordinary variables, in the section MANAGED_SECTION of the program or shared
 * library that has the fat binary (cuda/include/host_defines.h); a kernel can reach any host memory, so the
 * device's variable of the same name is given that address when its module is loaded. Names and addresses
 * come from the file's symbol table. Limits: a program that was stripped has lost the names, which is
 * refused. */
#include "runtime_priv.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char section_name[] = "softwarp_managed";

struct file {
    const uint8_t *bytes;
    size_t size;
    uintptr_t bias; /* where it is loaded, less its own addresses */
};

static bool managed_open_file(const char *path, struct file *file)
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
static bool file_of(const void *address, struct file *file)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return false;
    file->bias = map->l_addr;
    return managed_open_file(*map->l_name ? map->l_name : "/proc/self/exe", file);
}

static bool managed_inside(const struct file *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->size && bytes <= file->size - offset;
}

/* Section header `index`; false: the file has none, or is not what it says. */
static bool section_at(const struct file *file, uint32_t index, Elf64_Shdr *out)
{
    Elf64_Ehdr header;
    if (file->size < sizeof header) return false;
    memcpy(&header, file->bytes, sizeof header);
    uint64_t offset = header.e_shoff + (uint64_t)index * sizeof *out;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || index >= header.e_shnum ||
        !managed_inside(file, offset, sizeof *out))
        return false;
    memcpy(out, file->bytes + offset, sizeof *out);
    return out->sh_type == SHT_NOBITS || managed_inside(file, out->sh_offset, out->sh_size);
}

static const char *text_at(const struct file *file, const Elf64_Shdr *texts, uint64_t offset)
{
    if (offset >= texts->sh_size) return "";
    const char *text = (const char *)file->bytes + texts->sh_offset + offset;
    return memchr(text, 0, texts->sh_size - offset) ? text : "";
}

static uint32_t find_section(const struct file *file)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    if (file->size < sizeof header) return 0;
    memcpy(&header, file->bytes, sizeof header);
    if (!section_at(file, header.e_shstrndx, &names)) return 0;
    for (uint32_t i = 1; section_at(file, i, &section); i++)
        if (strcmp(text_at(file, &names, section.sh_name), section_name) == 0) return i;
    return 0;
}

static bool find_symbols(const struct file *file, Elf64_Shdr *symbols, Elf64_Shdr *texts)
{
    for (uint32_t i = 1; section_at(file, i, symbols); i++)
        if (symbols->sh_type == SHT_SYMTAB) return section_at(file, symbols->sh_link, texts);
    return false;
}

static void add_symbol(struct rt_managed *list, const struct file *file, const Elf64_Sym *symbol,
                       const char *name)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->names = sw_xrealloc(list->names, list->capacity * sizeof *list->names);
        list->addresses = sw_xrealloc(list->addresses, list->capacity * sizeof *list->addresses);
        list->bytes = sw_xrealloc(list->bytes, list->capacity * sizeof *list->bytes);
    }
    list->names[list->count] = sw_xstrdup(name);
    list->addresses[list->count] = (void *)(file->bias + symbol->st_value); /* NOLINT: an address */
    list->bytes[list->count++] = symbol->st_size;
}

static void read_symbols(struct rt_managed *list, const struct file *file, uint32_t section)
{
    Elf64_Shdr symbols, texts;
    Elf64_Sym symbol;
    if (!find_symbols(file, &symbols, &texts)) {
        sw_log(
            "the program has __managed__ variables, but its symbol table was stripped; link it without -s");
        list->lost = true;
        return;
    }
    for (uint64_t at = 0; at + sizeof symbol <= symbols.sh_size; at += sizeof symbol) {
        memcpy(&symbol, file->bytes + symbols.sh_offset + at, sizeof symbol);
        if (symbol.st_shndx == section && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT)
            add_symbol(list, file, &symbol, text_at(file, &texts, symbol.st_name));
    }
}

void rt_managed_read(const void *wrapper, struct rt_managed *list)
{
    struct file file;
    if (list->read) return;
    list->read = true;
    if (!file_of(wrapper, &file)) return;
    uint32_t section = find_section(&file);
    if (section) read_symbols(list, &file, section);
    munmap((void *)(uintptr_t)file.bytes, file.size);
}

void rt_managed_release(struct rt_managed *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    free(list->addresses);
    free(list->bytes);
    *list = (struct rt_managed){0};
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
