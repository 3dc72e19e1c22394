/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: map an ELF64 relocatable object, as the jit or the disk cache gives it, and find its entry points.
 * Method: one mapping: code and call stubs; then constants and the table of absolute addresses (GOT); then
 * data. It is writable while relocations are applied, then code becomes read-execute and constants read-only.
 * Every read of the object is bounds-checked, since a cache file may be damaged. Limits: the relocations of
 * engine_relocate.h; pages of 4 KiB; unwind tables of x86-64 are left out. What the code may
 * call outside itself is the list RUNTIME below: names that LLVM lowers operations to. */
#include "engine_load.h"

#include "engine_relocate.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>

/* C library and compiler runtime names that emitted code may refer to (see jit_abi.h). Not formatted: each
 * run of clang-format would wrap the list anew. */
/* clang-format off */
#define RUNTIME(X) \
    X(memcpy) X(memmove) X(memset) X(memcmp) X(fma) X(fmaf) X(fmod) X(fmodf) X(floor) X(floorf) \
    X(ceil) X(ceilf) X(trunc) X(truncf) X(rint) X(rintf) X(nearbyint) X(nearbyintf) X(roundeven) \
    X(roundevenf) X(round) X(roundf) X(sqrt) X(sqrtf) X(ldexp) X(ldexpf) X(fmin) X(fminf) X(fmax) \
    X(fmaxf) X(__udivti3) X(__umodti3) X(__divti3) X(__modti3) RUNTIME_HALVES(X)
#ifdef __aarch64__ /* has instructions for them */
#define RUNTIME_HALVES(X)
#else
#define RUNTIME_HALVES(X) X(__truncsfhf2) X(__truncdfhf2) X(__extendhfsf2)
#endif
/* clang-format on */

#define DECLARE(name) extern const uint8_t runtime_##name[] __asm__(#name);
RUNTIME(DECLARE)
#undef DECLARE

static const struct {
    const char *name;
    const uint8_t *address;
} runtime_names[] = {
#define ENTRY(name) {#name, runtime_##name},
    RUNTIME(ENTRY)
#undef ENTRY
};

enum { PAGE = 4096, STUB_BYTES = ENGINE_STUB_BYTES, GOT_BYTES = 8 };
enum part { PART_CODE, PART_CONST, PART_DATA, PART_COUNT, PART_NONE = PART_COUNT };

struct object {
    const uint8_t *bytes;
    uint64_t size;
    const Elf64_Shdr *sections;
    uint32_t section_count;
    const Elf64_Sym *symbols;
    uint64_t symbol_count;
    const char *names;
    uint64_t names_size;
    uint64_t *section_at; /* by section: offset in the mapping, UINT64_MAX: not loaded */
    uint64_t stubs, got;  /* offsets: one entry a symbol */
    uint64_t part_end[PART_COUNT];
    uint8_t *base;
};

static enum sw_status load_corrupt(struct sw_error *error, const char *what)
{
    return sw_fail(error, SW_CORRUPT, "compiled object is damaged: %s", what);
}

static bool load_inside(const struct object *object, uint64_t offset, uint64_t bytes)
{
    return offset <= object->size && bytes <= object->size - offset;
}

/* ---- reading
 * ---------------------------------------------------------------------------------------------------- */

static enum sw_status load_read_header(struct object *object, struct sw_error *error)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    if (object->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
        header->e_machine != engine_relocate_machine)
        return load_corrupt(error, "not a relocatable of this CPU");
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !load_inside(object, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return load_corrupt(error, "section table");
    object->sections = (const Elf64_Shdr *)(object->bytes + header->e_shoff);
    object->section_count = header->e_shnum;
    return SW_OK;
}

static enum sw_status load_read_symbols(struct object *object, struct sw_error *error)
{
    for (uint32_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (section->sh_type != SHT_NOBITS && !load_inside(object, section->sh_offset, section->sh_size))
            return load_corrupt(error, "section outside the file");
        if (section->sh_type != SHT_SYMTAB) continue;
        if (section->sh_link >= object->section_count || section->sh_offset % 8 != 0)
            return load_corrupt(error, "symbol table");
        const Elf64_Shdr *names = &object->sections[section->sh_link];
        if (!load_inside(object, names->sh_offset, names->sh_size) || names->sh_size == 0 ||
            object->bytes[names->sh_offset + names->sh_size - 1] != 0)
            return load_corrupt(error, "symbol names");
        object->symbols = (const Elf64_Sym *)(object->bytes + section->sh_offset);
        object->symbol_count = section->sh_size / sizeof(Elf64_Sym);
        object->names = (const char *)object->bytes + names->sh_offset;
        object->names_size = names->sh_size;
    }
    return object->symbols ? SW_OK : load_corrupt(error, "no symbol table");
}

static const char *symbol_name(const struct object *object, const Elf64_Sym *symbol)
{
    return symbol->st_name < object->names_size ? object->names + symbol->st_name : "";
}

/* ---- placing
 * ---------------------------------------------------------------------------------------------------- */

static enum part section_part(const Elf64_Shdr *section)
{
    if (!(section->sh_flags & SHF_ALLOC) || section->sh_size == 0) return PART_NONE;
    if (section->sh_type == SHT_X86_64_UNWIND || section->sh_type == SHT_NOTE) return PART_NONE;
    if (section->sh_flags & SHF_EXECINSTR) return PART_CODE;
    return section->sh_flags & SHF_WRITE ? PART_DATA : PART_CONST;
}

static uint64_t load_place_part(struct object *object, enum part part, uint64_t at)
{
    for (uint32_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (section_part(section) != part) continue;
        uint64_t align = section->sh_addralign ? section->sh_addralign : 1;
        at = sw_align_up(at, align);
        object->section_at[i] = at;
        at += section->sh_size;
    }
    return at;
}

static enum sw_status load_check_sections(const struct object *object, struct sw_error *error)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        uint64_t align = section->sh_addralign;
        if (align > PAGE || (align & (align - 1))) return load_corrupt(error, "section alignment");
        if (section_part(section) != PART_NONE) sum += section->sh_size + PAGE;
        if (section->sh_size > UINT32_MAX || sum > INT32_MAX / 2)
            return load_corrupt(error, "sections too large");
    }
    return SW_OK;
}

static enum sw_status load_place_sections(struct object *object, struct sw_error *error)
{
    SW_TRY(load_check_sections(object, error));
    object->section_at = sw_xmalloc(object->section_count * sizeof *object->section_at + 1);
    memset(object->section_at, 0xff, object->section_count * sizeof *object->section_at);
    object->stubs = sw_align_up(load_place_part(object, PART_CODE, 0), STUB_BYTES);
    object->part_end[PART_CODE] = sw_align_up(object->stubs + object->symbol_count * STUB_BYTES, PAGE);
    object->got = object->part_end[PART_CODE];
    object->part_end[PART_CONST] = sw_align_up(
        load_place_part(object, PART_CONST, object->got + object->symbol_count * GOT_BYTES), PAGE);
    object->part_end[PART_DATA] =
        sw_align_up(load_place_part(object, PART_DATA, object->part_end[PART_CONST]), PAGE);
    return SW_OK;
}

static enum sw_status load_map_sections(struct object *object, struct sw_error *error)
{
    void *at =
        mmap(NULL, object->part_end[PART_DATA], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return sw_fail(error, SW_OUT_OF_MEMORY, "no memory for compiled code");
    object->base = at;
    for (uint32_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (object->section_at[i] != UINT64_MAX && section->sh_type != SHT_NOBITS)
            memcpy(object->base + object->section_at[i], object->bytes + section->sh_offset,
                   section->sh_size);
    }
    return SW_OK;
}

/* ---- relocating
 * ------------------------------------------------------------------------------------------------- */

static const uint8_t *runtime_find(const char *name)
{
    for (size_t i = 0; i < SW_COUNT_OF(runtime_names); i++)
        if (strcmp(runtime_names[i].name, name) == 0) return runtime_names[i].address;
    return NULL;
}

/* Where a symbol is; fills its GOT entry, and for outside names its stub. */
static enum sw_status symbol_address(struct object *object, uint64_t index, bool call, uint64_t *out,
                                     struct sw_error *error)
{
    if (index >= object->symbol_count) return load_corrupt(error, "symbol index");
    const Elf64_Sym *symbol = &object->symbols[index];
    uint64_t *entry = (uint64_t *)(object->base + object->got + index * GOT_BYTES);
    if (symbol->st_shndx == SHN_UNDEF) {
        *entry = (uint64_t)(uintptr_t)runtime_find(symbol_name(object, symbol));
        if (!*entry)
            return sw_fail(error, SW_UNSUPPORTED, "compiled code calls '%s', which is not provided",
                           symbol_name(object, symbol));
        uint8_t *stub = object->base + object->stubs + index * STUB_BYTES;
        engine_relocate_stub(stub, (const uint8_t *)entry);
        *out = call ? (uint64_t)(uintptr_t)stub : *entry;
        return SW_OK;
    }
    if (symbol->st_shndx == SHN_ABS) {
        *out = *entry = symbol->st_value;
        return SW_OK;
    }
    if (symbol->st_shndx >= object->section_count || object->section_at[symbol->st_shndx] == UINT64_MAX)
        return load_corrupt(error, "symbol in a section that is not loaded");
    *out = *entry =
        (uint64_t)(uintptr_t)(object->base + object->section_at[symbol->st_shndx]) + symbol->st_value;
    return SW_OK;
}

static enum sw_status load_relocate_one(struct object *object, uint32_t section, const Elf64_Rela *rela,
                                        struct sw_error *error)
{
    uint32_t type = (uint32_t)ELF64_R_TYPE(rela->r_info);
    uint64_t index = ELF64_R_SYM(rela->r_info), symbol;
    if (type == ENGINE_RELOCATION_NONE) return SW_OK;
    if (rela->r_offset > object->sections[section].sh_size ||
        object->sections[section].sh_size - rela->r_offset < engine_relocation_bytes(type))
        return load_corrupt(error, "relocation outside its section");
    SW_TRY(symbol_address(object, index, engine_relocation_calls(type), &symbol, error));
    const struct engine_relocation relocation = {.type = type,
                                                 .at = object->base + object->section_at[section] +
                                                       rela->r_offset,
                                                 .symbol = symbol,
                                                 .addend = rela->r_addend,
                                                 .entry = object->base + object->got + index * GOT_BYTES};
    return engine_relocate(&relocation, error);
}

static enum sw_status load_relocate(struct object *object, struct sw_error *error)
{
    for (uint32_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (section->sh_type != SHT_RELA) continue;
        if (section->sh_info >= object->section_count || section->sh_offset % 8 != 0)
            return load_corrupt(error, "relocation table");
        if (object->section_at[section->sh_info] == UINT64_MAX ||
            object->sections[section->sh_info].sh_type == SHT_NOBITS)
            continue;
        const Elf64_Rela *rela = (const Elf64_Rela *)(object->bytes + section->sh_offset);
        for (uint64_t r = 0; r < section->sh_size / sizeof *rela; r++)
            SW_TRY(load_relocate_one(object, section->sh_info, &rela[r], error));
    }
    return SW_OK;
}

/* ---- the whole
 * -------------------------------------------------------------------------------------------------- */

static const uint8_t *entry_point(struct object *object, const char *name)
{
    struct sw_error ignored;
    for (uint64_t i = 0; i < object->symbol_count; i++) {
        const Elf64_Sym *symbol = &object->symbols[i];
        uint64_t address;
        if (symbol->st_shndx == SHN_UNDEF || strcmp(symbol_name(object, symbol), name) != 0) continue;
        if (symbol_address(object, i, false, &address, &ignored) == SW_OK)
            return (const uint8_t *)(uintptr_t)address;
    }
    return NULL;
}

static enum sw_status load_protect(const struct object *object, struct sw_error *error)
{
    uint64_t code = object->part_end[PART_CODE], constants = object->part_end[PART_CONST] - code;
    if (mprotect(object->base, code, PROT_READ | PROT_EXEC) != 0 ||
        (constants && mprotect(object->base + code, constants, PROT_READ) != 0))
        return sw_fail(error, SW_OPERATING_SYSTEM, "cannot make compiled code executable");
    __builtin___clear_cache((char *)object->base, (char *)object->base + code); /* nothing on x86-64 */
    return SW_OK;
}

static enum sw_status load_object(struct object *object, struct engine_image *out, struct sw_error *error)
{
    SW_TRY(load_read_header(object, error));
    SW_TRY(load_read_symbols(object, error));
    SW_TRY(load_place_sections(object, error));
    SW_TRY(load_map_sections(object, error));
    SW_TRY(load_relocate(object, error));
    const uint8_t *run = entry_point(object, JIT_RUN_SYMBOL), *step = entry_point(object, JIT_STEP_SYMBOL);
    if (!run) return load_corrupt(error, "no entry point");
    SW_TRY(load_protect(object, error));
    *out = (struct engine_image){object->base, object->part_end[PART_DATA], (jit_run_fn)(uintptr_t)run,
                                 (jit_step_fn)(uintptr_t)step};
    return SW_OK;
}

enum sw_status engine_image_load(const uint8_t *bytes, uint64_t size, struct engine_image *out,
                                 struct sw_error *error)
{
    struct object object = {.bytes = bytes, .size = size};
    enum sw_status status = load_object(&object, out, error);
    if (status != SW_OK && object.base) munmap(object.base, object.part_end[PART_DATA]);
    free(object.section_at);
    return status;
}

void engine_image_release(struct engine_image *image)
{
    if (image->base) munmap(image->base, image->bytes);
    *image = (struct engine_image){0};
}
