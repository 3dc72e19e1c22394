/* SPDX-License-Identifier: Apache-2.0 */
/* Containers and cubins: what our writer makes, what nvcc makes (where it is installed), and damaged bytes.
 */
#include "fatbin/fatbin.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char ptx_text[] = ".version 8.3\n.target sm_80\n.address_size 64\n"
                               ".visible .entry nothing()\n{\n\tret;\n\tret;\n\tret;\n\tret;\n}\n";
static const uint8_t elf_bytes[] =
    "\177ELF not really, but it is only carried here, carried, carried, carried";

static struct fatbin_entry ptx_entry(uint32_t sm, char suffix)
{
    return (struct fatbin_entry){.kind = FATBIN_PTX,
                                 .sm = sm,
                                 .suffix = suffix,
                                 .major = 8,
                                 .minor = 3,
                                 .name = "k.cu",
                                 .options = "--generate-line-info",
                                 .data = (const uint8_t *)ptx_text,
                                 .bytes = sizeof ptx_text - 1};
}

static struct fatbin_entry elf_entry(uint32_t sm)
{
    return (struct fatbin_entry){.kind = FATBIN_ELF,
                                 .sm = sm,
                                 .name = "",
                                 .options = "",
                                 .data = elf_bytes,
                                 .bytes = sizeof elf_bytes};
}

/* A container of one PTX and one cubin. */
static struct str two_entries(enum fatbin_compression compression)
{
    struct fatbin_entry entries[] = {ptx_entry(80, 0), elf_entry(80)};
    struct str out = {0};
    assert_int_equal(fatbin_write(entries, 2, compression, &out, NULL), SW_OK);
    return out;
}

static void check_two_entries(const struct fatbin *fatbin)
{
    const struct fatbin_entry *ptx = &fatbin->entries[0], *elf = &fatbin->entries[1];
    assert_int_equal(ptx->kind, FATBIN_PTX);
    assert_int_equal(ptx->sm, 80);
    assert_int_equal(ptx->major * 10 + ptx->minor, 83);
    assert_string_equal(ptx->name, "k.cu");
    assert_string_equal(ptx->options, "--generate-line-info");
    assert_string_equal((const char *)ptx->data, ptx_text);
    assert_int_equal(ptx->bytes, sizeof ptx_text - 1);
    assert_int_equal(elf->kind, FATBIN_ELF);
    assert_true(elf->bytes >= sizeof elf_bytes &&
                elf->bytes < sizeof elf_bytes + 8); /* stored ones are padded */
    assert_memory_equal(elf->data, elf_bytes, sizeof elf_bytes);
}

static void every_compression_round_trips(void **state)
{
    (void)state;
    for (enum fatbin_compression c = FATBIN_NONE; c <= FATBIN_ZSTD; c++) {
        struct str bytes = two_entries(c);
        struct fatbin fatbin;
        assert_int_equal(fatbin_read(bytes.text, bytes.length, &fatbin, NULL), SW_OK);
        assert_int_equal(fatbin.count, 2);
        assert_int_equal(fatbin.units, 1);
        check_two_entries(&fatbin);
        fatbin_release(&fatbin);
        assert_int_equal(fatbin_read(bytes.text, UINT64_MAX, &fatbin, NULL), SW_OK);
        check_two_entries(&fatbin);
        fatbin_release(&fatbin);
        str_release(&bytes);
    }
}

static void containers_follow_one_another(void **state)
{
    (void)state;
    struct str bytes = two_entries(FATBIN_ZSTD), second = two_entries(FATBIN_LZ4);
    str_add_bytes(&bytes, "\0\0\0\0\0\0\0", 8);
    str_add_bytes(&bytes, second.text, second.length);
    struct fatbin fatbin;
    assert_int_equal(fatbin_read(bytes.text, bytes.length, &fatbin, NULL), SW_OK);
    assert_int_equal(fatbin.count, 4);
    assert_int_equal(fatbin.units, 2);
    assert_int_equal(fatbin.entries[3].unit, 1);
    fatbin_release(&fatbin);
    str_release(&bytes);
    str_release(&second);
}

struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *aux;
};

static void wrappers_of_both_versions(void **state)
{
    (void)state;
    struct str linked = two_entries(FATBIN_NONE), part = two_entries(FATBIN_ZSTD);
    const void *parts[] = {part.text, linked.text, NULL};
    struct wrapper one = {0x466243B1, 1, part.text, NULL}, two = {0x466243B1, 2, linked.text, parts};
    struct fatbin fatbin;
    assert_int_equal(fatbin_read(&one, UINT64_MAX, &fatbin, NULL), SW_OK);
    assert_int_equal(fatbin.count, 2);
    assert_false(fatbin.linked);
    fatbin_release(&fatbin);
    assert_int_equal(fatbin_read(&two, UINT64_MAX, &fatbin, NULL), SW_OK);
    assert_int_equal(fatbin.count, 6);
    assert_int_equal(fatbin.units, 3);
    assert_true(fatbin.linked);
    assert_int_equal(fatbin_best_ptx_of_unit(&fatbin, 2, 90, false)->unit, 2);
    fatbin_release(&fatbin);
    struct sw_error error;
    assert_int_equal(fatbin_read(&one, sizeof one, &fatbin, &error), SW_CORRUPT);
    str_release(&linked);
    str_release(&part);
}

static void bare_ptx_names_its_target(void **state)
{
    (void)state;
    static const char text[] = "\n// made by hand\n.version 8.7\n.target sm_90a, debug\n.address_size 64\n";
    struct fatbin fatbin;
    for (int known = 0; known < 2; known++) {
        assert_int_equal(fatbin_read(text, known ? sizeof text : UINT64_MAX, &fatbin, NULL), SW_OK);
        assert_int_equal(fatbin.count, 1);
        assert_int_equal(fatbin.entries[0].sm, 90);
        assert_int_equal(fatbin.entries[0].suffix, 'a');
        assert_int_equal(fatbin.entries[0].minor, 7);
        assert_int_equal(fatbin.entries[0].bytes, sizeof text - 1);
        fatbin_release(&fatbin);
    }
}

static void the_best_ptx_is_chosen(void **state)
{
    (void)state;
    struct fatbin_entry entries[] = {ptx_entry(75, 0), ptx_entry(90, 0),    ptx_entry(90, 'a'),
                                     elf_entry(86),    ptx_entry(100, 'f'), ptx_entry(120, 'a')};
    struct fatbin fatbin = {.entries = entries, .count = SW_COUNT_OF(entries), .units = 1};
    static const struct {
        uint32_t cc;
        bool any_target;
        int entry; /* -1: none */
    } cases[] = {{90, false, 2},  {89, false, 0},  {70, false, -1}, {70, true, 0},  {100, false, 4},
                 {103, false, 4}, {110, false, 1}, {120, false, 5}, {121, false, 1}};
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++) {
        const struct fatbin_entry *got = fatbin_best_ptx(&fatbin, cases[i].cc, cases[i].any_target);
        assert_ptr_equal(got, cases[i].entry < 0 ? NULL : &entries[cases[i].entry]);
    }
    assert_ptr_equal(fatbin_best_elf(&fatbin, 89), &entries[3]);
    assert_null(fatbin_best_elf(&fatbin, 80));
    assert_null(fatbin_best_elf(&fatbin, 90));
}

/* Reading must end with a status, never a fault; run under asan and ubsan this finds more. */
static void damaged_bytes_never_crash(void **state)
{
    (void)state;
    for (enum fatbin_compression c = FATBIN_NONE; c <= FATBIN_ZSTD; c++) {
        struct str bytes = two_entries(c);
        for (size_t i = 0; i < bytes.length; i++) {
            uint8_t *copy = sw_xmalloc(bytes.length);
            struct fatbin fatbin;
            memcpy(copy, bytes.text, bytes.length);
            copy[i] ^= (uint8_t)(1u << i % 8);
            if (fatbin_read(copy, bytes.length, &fatbin, NULL) == SW_OK) fatbin_release(&fatbin);
            copy = sw_xrealloc(copy, i + 1); /* every proper prefix */
            if (i + 1 < bytes.length) assert_int_not_equal(fatbin_read(copy, i + 1, &fatbin, NULL), SW_OK);
            free(copy);
        }
        str_release(&bytes);
    }
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    struct sw_error error;
    struct fatbin fatbin;
    assert_int_equal(fatbin_read("hello", 5, &fatbin, &error), SW_INVALID_IMAGE);
    assert_non_null(strstr(error.message, "not a device image"));
    assert_int_equal(fatbin_read("", 0, &fatbin, &error), SW_INVALID_IMAGE);
}

/* A cubin of one kernel made by hand: section headers first, then names, symbols, strings and info records.
 */
enum { CUBIN_SECTIONS = 7 };
static struct str make_cubin(void)
{
    static const char names[] = "\0.shstrtab\0.symtab\0.strtab\0.nv.info\0.nv.info.add\0.nv.shared.add";
    static const char strings[] = "\0add";
    Elf64_Sym symbols[2] = {{0}, {.st_name = 1}};
    uint32_t common[] = {0x00082f04, 1, 40, 0x00081104, 1, 16, 0x00081204, 1, 24};
    uint32_t own[] = {0x001c1903, 0x00014c02, 0x000c0504, 128, 2, 1};
    struct {
        uint32_t name, type, link;
        const void *data;
        uint64_t bytes;
    } parts[CUBIN_SECTIONS] = {{0, SHT_NULL, 0, NULL, 0},
                               {1, SHT_STRTAB, 0, names, sizeof names},
                               {11, SHT_SYMTAB, 3, symbols, sizeof symbols},
                               {19, SHT_STRTAB, 0, strings, sizeof strings},
                               {27, 0x70000000, 0, common, sizeof common},
                               {36, 0x70000000, 0, own, sizeof own},
                               {49, SHT_NOBITS, 0, NULL, 1024 + 400}};
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1, 41, 8},
                         .e_flags = 0x6005a04,
                         .e_shoff = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = CUBIN_SECTIONS,
                         .e_shstrndx = 1};
    struct str out = {0}, body = {0};
    uint64_t start = sizeof header + CUBIN_SECTIONS * sizeof(Elf64_Shdr);
    str_add_bytes(&out, &header, sizeof header);
    for (int i = 0; i < CUBIN_SECTIONS; i++) {
        Elf64_Shdr section = {.sh_name = parts[i].name,
                              .sh_type = parts[i].type,
                              .sh_link = parts[i].link,
                              .sh_offset = start + body.length,
                              .sh_size = parts[i].bytes};
        str_add_bytes(&out, &section, sizeof section);
        if (parts[i].data) str_add_bytes(&body, parts[i].data, parts[i].bytes);
    }
    str_add_bytes(&out, body.text, body.length);
    str_release(&body);
    return out;
}

static void a_cubin_tells_its_resources(void **state)
{
    (void)state;
    struct str cubin = make_cubin();
    struct arena arena;
    struct fatbin_resources *kernels = NULL;
    uint32_t count = 0, sm = 0;
    arena_init(&arena);
    assert_int_equal(fatbin_cubin_resources((const uint8_t *)cubin.text, cubin.length, &arena, &kernels,
                                            &count, &sm, NULL),
                     SW_OK);
    assert_int_equal(sm, 90);
    assert_int_equal(count, 1);
    assert_string_equal(kernels->kernel, "add");
    assert_int_equal(kernels->registers, 40);
    assert_int_equal(kernels->shared_bytes, 400);
    assert_int_equal(kernels->local_bytes, 16);
    assert_int_equal(kernels->stack_bytes, 24);
    assert_int_equal(kernels->param_bytes, 28);
    assert_int_equal(kernels->max_threads, 256);
    assert_int_equal(kernels->barriers, 1);
    struct fatbin fatbin;
    assert_int_equal(fatbin_read(cubin.text, UINT64_MAX, &fatbin, NULL), SW_OK);
    assert_int_equal(fatbin.entries[0].sm, 90);
    assert_int_equal(fatbin.entries[0].bytes, cubin.length);
    fatbin_release(&fatbin);
    for (size_t i = 0; i < cubin.length; i++) {
        cubin.text[i] ^= 0x55;
        fatbin_cubin_resources((const uint8_t *)cubin.text, cubin.length, &arena, &kernels, &count, &sm,
                               NULL);
        cubin.text[i] ^= 0x55;
    }
    arena_release(&arena);
    str_release(&cubin);
}

static struct str read_file(const char *path)
{
    struct str out = {0};
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        str_add_bytes(&out, buffer, got);
    fclose(file);
    return out;
}

static const char *find_nvcc(void)
{
    static const char fixed[] = "/usr/local/cuda/bin/nvcc";
    return access(fixed, X_OK) == 0 ? fixed : NULL;
}

static void what_nvcc_writes_is_read(void **state)
{
    (void)state;
    if (!find_nvcc()) skip();
    char folder[] = "/tmp/fatbin_test_XXXXXX", command[1024];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && echo 'extern \"C\" __global__ void __launch_bounds__(64) k(float *p) { __shared__ "
             "float s[100];"
             "s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[63 - threadIdx.x]; }' > "
             "k.cu && "
             "%s -fatbin -gencode arch=compute_90a,code=[sm_90a,compute_90a] -lineinfo k.cu -o k.fatbin",
             folder, find_nvcc());
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/k.fatbin", folder);
    struct str bytes = read_file(command);
    struct fatbin fatbin;
    assert_int_equal(fatbin_read(bytes.text, bytes.length, &fatbin, NULL), SW_OK);
    const struct fatbin_entry *ptx = fatbin_best_ptx(&fatbin, 90, false);
    assert_non_null(ptx);
    assert_int_equal(ptx->suffix, 'a');
    assert_non_null(strstr((const char *)ptx->data, ".entry k"));
    assert_non_null(strstr(ptx->options, "--generate-line-info"));
    const struct fatbin_entry *elf = fatbin_best_elf(&fatbin, 90);
    assert_non_null(elf);
    struct arena arena;
    struct fatbin_resources *kernels;
    uint32_t count, sm;
    arena_init(&arena);
    assert_int_equal(fatbin_cubin_resources(elf->data, elf->bytes, &arena, &kernels, &count, &sm, NULL),
                     SW_OK);
    assert_int_equal(sm, 90);
    assert_int_equal(count, 1);
    assert_int_equal(kernels->shared_bytes, 400);
    assert_int_equal(kernels->param_bytes, 8);
    assert_int_equal(kernels->max_threads, 64);
    assert_true(kernels->registers >= 4 && kernels->registers <= 32);
    arena_release(&arena);
    fatbin_release(&fatbin);
    str_release(&bytes);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* ---- cubins that hold PTX */

static struct str ptx_cubin(uint32_t sm)
{
    static const struct fatbin_resources kernels[] = {{.kernel = "nothing",
                                                       .registers = 33,
                                                       .shared_bytes = 256,
                                                       .local_bytes = 160,
                                                       .stack_bytes = 160,
                                                       .param_bytes = 12,
                                                       .max_threads = 128,
                                                       .barriers = 2},
                                                      {.kernel = "other", .registers = 8}};
    struct str out = {0};
    fatbin_cubin_write(ptx_text, sizeof ptx_text - 1, sm, kernels, 2, &out);
    return out;
}

static void a_cubin_of_ptx_is_read_as_both(void **state)
{
    (void)state;
    for (uint32_t sm = 80; sm <= 120; sm += 10) {
        struct str cubin = ptx_cubin(sm);
        struct arena arena;
        struct fatbin_resources *kernels;
        uint32_t count, own_sm;
        arena_init(&arena);
        assert_int_equal(fatbin_cubin_resources((uint8_t *)cubin.text, cubin.length, &arena, &kernels, &count,
                                                &own_sm, NULL),
                         SW_OK);
        assert_int_equal(count, 2);
        assert_int_equal(own_sm, sm);
        assert_string_equal(kernels[0].kernel, "nothing");
        assert_int_equal(kernels[0].registers, 33);
        assert_int_equal(kernels[0].shared_bytes, 256);
        assert_int_equal(kernels[0].local_bytes, 160);
        assert_int_equal(kernels[0].stack_bytes, 160);
        assert_int_equal(kernels[0].param_bytes, 12);
        assert_int_equal(kernels[0].max_threads, 128);
        assert_int_equal(kernels[0].barriers, 2);
        assert_int_equal(kernels[1].registers, 8);
        assert_int_equal(kernels[1].shared_bytes, 0);
        arena_release(&arena);
        struct fatbin image; /* the size need not be known */
        for (int known = 0; known < 2; known++) {
            assert_int_equal(fatbin_read(cubin.text, known ? cubin.length : UINT64_MAX, &image, NULL), SW_OK);
            assert_int_equal(image.count, 1);
            assert_int_equal(image.entries[0].kind, FATBIN_PTX);
            assert_true(image.entries[0].of_cubin);
            assert_int_equal(image.entries[0].sm, sm);
            assert_string_equal((const char *)image.entries[0].data, ptx_text);
            fatbin_release(&image);
        }
        str_release(&cubin);
    }
}

/* As machine code: the same major capability, and a minor one not below. */
static void a_cubin_of_ptx_runs_where_machine_code_would(void **state)
{
    (void)state;
    static const struct {
        uint32_t sm, cc;
        bool runs;
    } cases[] = {{80, 80, true},  {80, 86, true}, {86, 80, false},
                 {80, 90, false}, {90, 90, true}, {90, 100, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str cubin = ptx_cubin(cases[i].sm), container = {0};
        struct fatbin image;
        assert_int_equal(fatbin_read(cubin.text, cubin.length, &image, NULL), SW_OK);
        assert_int_equal(fatbin_best_ptx(&image, cases[i].cc, false) != NULL, cases[i].runs);
        assert_non_null(fatbin_best_ptx(&image, cases[i].cc, true));
        fatbin_release(&image);
        struct fatbin_entry entry = elf_entry(cases[i].sm); /* the same inside of a fat binary, packed */
        entry.data = (const uint8_t *)cubin.text;
        entry.bytes = cubin.length;
        assert_int_equal(fatbin_write(&entry, 1, FATBIN_ZSTD, &container, NULL), SW_OK);
        assert_int_equal(fatbin_read(container.text, container.length, &image, NULL), SW_OK);
        assert_true(image.entries[0].of_cubin);
        assert_int_equal(fatbin_best_ptx(&image, cases[i].cc, false) != NULL, cases[i].runs);
        fatbin_release(&image);
        str_release(&container);
        str_release(&cubin);
    }
}

static void damaged_cubins_of_ptx_never_crash(void **state)
{
    (void)state;
    struct str cubin = ptx_cubin(90);
    struct fatbin image;
    for (size_t bytes = 0; bytes < cubin.length; bytes++) { /* cut short, in memory of just that size */
        char *part = malloc(bytes + 1);
        memcpy(part, cubin.text, bytes);
        if (fatbin_read(part, bytes, &image, NULL) == SW_OK) fatbin_release(&image);
        free(part);
    }
    for (size_t at = 0; at < cubin.length; at++) {
        char before = cubin.text[at];
        cubin.text[at] = (char)~before;
        if (fatbin_read(cubin.text, cubin.length, &image, NULL) == SW_OK) fatbin_release(&image);
        cubin.text[at] = before;
    }
    str_release(&cubin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_round_trips),
        cmocka_unit_test(containers_follow_one_another),
        cmocka_unit_test(wrappers_of_both_versions),
        cmocka_unit_test(bare_ptx_names_its_target),
        cmocka_unit_test(the_best_ptx_is_chosen),
        cmocka_unit_test(damaged_bytes_never_crash),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(a_cubin_tells_its_resources),
        cmocka_unit_test(what_nvcc_writes_is_read),
        cmocka_unit_test(a_cubin_of_ptx_is_read_as_both),
        cmocka_unit_test(a_cubin_of_ptx_runs_where_machine_code_would),
        cmocka_unit_test(damaged_cubins_of_ptx_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
