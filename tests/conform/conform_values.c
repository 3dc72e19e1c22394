/* SPDX-License-Identifier: Apache-2.0 */
/* Good and bad values of arguments that are numbers, strings and pointers to results; conform_objects.c
 * and conform_structs.c have those of other arguments. */
#define _GNU_SOURCE
#include "conform.h"

#include <sys/mman.h>

static _Alignas(64) unsigned char scratch[ARGUMENTS][SCRATCH_BYTES];
static unsigned char host_memory[8 << 20], zeros[4096];
static const char elf[4096] = "\177ELF\2\1\1"; /* and nothing more */
static void *list[64], *pointers[64];
static int number;
static const char *const bad_ptx =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f() { nonsense; }\n";
static const char *const new_ptx =
    ".version 99.0\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }\n";
static const char *const far_ptx =
    ".version 8.0\n.target sm_999\n.address_size 64\n.visible .entry f() { ret; }\n";

void *conform_scratch(unsigned slot)
{
    return scratch[slot];
}

/* The index-th of a list with commas. */
static bool item(const char *text, unsigned index, char *out, size_t size)
{
    for (; index > 0; index--) {
        text = strchr(text, ',');
        if (text == NULL) return false;
        text++;
    }
    if (*text == 0) return false;
    size_t length = strcspn(text, ",");
    snprintf(out, size, "%.*s", (int)length, text);
    return true;
}

static bool text_of(const struct token *token, unsigned index, struct value *out)
{
    return index == 0 ? snprintf(out->name, sizeof(out->name), "%s", token->good) >= 0
                      : item(token->bad, index - 1, out->name, sizeof(out->name));
}

static bool value_num(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)slot;
    if (!text_of(token, index, out)) return false;
    out->bits = out->name[0] == '-' ? (uint64_t)strtoll(out->name, NULL, 0) : strtoull(out->name, NULL, 0);
    return true;
}

static bool value_ptr(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    if (!value_num(token, index, slot, out)) return false;
    if (strcmp(out->name, "null") == 0) return out->bits = 0, true;
    memset(scratch[slot], 0, 256);
    memcpy(scratch[slot], &out->bits, 8);
    out->bits = (uint64_t)(uintptr_t)scratch[slot];
    return true;
}

/* One of several pointers, each with its name. */
struct choice {
    const char *name;
    const void *at;
};
static bool choose(const struct choice *choices, size_t count, unsigned index, struct value *out)
{
    if (index >= count) return false;
    out->bits = (uint64_t)(uintptr_t)choices[index].at;
    snprintf(out->name, sizeof(out->name), "%s", choices[index].name);
    return true;
}
#define CHOOSE(choices) choose(choices, sizeof(choices) / sizeof(*choices), index, out)

static bool value_out(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token;
    memset(scratch[slot], 0x5a, SCRATCH_BYTES);
    const struct choice choices[] = {{"", scratch[slot]}, {"null", NULL}};
    return CHOOSE(choices);
}

static bool value_str(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)slot;
    const struct choice choices[] = {
        {token->good, token->good}, {"null", NULL}, {"\"\"", ""}, {"nosuch", "nosuch"}};
    return CHOOSE(choices);
}

static bool value_image(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    const struct choice choices[] = {{"ptx", conform_ptx}, {"null", NULL},           {"\"\"", ""},
                                     {"zeros", zeros},     {"text", "not an image"}, {"bad ptx", bad_ptx},
                                     {"new ptx", new_ptx}, {"far ptx", far_ptx},     {"elf", elf}};
    return CHOOSE(choices);
}

static const char *written(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
    return path;
}

static bool value_path(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    const struct choice choices[] = {{"file", written("conform_good.ptx", conform_ptx)},
                                     {"null", NULL},
                                     {"\"\"", ""},
                                     {"none", "/nonexistent/file"},
                                     {"folder", "/"},
                                     {"bad file", written("conform_bad.ptx", bad_ptx)},
                                     {"empty file", written("conform_empty.ptx", "")}};
    return CHOOSE(choices);
}

static bool value_dotpath(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    static const struct choice choices[] = {
        {"file", "conform_graph.dot"}, {"null", NULL}, {"none", "/nonexistent/file"}};
    return CHOOSE(choices);
}

static bool value_pci(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    static char own[32] = "0000:00:00.0";
    if (conform_context != NULL) MUST(cuDeviceGetPCIBusId(own, sizeof(own), 0));
    static const struct choice choices[] = {
        {"own", own}, {"null", NULL}, {"\"\"", ""}, {"text", "nonsense"}, {"other", "ffff:ff:1f.0"}};
    return CHOOSE(choices);
}

static bool value_page(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    char *page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const struct choice choices[] = {{"page", page}, {"null", NULL}, {"odd", page + 1}};
    return CHOOSE(choices);
}

static void CUDA_CB nothing(void *user)
{
    (void)user;
}

static void *function_pointer(void (*function)(void *))
{
    void *at;
    memcpy(&at, &function, sizeof(at));
    return at;
}

static bool value_hostfn(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)token, (void)slot;
    const struct choice choices[] = {{"function", function_pointer(nothing)}, {"null", NULL}};
    return CHOOSE(choices);
}

static bool value_simple(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    (void)slot;
    for (size_t i = 0; i < 64; i++)
        list[i] = scratch[ARGUMENTS - 1];
    pointers[0] = &number;
    struct {
        const char *kind;
        struct choice choices[2];
    } kinds[] = {{"host", {{"host", host_memory}, {"null", NULL}}},
                 {"zeros", {{"zeros", zeros}, {"null", NULL}}},
                 {"outlist", {{"list", list}, {"null", NULL}}},
                 {"kparams", {{"params", pointers}, {"null", NULL}}}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kinds[i].kind, token->kind) == 0) return choose(kinds[i].choices, 2, index, out);
    return index == 0 && strcmp(token->kind, "null") == 0; /* always NULL */
}

/* Locations: a type and a number, by value in one register or by address. */
static bool value_loc(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    static const struct {
        const char *name;
        CUmemLocation at;
    } all[] = {{"device", {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
               {"host", {CU_MEM_LOCATION_TYPE_HOST, 0}},
               {"numa", {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0}},
               {"current numa", {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0}},
               {"none", {CU_MEM_LOCATION_TYPE_NONE, 0}},
               {"device 1", {CU_MEM_LOCATION_TYPE_DEVICE, 1}},
               {"device -1", {CU_MEM_LOCATION_TYPE_DEVICE, -1}},
               {"host 1", {CU_MEM_LOCATION_TYPE_HOST, 1}},
               {"numa 99", {CU_MEM_LOCATION_TYPE_HOST_NUMA, 99}},
               {"type 77", {(CUmemLocationType)77, 0}}};
    bool by_address = strcmp(token->kind, "locp") == 0;
    size_t count = sizeof(all) / sizeof(*all);
    if (index == count && by_address) return snprintf(out->name, sizeof(out->name), "null") > 0;
    if (index >= count) return false;
    snprintf(out->name, sizeof(out->name), "%s", all[index].name);
    memcpy(scratch[slot], &all[index].at, sizeof(all[index].at));
    memcpy(&out->bits, &all[index].at, 8);
    if (by_address) out->bits = (uint64_t)(uintptr_t)scratch[slot];
    return true;
}

bool conform_value(const struct token *token, unsigned index, unsigned slot, struct value *out)
{
    static const struct {
        const char *kind;
        bool (*value)(const struct token *, unsigned, unsigned, struct value *);
    } kinds[] = {{"num", value_num},         {"ptr", value_ptr},        {"out", value_out},
                 {"str", value_str},         {"image", value_image},    {"path", value_path},
                 {"dotpath", value_dotpath}, {"pci", value_pci},        {"page", value_page},
                 {"hostfn", value_hostfn},   {"host", value_simple},    {"zeros", value_simple},
                 {"outlist", value_simple},  {"kparams", value_simple}, {"null", value_simple},
                 {"loc", value_loc},         {"locp", value_loc}};
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kinds[i].kind, token->kind) == 0) return kinds[i].value(token, index, slot, out);
    const char *name = "";
    memset(scratch[slot], 0, SCRATCH_BYTES);
    int found = conform_struct(token, index, scratch[slot], &name);
    if (found < 0) return conform_object(token, index, out);
    snprintf(out->name, sizeof(out->name), "%s", name);
    out->bits = strcmp(name, "null") == 0 ? 0 : (uint64_t)(uintptr_t)scratch[slot];
    return found == 1;
}
