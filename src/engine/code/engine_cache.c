/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: compiled objects in the cache on disk (cache/), so that a program's second run needs no compiler.
 * Method: the key is a hash of everything that compiling reads (engine_code.c adds the compiler, the CPU and
 * the request); an entry is a record, the slots table, and the object. Limits: an entry that is not as
 * expected counts as absent. */
#include "engine_cache.h"

#include "cache/cache.h"

#include <stdlib.h>
#include <string.h>

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
        calls |= function->instrs[i].op == ISA_OP_CALL;
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

static void hash_names(struct hash *hash, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->var_count; i++)
        hash_text(hash, function->vars[i]->name);
    for (uint32_t i = 0; i < function->param_count; i++)
        hash_text(hash, function->params[i]->name);
    for (uint32_t i = 0; i < function->instr_count; i++)
        hash_word(hash, function->instrs[i].line);
}

uint64_t engine_kernel_names_hash(const struct ptx_function *function)
{
    struct hash hash = {1, 2};
    const struct ptx_module *module = function->module;
    hash_names(&hash, function);
    for (uint32_t i = 0; i < module->var_count; i++)
        hash_text(&hash, module->vars[i]->name);
    for (uint32_t i = 0; i < module->function_count; i++)
        if (!module->functions[i]->is_entry && module->functions[i]->has_body)
            hash_names(&hash, module->functions[i]);
    return hash.a ^ hash.b;
}

/* ---- entries
 * ---------------------------------------------------------------------------------------------------- */

struct entry {
    uint64_t format; /* of what follows */
    struct jit_info info;
    uint32_t instr_count, has_slots;
    uint64_t code_bytes;
};
static const uint64_t FORMAT = 4;

static bool entry_parse(const uint8_t *data, size_t bytes, uint32_t instr_count, struct jit_object *out)
{
    struct entry entry;
    if (bytes < sizeof entry) return false;
    memcpy(&entry, data, sizeof entry);
    size_t slots = entry.has_slots ? (size_t)instr_count * sizeof(struct event_slots) : 0;
    if (entry.format != FORMAT || entry.instr_count != instr_count) return false;
    if (entry.code_bytes > bytes || bytes != sizeof entry + slots + entry.code_bytes) return false;
    *out = (struct jit_object){.bytes = entry.code_bytes, .info = entry.info};
    if (slots) out->slots = sw_xmemdup(data + sizeof entry, slots);
    out->code = sw_xmemdup(data + sizeof entry + slots, entry.code_bytes);
    return true;
}

bool engine_cache_read(const struct cache_key *key, uint32_t instr_count, struct jit_object *out)
{
    uint8_t *data;
    size_t bytes;
    if (!cache_read(key, &data, &bytes)) return false;
    bool found = entry_parse(data, bytes, instr_count, out);
    free(data);
    return found;
}

void engine_cache_write(const struct cache_key *key, uint32_t instr_count, const struct jit_object *object)
{
    struct str data = {0};
    struct entry entry;
    memset(&entry, 0, sizeof entry); /* padding too: the same object gives the same file */
    entry.format = FORMAT;
    entry.info = object->info;
    entry.instr_count = instr_count;
    entry.has_slots = object->slots != NULL;
    entry.code_bytes = object->bytes;
    str_add_bytes(&data, &entry, sizeof entry);
    if (object->slots) str_add_bytes(&data, object->slots, instr_count * sizeof *object->slots);
    str_add_bytes(&data, object->code, object->bytes);
    cache_write(key, data.text, data.length);
    str_release(&data);
}
