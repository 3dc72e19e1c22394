/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: compiled objects on disk, so that a program's second run needs no compiler.
 * Method: one file an object in ~/.cache/softwarp, or CUDA_CACHE_PATH; its name is the key. A file is a
 * header, the slots table, and the object, under one checksum; it is written aside and renamed, so that
 * readers see whole files only. The folder must be ours and closed to others (0700), since its contents are
 * executed. CUDA_CACHE_DISABLE=1 turns it off; CUDA_CACHE_MAXSIZE bounds its bytes, oldest files going first.
 * Limits: a damaged file counts as absent and is overwritten. */
#include "engine_priv.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a kernel's code depends on
 * ---------------------------------------------------------------------------- */

struct hash {
    uint64_t a, b;
};

static void hash_add(struct hash *hash, const void *bytes, size_t count)
{
    hash->a = sw_hash_bytes(bytes, count, hash->a);
    hash->b = sw_hash_bytes(bytes, count, hash->b + 0x9e3779b97f4a7c15u);
}

static void hash_word(struct hash *hash, uint64_t word)
{
    hash_add(hash, &word, sizeof word);
}

static void hash_text(struct hash *hash, const char *text)
{
    hash_add(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void hash_var(struct hash *hash, const struct ptx_var *var)
{
    uint64_t words[] = {(uint64_t)var->space, (uint64_t)var->linkage,
                        (uint64_t)var->type,  var->vector,
                        var->align,           var->count,
                        var->bytes,           var->offset,
                        var->index,           var->owner != NULL};
    hash_add(hash, words, sizeof words);
}

static void hash_prototype(struct hash *hash, const struct ptx_function *function)
{
    hash_text(hash, function->name);
    hash_word(hash, (uint64_t)function->param_count << 32 | function->return_count);
    for (uint32_t i = 0; i < function->param_count; i++)
        hash_var(hash, function->params[i]);
    for (uint32_t i = 0; i < function->return_count; i++)
        hash_var(hash, function->returns[i]);
}

static void hash_table(struct hash *hash, const struct ptx_table *table)
{
    hash_word(hash, table->count);
    for (uint32_t i = 0; i < table->count; i++)
        if (table->targets) hash_word(hash, table->targets[i]);
    for (uint32_t i = 0; i < table->count; i++)
        if (table->functions) hash_text(hash, table->functions[i]->name);
    if (table->prototype) hash_prototype(hash, table->prototype);
}

static void hash_operand(struct hash *hash, const struct ptx_operand *operand)
{
    uint64_t words[] = {(uint64_t)operand->kind,
                        operand->negate,
                        operand->is_f32,
                        operand->half,
                        (uint64_t)operand->reg << 32 | operand->reg2,
                        (uint64_t)operand->sreg,
                        operand->bits,
                        (uint64_t)operand->offset,
                        operand->target,
                        operand->count};
    hash_add(hash, words, sizeof words);
    if (operand->var) hash_var(hash, operand->var);
    if (operand->function) {
        hash_text(hash, operand->function->name);
        hash_word(hash, operand->function->index); /* its place in the table of symbols */
    }
    if (operand->table) hash_table(hash, operand->table);
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        hash_operand(hash, &operand->elements[i]);
}

static void hash_instr(struct hash *hash, const struct ptx_instr *instr)
{
    hash_word(hash, (uint64_t)instr->op << 32 | instr->guard);
    hash_word(hash, (uint64_t)instr->mod_count << 24 | (uint64_t)instr->type_count << 16 |
                        (uint64_t)instr->operand_count << 8 | instr->guard_negate);
    hash_add(hash, instr->mods, instr->mod_count * sizeof instr->mods[0]);
    hash_add(hash, instr->types, instr->type_count * sizeof instr->types[0]);
    for (uint32_t i = 0; i < instr->operand_count; i++)
        hash_operand(hash, &instr->operands[i]);
}

static bool hash_body(struct hash *hash, const struct ptx_function *function)
{
    bool calls = false;
    hash_prototype(hash, function);
    hash_word(hash, function->param_bytes);
    hash_add(hash, function->maxntid, sizeof function->maxntid);
    hash_add(hash, function->reqntid, sizeof function->reqntid);
    hash_add(hash, function->reqnctapercluster, sizeof function->reqnctapercluster);
    for (uint32_t i = 0; i < function->reg_count; i++)
        hash_word(hash, (uint64_t)function->regs[i].type << 8 | function->regs[i].vector);
    for (uint32_t i = 0; i < function->var_count; i++)
        hash_var(hash, function->vars[i]);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        hash_instr(hash, &function->instrs[i]);
        calls |= function->instrs[i].op == PTX_OP_CALL;
    }
    return calls;
}

void engine_kernel_hash(const struct ptx_function *function, uint64_t out[2])
{
    struct hash hash = {1, 2};
    const struct ptx_module *module = function->module;
    hash_word(&hash, (uint64_t)module->sm << 16 | (uint64_t)(unsigned char)module->sm_suffix);
    hash_word(&hash, (uint64_t)module->version_major << 32 | module->version_minor);
    hash_word(&hash, (uint64_t)module->var_count << 32 | module->function_count);
    if (hash_body(&hash, function)) /* what may be called through a pointer is any function of the module */
        for (uint32_t i = 0; i < module->function_count; i++)
            if (!module->functions[i]->is_entry && module->functions[i]->has_body)
                (void)hash_body(&hash, module->functions[i]);
    out[0] = hash.a;
    out[1] = hash.b;
}

/* ---- the folder
 * ------------------------------------------------------------------------------------------------- */

static bool cache_folder(struct str *out)
{
    const char *off = getenv("CUDA_CACHE_DISABLE"), *path = getenv("CUDA_CACHE_PATH");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (off && strcmp(off, "0") != 0 && *off) return false;
    if (path && *path)
        str_printf(out, "%s/softwarp", path);
    else if (cache && *cache)
        str_printf(out, "%s/softwarp", cache);
    else if (home && *home)
        str_printf(out, "%s/.cache/softwarp", home);
    else
        return false;
    return true;
}

static bool folder_is_ours(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

static void folder_make(const char *path)
{
    char *copy = sw_xstrdup(path);
    for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        (void)mkdir(copy, 0755);
        *at = '/';
    }
    (void)mkdir(copy, 0700);
    free(copy);
}

static bool entry_path(const struct engine_cache_key *key, bool make, struct str *folder, struct str *out)
{
    if (!cache_folder(folder)) return false;
    if (make && !folder_is_ours(str_text(folder))) folder_make(str_text(folder));
    if (!folder_is_ours(str_text(folder))) return false;
    str_printf(out, "%s/%016llx%016llx%016llx%016llx.o", str_text(folder), (unsigned long long)key->words[0],
               (unsigned long long)key->words[1], (unsigned long long)key->words[2],
               (unsigned long long)key->words[3]);
    return true;
}

/* ---- entries
 * ---------------------------------------------------------------------------------------------------- */

struct header {
    char magic[8];
    uint64_t checksum; /* of everything after this field */
    struct engine_cache_key key;
    struct jit_info info;
    uint32_t instr_count, has_slots;
    uint64_t code_bytes;
};
static const char MAGIC[8] = "SWOBJ02";
enum { CHECKED_FROM = 16 };

static uint8_t *read_whole(const char *path, size_t *bytes)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return NULL;
    uint8_t *data = NULL;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        info.st_size >= (off_t)sizeof(struct header) && info.st_size < INT32_MAX) {
        *bytes = (size_t)info.st_size;
        data = malloc(*bytes);
        if (data && read(file, data, *bytes) != (ssize_t)*bytes) {
            free(data);
            data = NULL;
        }
    }
    close(file);
    return data;
}

static bool header_is_good(const struct header *header, const struct engine_cache_key *key,
                           uint32_t instr_count, size_t bytes)
{
    uint64_t slots = header->has_slots ? (uint64_t)header->instr_count * sizeof(struct event_slots) : 0;
    return memcmp(header->magic, MAGIC, sizeof MAGIC) == 0 && memcmp(&header->key, key, sizeof *key) == 0 &&
           header->instr_count == instr_count && header->code_bytes < INT32_MAX &&
           bytes == sizeof *header + slots + header->code_bytes &&
           header->checksum == sw_hash_bytes((const uint8_t *)header + CHECKED_FROM, bytes - CHECKED_FROM, 5);
}

static void *copy_of(const void *bytes, size_t count)
{
    void *copy = sw_xmalloc(count ? count : 1);
    memcpy(copy, bytes, count);
    return copy;
}

static bool entry_parse(const uint8_t *data, size_t bytes, const struct engine_cache_key *key,
                        uint32_t instr_count, struct jit_object *out)
{
    const struct header *header = (const struct header *)data;
    if (!header_is_good(header, key, instr_count, bytes)) return false;
    size_t slots = header->has_slots ? (size_t)instr_count * sizeof(struct event_slots) : 0;
    const uint8_t *after = data + sizeof *header;
    *out = (struct jit_object){.bytes = header->code_bytes, .info = header->info};
    if (slots) out->slots = copy_of(after, slots);
    out->code = copy_of(after + slots, header->code_bytes);
    return true;
}

bool engine_cache_read(const struct engine_cache_key *key, uint32_t instr_count, struct jit_object *out)
{
    struct str folder = {0}, path = {0};
    size_t bytes = 0;
    uint8_t *data = entry_path(key, false, &folder, &path) ? read_whole(str_text(&path), &bytes) : NULL;
    bool found = data && entry_parse(data, bytes, key, instr_count, out);
    free(data);
    str_release(&path);
    str_release(&folder);
    return found;
}

/* ---- keeping it small
 * ------------------------------------------------------------------------------------------- */

struct entry {
    char name[80];
    uint64_t bytes;
    struct timespec time;
};

static int older_first(const void *a, const void *b)
{
    const struct timespec *left = &((const struct entry *)a)->time, *right = &((const struct entry *)b)->time;
    if (left->tv_sec != right->tv_sec) return left->tv_sec < right->tv_sec ? -1 : 1;
    return (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

static uint64_t size_limit(void)
{
    static const uint64_t DEFAULT_BYTES = UINT64_C(1) << 30; /* CUDA's default for its own cache */
    const char *text = getenv("CUDA_CACHE_MAXSIZE");
    return text && *text ? strtoull(text, NULL, 10) : DEFAULT_BYTES;
}

/* Remove the oldest entries until `folder` holds at most the limit. */
static void folder_trim(const char *folder)
{
    VEC(struct entry) entries = {0};
    uint64_t sum = 0, limit = size_limit();
    DIR *dir = opendir(folder);
    for (struct dirent *item = dir ? readdir(dir) : NULL; item; item = readdir(dir)) {
        struct stat info;
        if (!sw_ends_with(item->d_name, ".o") || strlen(item->d_name) >= sizeof(struct entry){0}.name)
            continue;
        if (fstatat(dirfd(dir), item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        struct entry *entry = vec_push(&entries);
        memcpy(entry->name, item->d_name, strlen(item->d_name) + 1); /* its length was checked above */
        entry->bytes = (uint64_t)info.st_size;
        entry->time = info.st_mtim;
        sum += entry->bytes;
    }
    if (sum > limit) qsort(entries.at, entries.count, sizeof *entries.at, older_first);
    for (size_t i = 0; i < entries.count && sum > limit; i++) {
        (void)unlinkat(dirfd(dir), entries.at[i].name, 0);
        sum -= entries.at[i].bytes;
    }
    if (dir) closedir(dir);
    vec_release(&entries);
}

/* ---- writing
 * ---------------------------------------------------------------------------------------------------- */

static void entry_bytes(const struct engine_cache_key *key, uint32_t instr_count,
                        const struct jit_object *object, struct str *out)
{
    struct header header;
    memset(&header, 0, sizeof header); /* padding too: it is under the checksum */
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.key = *key;
    header.info = object->info;
    header.instr_count = instr_count;
    header.has_slots = object->slots != NULL;
    header.code_bytes = object->bytes;
    str_add_bytes(out, &header, sizeof header);
    if (object->slots) str_add_bytes(out, object->slots, instr_count * sizeof *object->slots);
    str_add_bytes(out, object->code, object->bytes);
    uint64_t checksum = sw_hash_bytes(out->text + CHECKED_FROM, out->length - CHECKED_FROM, 5);
    memcpy(out->text + offsetof(struct header, checksum), &checksum, sizeof checksum);
}

static void write_aside_and_rename(const char *path, const struct str *data)
{
    static atomic_uint serial;
    struct str aside = {0};
    str_printf(&aside, "%s.%ld.%u", path, (long)getpid(), atomic_fetch_add(&serial, 1));
    int file = open(str_text(&aside), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        bool whole = write(file, data->text, data->length) == (ssize_t)data->length;
        if (close(file) != 0 || !whole || rename(str_text(&aside), path) != 0) (void)unlink(str_text(&aside));
    }
    str_release(&aside);
}

void engine_cache_write(const struct engine_cache_key *key, uint32_t instr_count,
                        const struct jit_object *object)
{
    struct str folder = {0}, path = {0}, data = {0};
    if (entry_path(key, true, &folder, &path)) {
        entry_bytes(key, instr_count, object, &data);
        if (data.length <= size_limit()) {
            write_aside_and_rename(str_text(&path), &data);
            folder_trim(str_text(&folder));
        }
    }
    str_release(&data);
    str_release(&path);
    str_release(&folder);
}
