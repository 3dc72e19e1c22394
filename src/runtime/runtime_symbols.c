/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: names, addresses and sizes of the variables in the section of managed variables, from the symbol
 * table of an ELF file. Method: every offset is checked against the file. Limits: 64-bit files of this
 * machine's byte order. */
#include "runtime_priv.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char section_name[] = "softwarp_managed";

static bool symbols_inside(const struct rt_file *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->size && bytes <= file->size - offset;
}

/* Section header `index`; false: the file has none, or is not what it says. */
static bool section_at(const struct rt_file *file, uint32_t index, Elf64_Shdr *out)
{
    Elf64_Ehdr header;
    if (file->size < sizeof header) return false;
    memcpy(&header, file->bytes, sizeof header);
    uint64_t offset = header.e_shoff + (uint64_t)index * sizeof *out;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || index >= header.e_shnum ||
        !symbols_inside(file, offset, sizeof *out))
        return false;
    memcpy(out, file->bytes + offset, sizeof *out);
    return out->sh_type == SHT_NOBITS || symbols_inside(file, out->sh_offset, out->sh_size);
}

static const char *text_at(const struct rt_file *file, const Elf64_Shdr *texts, uint64_t offset)
{
    if (texts->sh_type == SHT_NOBITS || offset >= texts->sh_size) return "";
    const char *text = (const char *)file->bytes + texts->sh_offset + offset;
    return memchr(text, 0, texts->sh_size - offset) ? text : "";
}

static uint32_t find_section(const struct rt_file *file)
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

static bool find_symbols(const struct rt_file *file, Elf64_Shdr *symbols, Elf64_Shdr *texts)
{
    for (uint32_t i = 1; section_at(file, i, symbols); i++)
        if (symbols->sh_type == SHT_SYMTAB) return section_at(file, symbols->sh_link, texts);
    return false;
}

static void add_symbol(struct rt_managed *list, const struct rt_file *file, const Elf64_Sym *symbol,
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

static void read_symbols(struct rt_managed *list, const struct rt_file *file, uint32_t section)
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

void rt_managed_symbols(const struct rt_file *file, struct rt_managed *list)
{
    uint32_t section = find_section(file);
    if (section) read_symbols(list, file, section);
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
