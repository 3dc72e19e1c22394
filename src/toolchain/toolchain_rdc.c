/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation: an object that clang made with -fgpu-rdc registers its device code by calling a
 * function whose name ends in a number of the object's own, which nvcc's link step would define. Here no link
 * step is needed: the name is replaced by that of one function which every object brings along
 * (cuda/include/softwarp/linked.h). Method: the name is shorter, so it is written over in the string table.
 * Limits: 64-bit ELF of this machine's byte order. */
#include "toolchain_priv.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char made_by_clang[] = "__cudaRegisterLinkedBinary", ours[] = "__softwarpRegisterLinked";
_Static_assert(sizeof ours <= sizeof made_by_clang, "the new name fits over the old one");

struct object {
    uint8_t *bytes;
    uint64_t size;
};

static bool rdc_inside(const struct object *object, uint64_t offset, uint64_t bytes)
{
    return offset <= object->size && bytes <= object->size - offset;
}

static bool section_at(const struct object *object, uint32_t index, Elf64_Shdr *out)
{
    Elf64_Ehdr header;
    memcpy(&header, object->bytes, sizeof header);
    uint64_t at = header.e_shoff + (uint64_t)index * sizeof *out;
    if (index >= header.e_shnum || !rdc_inside(object, at, sizeof *out)) return false;
    memcpy(out, object->bytes + at, sizeof *out);
    return out->sh_type == SHT_NOBITS || rdc_inside(object, out->sh_offset, out->sh_size);
}

static bool rename_symbols(struct object *object, const Elf64_Shdr *symbols, const Elf64_Shdr *texts)
{
    Elf64_Sym symbol;
    bool renamed = false;
    for (uint64_t at = 0; at + sizeof symbol <= symbols->sh_size; at += sizeof symbol) {
        memcpy(&symbol, object->bytes + symbols->sh_offset + at, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF || symbol.st_name + sizeof made_by_clang > texts->sh_size) continue;
        char *name = (char *)object->bytes + texts->sh_offset + symbol.st_name;
        if (strncmp(name, made_by_clang, sizeof made_by_clang - 1) != 0) continue;
        memcpy(name, ours, sizeof ours);
        renamed = true;
    }
    return renamed;
}

static enum sw_status rename_in(struct object *object, const char *path, struct sw_error *error)
{
    Elf64_Shdr section, texts;
    if (object->size < sizeof(Elf64_Ehdr) || memcmp(object->bytes, ELFMAG, SELFMAG) != 0 ||
        object->bytes[EI_CLASS] != ELFCLASS64)
        return sw_fail(error, SW_CORRUPT, "'%s' is not an object file", path);
    for (uint32_t i = 1; section_at(object, i, &section); i++)
        if (section.sh_type == SHT_SYMTAB && section_at(object, section.sh_link, &texts))
            rename_symbols(object, &section, &texts);
    return SW_OK;
}

enum sw_status toolchain_rdc_object(const char *path, struct sw_error *error)
{
    FILE *file = fopen(path, "r+b");
    if (!file) return sw_fail(error, SW_FILE_NOT_FOUND, "cannot open '%s'", path);
    struct object object = {0};
    enum sw_status status = SW_OK;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) object.size = (uint64_t)ftell(file);
    object.bytes = sw_xmalloc(object.size + 1);
    rewind(file);
    if (fread(object.bytes, 1, object.size, file) != object.size)
        status = sw_fail(error, SW_IO, "cannot read '%s'", path);
    if (status == SW_OK) status = rename_in(&object, path, error);
    rewind(file);
    if (status == SW_OK && fwrite(object.bytes, 1, object.size, file) != object.size)
        status = sw_fail(error, SW_IO, "cannot write '%s'", path);
    if (fclose(file) != 0 && status == SW_OK) status = sw_fail(error, SW_IO, "cannot write '%s'", path);
    free(object.bytes);
    return status;
}
