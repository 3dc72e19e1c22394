/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a cubin that holds PTX in the place of machine code.
 * Method: sections are gathered as bytes and a header each, then laid out one after the other: the names, the
 * symbols (one function a kernel), what .nv.info says of kernels in the records that fatbin_cubin.c reads, an
 * empty .text.<kernel>, sizes of shared memory and parameters as sections without bytes, and the text.
 * Limits: no program headers, no debug sections; parameters are not described one by one; of a module with
 * more than MOST_KERNELS the first ones have records. */
#include "fatbin_priv.h"

#include <elf.h>
#include <string.h>

enum {
    OSABI_CUDA = 0x41,       /* e_ident[EI_OSABI] that nvcc 13.0 writes, with ABI version 8 */
    FLAGS_BASE = 0x06 << 24, /* e_flags of nvcc 13.0; the SM is in bits 8 .. 15 */
    FLAGS_BELOW_100 = 4,     /* their lowest byte for sm_75 to sm_90, */
    FLAGS_FROM_100 = 2,      /* and for sm_100 to sm_120 */
    SHT_CUDA_INFO = SHT_LOPROC,
    FIRST_GLOBAL_SYMBOL = 1,
    MOST_KERNELS = 21000, /* of three sections each; an ELF header counts them with 16 bits */
};

struct cubin_writer {
    struct str names, symbol_names, bodies;
    VEC(Elf64_Shdr) sections;
    VEC(Elf64_Sym) symbols;
    uint32_t sm;
};

static uint32_t add_name(struct str *table, const char *prefix, const char *name)
{
    uint32_t at = (uint32_t)table->length;
    str_add(table, prefix);
    str_add(table, name);
    str_add_char(table, 0);
    return at;
}

/* Offsets are from the end of the ELF header. bytes NULL: a section of a size alone. */
static Elf64_Shdr *add_section(struct cubin_writer *w, const char *prefix, const char *name, uint32_t type,
                               const void *bytes, uint64_t size)
{
    enum { ALIGN = 8 };
    while (w->bodies.length % ALIGN)
        str_add_char(&w->bodies, 0);
    Elf64_Shdr *section = vec_push(&w->sections);
    *section = (Elf64_Shdr){.sh_name = add_name(&w->names, prefix, name),
                            .sh_type = type,
                            .sh_offset = sizeof(Elf64_Ehdr) + w->bodies.length,
                            .sh_size = size,
                            .sh_addralign = ALIGN};
    if (bytes) str_add_bytes(&w->bodies, bytes, size);
    return section;
}

static void add_record(struct str *out, uint8_t form, uint8_t attribute, uint16_t half)
{
    uint8_t head[] = {form, attribute, (uint8_t)half, (uint8_t)(half >> 8)};
    str_add_bytes(out, head, sizeof head);
}

static void add_sized_record(struct str *out, uint8_t attribute, const uint32_t *words, uint32_t count)
{
    add_record(out, FATBIN_RECORD_SIZED, attribute, (uint16_t)(count * sizeof *words));
    str_add_bytes(out, words, count * sizeof *words);
}

/* .nv.info: what is said of kernels by their symbols. */
static void add_common_info(struct cubin_writer *w, const struct fatbin_resources *kernels, uint32_t count)
{
    struct str info = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t symbol = FIRST_GLOBAL_SYMBOL + i;
        add_sized_record(&info, FATBIN_ATTR_REGCOUNT, (uint32_t[]){symbol, kernels[i].registers}, 2);
        add_sized_record(&info, FATBIN_ATTR_FRAME_SIZE, (uint32_t[]){symbol, kernels[i].local_bytes}, 2);
        add_sized_record(&info, FATBIN_ATTR_MIN_STACK_SIZE, (uint32_t[]){symbol, kernels[i].stack_bytes}, 2);
    }
    add_section(w, ".nv.info", "", SHT_CUDA_INFO, str_text(&info), info.length);
    str_release(&info);
}

static void add_kernel_info(struct cubin_writer *w, const struct fatbin_resources *kernel)
{
    struct str info = {0};
    add_record(&info, FATBIN_RECORD_HALF, FATBIN_ATTR_PARAM_BYTES, (uint16_t)kernel->param_bytes);
    if (kernel->barriers)
        add_record(&info, FATBIN_RECORD_BYTE, FATBIN_ATTR_BARRIERS, (uint16_t)kernel->barriers);
    if (kernel->max_threads)
        add_sized_record(&info, FATBIN_ATTR_MAX_THREADS, (uint32_t[]){kernel->max_threads, 1, 1}, 3);
    add_section(w, ".nv.info.", kernel->kernel, SHT_CUDA_INFO, str_text(&info), info.length);
    str_release(&info);
}

static void add_kernel(struct cubin_writer *w, const struct fatbin_resources *kernel)
{
    uint64_t reserved = w->sm >= 90 ? FATBIN_RESERVED_SHARED_BYTES : 0;
    add_kernel_info(w, kernel);
    if (kernel->shared_bytes)
        add_section(w, ".nv.shared.", kernel->kernel, SHT_NOBITS, NULL, kernel->shared_bytes + reserved)
            ->sh_flags = SHF_WRITE | SHF_ALLOC;
    add_section(w, ".text.", kernel->kernel, SHT_PROGBITS, "", 0)->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    *vec_push(&w->symbols) = (Elf64_Sym){.st_name = add_name(&w->symbol_names, "", kernel->kernel),
                                         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                         .st_shndx = (Elf64_Section)(w->sections.count - 1)};
}

/* The tables that others refer to come last: their contents are known then. */
static void add_tables(struct cubin_writer *w)
{
    uint32_t strings = (uint32_t)w->sections.count;
    add_section(w, ".strtab", "", SHT_STRTAB, str_text(&w->symbol_names), w->symbol_names.length);
    Elf64_Shdr *symbols =
        add_section(w, ".symtab", "", SHT_SYMTAB, w->symbols.at, w->symbols.count * sizeof *w->symbols.at);
    symbols->sh_link = strings;
    symbols->sh_info = FIRST_GLOBAL_SYMBOL;
    symbols->sh_entsize = sizeof *w->symbols.at;
    size_t section = w->sections.count; /* its own name is among those that it holds */
    add_section(w, ".shstrtab", "", SHT_STRTAB, NULL, 0);
    w->sections.at[section].sh_size = w->names.length;
    str_add_bytes(&w->bodies, str_text(&w->names), w->names.length);
}

static void write_image(struct cubin_writer *w, struct str *out)
{
    enum { ALIGN = 8 };
    while (w->bodies.length % ALIGN)
        str_add_char(&w->bodies, 0);
    uint32_t low = w->sm < 100 ? FLAGS_BELOW_100 : FLAGS_FROM_100;
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                                     OSABI_CUDA, FATBIN_ELF_VERSION_SM_HIGH},
                         .e_type = ET_EXEC,
                         .e_machine = EM_CUDA,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof header + w->bodies.length,
                         .e_flags = (uint32_t)FLAGS_BASE | w->sm << 8 | low,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (Elf64_Half)w->sections.count,
                         .e_shstrndx = (Elf64_Half)(w->sections.count - 1)};
    str_add_bytes(out, &header, sizeof header);
    str_add_bytes(out, w->bodies.text, w->bodies.length);
    str_add_bytes(out, w->sections.at, w->sections.count * sizeof *w->sections.at);
}

void fatbin_cubin_write(const char *ptx, uint64_t ptx_bytes, uint32_t sm,
                        const struct fatbin_resources *kernels, uint32_t count, struct str *out)
{
    struct cubin_writer w = {.sm = sm};
    struct str text = {0};
    if (count > MOST_KERNELS) count = MOST_KERNELS;
    str_add_char(&w.names, 0);
    str_add_char(&w.symbol_names, 0);
    *vec_push(&w.sections) = (Elf64_Shdr){0};
    *vec_push(&w.symbols) = (Elf64_Sym){0};
    add_common_info(&w, kernels, count);
    for (uint32_t i = 0; i < count; i++)
        add_kernel(&w, &kernels[i]);
    str_add_bytes(&text, ptx, ptx_bytes);
    str_add_char(&text, 0);
    add_section(&w, FATBIN_PTX_SECTION, "", SHT_PROGBITS, str_text(&text), text.length);
    str_release(&text);
    add_tables(&w);
    write_image(&w, out);
    str_release(&w.names);
    str_release(&w.symbol_names);
    str_release(&w.bodies);
    vec_release(&w.sections);
    vec_release(&w.symbols);
}
