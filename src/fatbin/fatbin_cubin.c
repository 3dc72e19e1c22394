/* SPDX-License-Identifier: Apache-2.0 */
/* What a cubin (ELF64) says of its kernels: registers, frame, shared memory, parameters.
 * Method: a bounds-checked view of the section table; a kernel is a section .nv.info.<kernel>; records of
 * .nv.info name kernels by symbol. Limits: record kinds other than those below are skipped; SASS is not
 * looked at. */
#include "fatbin_priv.h"

#include <elf.h>
#include <string.h>

struct cubin {
    const uint8_t *image;
    uint64_t bytes;
    Elf64_Ehdr header;
    Elf64_Shdr names, strings, symbols; /* zero where absent */
    struct map kernels;                 /* name to struct fatbin_resources */
    struct sw_error *error;
};

static bool cubin_inside(uint64_t limit, uint64_t offset, uint64_t bytes)
{
    return offset <= limit && bytes <= limit - offset;
}

static bool read_header(const uint8_t *image, uint64_t readable, Elf64_Ehdr *header)
{
    if (readable < sizeof *header) return false;
    memcpy(header, image, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == ELFDATA2LSB &&
           (!header->e_shnum || header->e_shentsize == sizeof(Elf64_Shdr));
}

static bool read_section(const struct cubin *cubin, uint32_t index, Elf64_Shdr *section)
{
    uint64_t at = cubin->header.e_shoff;
    if (index >= cubin->header.e_shnum ||
        !cubin_inside(cubin->bytes, at, ((uint64_t)index + 1) * sizeof *section))
        return false;
    memcpy(section, cubin->image + at + (uint64_t)index * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS || cubin_inside(cubin->bytes, section->sh_offset, section->sh_size);
}

uint64_t fatbin_elf_bytes(const uint8_t *image, uint64_t readable)
{
    struct cubin cubin = {.image = image, .bytes = readable};
    Elf64_Shdr section;
    if (!read_header(image, readable, &cubin.header)) return 0;
    uint64_t end = sizeof cubin.header, table = (uint64_t)cubin.header.e_shnum * sizeof section;
    if (!cubin_inside(readable, cubin.header.e_shoff, table)) return 0;
    if (table && cubin.header.e_shoff + table > end) end = cubin.header.e_shoff + table;
    for (uint32_t i = 0; i < cubin.header.e_shnum; i++) {
        if (!read_section(&cubin, i, &section)) return 0;
        uint64_t last = section.sh_type == SHT_NOBITS ? 0 : section.sh_offset + section.sh_size;
        if (last > end) end = last;
    }
    uint64_t segments = (uint64_t)cubin.header.e_phnum * cubin.header.e_phentsize;
    if (segments && cubin_inside(readable, cubin.header.e_phoff, segments) &&
        cubin.header.e_phoff + segments > end)
        end = cubin.header.e_phoff + segments;
    return end;
}

/* The NUL-terminated string at offset of a string table, or "". */
static const char *string_at(const struct cubin *cubin, const Elf64_Shdr *table, uint64_t offset)
{
    if (table->sh_type != SHT_STRTAB || offset >= table->sh_size) return "";
    const char *text = (const char *)cubin->image + table->sh_offset + offset;
    return memchr(text, 0, table->sh_size - offset) ? text : "";
}

const char *fatbin_elf_ptx(const uint8_t *image, uint64_t bytes, uint64_t *ptx_bytes)
{
    struct cubin cubin = {.image = image, .bytes = bytes};
    Elf64_Shdr section;
    if (!read_header(image, bytes, &cubin.header) ||
        !read_section(&cubin, cubin.header.e_shstrndx, &cubin.names))
        return NULL;
    for (uint32_t i = 0; i < cubin.header.e_shnum; i++) {
        if (!read_section(&cubin, i, &section) || section.sh_type != SHT_PROGBITS || !section.sh_size ||
            strcmp(string_at(&cubin, &cubin.names, section.sh_name), FATBIN_PTX_SECTION) != 0)
            continue;
        const char *text = (const char *)image + section.sh_offset;
        *ptx_bytes = section.sh_size;
        return text[section.sh_size - 1] ? NULL : text;
    }
    return NULL;
}

uint32_t fatbin_elf_sm(const uint8_t *image, char *suffix)
{
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    *suffix = 0; /* whether 'a' or 'f' is not known from the flags alone; the container says it */
    bool high = header.e_ident[EI_ABIVERSION] >= FATBIN_ELF_VERSION_SM_HIGH;
    return (high ? header.e_flags >> 8 : header.e_flags) & 0xff;
}

static const char *symbol_name(const struct cubin *cubin, uint32_t index)
{
    Elf64_Sym symbol;
    if (!cubin_inside(cubin->symbols.sh_size, 0, ((uint64_t)index + 1) * sizeof symbol)) return "";
    memcpy(&symbol, cubin->image + cubin->symbols.sh_offset + (uint64_t)index * sizeof symbol, sizeof symbol);
    return string_at(cubin, &cubin->strings, symbol.st_name);
}

static enum sw_status open_cubin(struct cubin *cubin)
{
    if (!read_header(cubin->image, cubin->bytes, &cubin->header))
        return sw_fail(cubin->error, SW_CORRUPT, "cubin: no 64-bit little-endian ELF header");
    if (cubin->header.e_shnum && !read_section(cubin, cubin->header.e_shstrndx, &cubin->names))
        return sw_fail(cubin->error, SW_CORRUPT, "cubin: section names outside of the image");
    for (uint32_t i = 0; i < cubin->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!read_section(cubin, i, &section))
            return sw_fail(cubin->error, SW_CORRUPT, "cubin: section %u outside of the image", i);
        if (section.sh_type != SHT_SYMTAB) continue;
        cubin->symbols = section;
        if (!read_section(cubin, section.sh_link, &cubin->strings))
            return sw_fail(cubin->error, SW_CORRUPT, "cubin: symbol names outside of the image");
    }
    return SW_OK;
}

/* One record: attribute, the half-word in its head, and the sized value's words (0 where it is shorter). */
struct record {
    uint8_t attribute;
    uint16_t half;
    uint32_t words[3];
};

static void apply_symbol_record(const struct cubin *cubin, const struct record *record)
{
    struct fatbin_resources *kernel = map_get(&cubin->kernels, symbol_name(cubin, record->words[0]));
    if (!kernel) return;
    if (record->attribute == FATBIN_ATTR_REGCOUNT) kernel->registers = record->words[1];
    if (record->attribute == FATBIN_ATTR_FRAME_SIZE) kernel->local_bytes = record->words[1];
    if (record->attribute == FATBIN_ATTR_MIN_STACK_SIZE) kernel->stack_bytes = record->words[1];
}

static uint32_t thread_product(const uint32_t words[3])
{
    uint64_t product = words[0];
    for (int i = 1; i < 3; i++)
        product = product * words[i] > UINT32_MAX ? UINT32_MAX : product * words[i];
    return (uint32_t)product;
}

static void apply_kernel_record(const struct record *record, struct fatbin_resources *kernel)
{
    if (record->attribute == FATBIN_ATTR_PARAM_BYTES) kernel->param_bytes = record->half;
    if (record->attribute == FATBIN_ATTR_BARRIERS) kernel->barriers = record->half & 0xff;
    if (record->attribute == FATBIN_ATTR_MAX_THREADS) kernel->max_threads = thread_product(record->words);
}

/* Walk the records of an info section; kernel NULL: the section is .nv.info itself. */
static enum sw_status read_records(const struct cubin *cubin, const Elf64_Shdr *section,
                                   struct fatbin_resources *kernel)
{
    const uint8_t *data = cubin->image + section->sh_offset;
    for (uint64_t at = 0; at + 4 <= section->sh_size;) {
        struct record record = {.attribute = data[at + 1]};
        memcpy(&record.half, data + at + 2, 2);
        uint64_t extra = data[at] == FATBIN_RECORD_SIZED ? record.half : 0;
        if (!cubin_inside(section->sh_size, at + 4, extra))
            return sw_fail(cubin->error, SW_CORRUPT, "cubin: truncated .nv.info record");
        memcpy(record.words, data + at + 4, extra < sizeof record.words ? extra : sizeof record.words);
        if (kernel)
            apply_kernel_record(&record, kernel);
        else if (data[at] == FATBIN_RECORD_SIZED && extra >= 8)
            apply_symbol_record(cubin, &record);
        at += 4 + extra;
    }
    return SW_OK;
}

/* Name of the kernel that a section `prefix`<kernel> belongs to, or NULL. */
static const char *kernel_of(const struct cubin *cubin, const Elf64_Shdr *section, const char *prefix)
{
    const char *name = string_at(cubin, &cubin->names, section->sh_name);
    return sw_starts_with(name, prefix) && name[strlen(prefix)] ? name + strlen(prefix) : NULL;
}

static uint32_t own_shared_bytes(uint64_t section_bytes, uint32_t sm)
{
    uint64_t reserved = sm >= 90 ? FATBIN_RESERVED_SHARED_BYTES : 0;
    uint64_t own = section_bytes > reserved ? section_bytes - reserved : 0;
    return own > UINT32_MAX ? UINT32_MAX : (uint32_t)own;
}

/* One resource record per .nv.info.<kernel> section, zeroed but for the name. */
static struct fatbin_resources *list_kernels(struct cubin *cubin, struct arena *arena, uint32_t *count)
{
    struct fatbin_resources *all = ARENA_ARRAY(arena, struct fatbin_resources, cubin->header.e_shnum);
    for (uint32_t i = 0; i < cubin->header.e_shnum; i++) {
        Elf64_Shdr section;
        const char *kernel =
            read_section(cubin, i, &section) ? kernel_of(cubin, &section, ".nv.info.") : NULL;
        if (!kernel) continue;
        all[*count].kernel = arena_strdup(arena, kernel);
        map_set(&cubin->kernels, all[*count].kernel, &all[*count]);
        (*count)++;
    }
    return all;
}

static enum sw_status read_section_resources(const struct cubin *cubin, uint32_t index, uint32_t sm)
{
    Elf64_Shdr section;
    const char *name;
    if (!read_section(cubin, index, &section)) return SW_OK;
    if ((name = kernel_of(cubin, &section, ".nv.shared."))) {
        struct fatbin_resources *kernel = map_get(&cubin->kernels, name);
        if (kernel) kernel->shared_bytes = own_shared_bytes(section.sh_size, sm);
        return SW_OK;
    }
    if (section.sh_type == SHT_NOBITS) return SW_OK;
    if ((name = kernel_of(cubin, &section, ".nv.info.")))
        return read_records(cubin, &section, map_get(&cubin->kernels, name));
    bool common = strcmp(string_at(cubin, &cubin->names, section.sh_name), ".nv.info") == 0;
    return common ? read_records(cubin, &section, NULL) : SW_OK;
}

enum sw_status fatbin_cubin_resources(const uint8_t *cubin_image, uint64_t bytes, struct arena *arena,
                                      struct fatbin_resources **out, uint32_t *count, uint32_t *sm,
                                      struct sw_error *error)
{
    struct cubin cubin = {.image = cubin_image, .bytes = bytes, .error = error};
    char suffix;
    SW_TRY(open_cubin(&cubin));
    uint32_t kernels = 0, own_sm = fatbin_elf_sm(cubin_image, &suffix);
    struct fatbin_resources *all = list_kernels(&cubin, arena, &kernels);
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < cubin.header.e_shnum && status == SW_OK; i++)
        status = read_section_resources(&cubin, i, own_sm);
    map_release(&cubin.kernels);
    if (status != SW_OK) return status;
    *out = all;
    *count = kernels;
    *sm = own_sm;
    return SW_OK;
}
