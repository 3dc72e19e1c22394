/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the program and knowing, before it runs, whether it can reach our libraries.
 *
 * Read from its ELF file: DT_RPATH without DT_RUNPATH is searched before LD_LIBRARY_PATH, so our libraries
 * must be preloaded; a fat binary with no undefined __cudaRegisterFatBinary to go with it means that NVIDIA's
 * static runtime is linked in, which talks to the driver by undocumented tables that we do not implement.
 * Python's packages bring libraries whose DT_RPATH names their own folders: an auditor of the loader answers
 * these (src/audit).
 * Limits: 64-bit little-endian ELF; scripts and other formats run as they are; libraries that a program loads
 * later are not looked at. */
#include "cli_priv.h"

#include "base/base_library.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    uint32_t section_count;
    const char *names;
    size_t names_size;
};

/* Pointer to count records of a size at offset, or NULL when the file is too short, or they are not aligned,
 * as linkers align them. */
static const void *program_at(const struct image *image, uint64_t offset, uint64_t count, uint64_t bytes)
{
    if (bytes > 1 && ((uintptr_t)image->bytes + offset) % sizeof(uint64_t)) return NULL;
    if (count > image->size || offset > image->size || count * bytes > image->size - offset) return NULL;
    return image->bytes + offset;
}

static const char *text_in(const char *texts, size_t size, uint64_t offset)
{
    return texts && offset < size && memchr(texts + offset, 0, size - offset) ? texts + offset : "";
}

static bool open_image(struct image *image)
{
    const Elf64_Ehdr *header = program_at(image, 0, 1, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    image->sections = program_at(image, header->e_shoff, header->e_shnum, sizeof *image->sections);
    image->section_count = image->sections ? header->e_shnum : 0;
    if (header->e_shstrndx < image->section_count) {
        const Elf64_Shdr *s = &image->sections[header->e_shstrndx];
        image->names = program_at(image, s->sh_offset, s->sh_size, 1);
        image->names_size = image->names ? s->sh_size : 0;
    }
    return true;
}

static const Elf64_Shdr *find_section(const struct image *image, const char *name)
{
    for (uint32_t i = 0; i < image->section_count; i++)
        if (strcmp(text_in(image->names, image->names_size, image->sections[i].sh_name), name) == 0)
            return &image->sections[i];
    return NULL;
}

static bool uses_rpath(const struct image *image)
{
    const Elf64_Shdr *s = find_section(image, ".dynamic");
    const Elf64_Dyn *dyn = s ? program_at(image, s->sh_offset, s->sh_size / sizeof *dyn, sizeof *dyn) : NULL;
    bool rpath = false, runpath = false;
    for (uint64_t i = 0; dyn && i < s->sh_size / sizeof *dyn; i++) {
        rpath |= dyn[i].d_tag == DT_RPATH;
        runpath |= dyn[i].d_tag == DT_RUNPATH;
    }
    return rpath && !runpath;
}

/* Is a symbol imported, that is undefined in the dynamic symbol table? */
static bool imports(const struct image *image, const char *name)
{
    const Elf64_Shdr *s = find_section(image, ".dynsym"), *t = find_section(image, ".dynstr");
    const Elf64_Sym *symbols =
        s ? program_at(image, s->sh_offset, s->sh_size / sizeof *symbols, sizeof *symbols) : NULL;
    const char *texts = t ? program_at(image, t->sh_offset, t->sh_size, 1) : NULL;
    if (!symbols || !texts) return false;
    for (uint64_t i = 0; i < s->sh_size / sizeof *symbols; i++)
        if (symbols[i].st_shndx == SHN_UNDEF &&
            strcmp(text_in(texts, t->sh_size, symbols[i].st_name), name) == 0)
            return true;
    return false;
}

static bool is_needed(const char *name)
{
    const struct sw_library *library = sw_library_find(name);
    for (size_t i = 0; library && i < SW_LIBRARY_FILES && library->ours[i]; i++)
        if (strcmp(library->ours[i], name) == 0) return false;
    return library != NULL;
}

/* Is a library of NVIDIA's in DT_NEEDED, of which Softwarp has none? */
static bool needs_libraries(const struct image *image)
{
    const Elf64_Shdr *s = find_section(image, ".dynamic"), *t = find_section(image, ".dynstr");
    const Elf64_Dyn *dyn = s ? program_at(image, s->sh_offset, s->sh_size / sizeof *dyn, sizeof *dyn) : NULL;
    const char *texts = t ? program_at(image, t->sh_offset, t->sh_size, 1) : NULL;
    for (uint64_t i = 0; dyn && texts && i < s->sh_size / sizeof *dyn; i++)
        if (dyn[i].d_tag == DT_NEEDED && is_needed(text_in(texts, t->sh_size, dyn[i].d_un.d_val)))
            return true;
    return false;
}

static void note_loader(const struct image *image, struct cli_program *program)
{
    const Elf64_Shdr *s = find_section(image, ".interp");
    const char *path = s ? program_at(image, s->sh_offset, s->sh_size, 1) : NULL;
    path = path ? text_in(path, s->sh_size, 0) : "";
    if (strstr(path, "/ld-linux")) snprintf(program->loader, sizeof program->loader, "%s", path);
}

/* Python, by whatever version's name, and scripts, which may call it. */
static bool may_load_packages(const struct cli_program *program, const char *bytes, size_t size)
{
    const char *slash = strrchr(program->path, '/'), *name = slash ? slash + 1 : program->path;
    bool script = size >= 2 && bytes[0] == '#' && bytes[1] == '!';
    return script || sw_starts_with(name, "python") || sw_starts_with(name, "pypy");
}

static void inspect(struct cli_program *program)
{
    int file = open(program->path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (file < 0) return;
    if (fstat(file, &info) == 0 && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        struct image image = {.bytes = bytes, .size = (size_t)info.st_size};
        if (bytes != MAP_FAILED) {
            program->is_elf = open_image(&image);
            program->has_packages = may_load_packages(program, bytes, image.size);
            program->has_rpath = program->is_elf && uses_rpath(&image);
            program->has_static_runtime = program->is_elf && find_section(&image, ".nvFatBinSegment") &&
                                          !imports(&image, "__cudaRegisterFatBinary") &&
                                          !imports(&image, "__cudaUnregisterFatBinary");
            program->needs_libraries = program->is_elf && needs_libraries(&image);
            if (program->is_elf) note_loader(&image, program);
            munmap(bytes, (size_t)info.st_size);
        }
    }
    close(file);
}

bool cli_elf_section(const uint8_t *bytes, uint64_t size, const char *name, const uint8_t **at,
                     uint64_t *length)
{
    struct image image = {.bytes = bytes, .size = size};
    const Elf64_Shdr *section = open_image(&image) ? find_section(&image, name) : NULL;
    if (!section || section->sh_type == SHT_NOBITS) return false;
    *at = program_at(&image, section->sh_offset, section->sh_size, 1);
    *length = section->sh_size;
    return *at != NULL;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool search_path(const char *name, char *out, size_t bytes)
{
    const char *from = getenv("PATH");
    for (; from && *from; from += strspn(from, ":")) {
        int length = (int)strcspn(from, ":");
        int used = snprintf(out, bytes, "%.*s/%s", length, from, name);
        if (used > 0 && (size_t)used < bytes && is_program(out)) return true;
        from += length;
    }
    return false;
}

int cli_program_find(const char *name, struct cli_program *out)
{
    memset(out, 0, sizeof *out);
    if (strchr(name, '/')) {
        if (strlen(name) >= sizeof out->path)
            return cli_fail(CLI_USAGE, "the path of the program is too long");
        strcpy(out->path, name);
        if (access(name, F_OK) != 0)
            return cli_fail(CLI_USAGE, "program '%s' not found: %s", name, strerror(errno));
        if (!is_program(name)) return cli_fail(CLI_USAGE, "'%s' is not executable", name);
    } else if (!search_path(name, out->path, sizeof out->path)) {
        return cli_fail(CLI_USAGE,
                        "program '%s' not found in PATH: name it with a slash if it is here (./%s)", name,
                        name);
    }
    inspect(out);
    if (out->has_static_runtime)
        return cli_fail(
            CLI_UNSUPPORTED,
            "'%s' contains NVIDIA's static CUDA runtime, which runs on NVIDIA's driver only: rebuild it with "
            "nvcc -cudart shared, with CMAKE_CUDA_RUNTIME_LIBRARY=Shared, or with softwarp cc",
            name);
    return CLI_OK;
}
