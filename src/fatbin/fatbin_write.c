/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a container that our reader and nvcc-built hosts read. Method: one header per entry, then its name
 * and options, then the payload padded to 8 bytes. A payload that compression does not shrink is stored
 * plain. Limits: no debug or identifier fields beyond those in fatbin_priv.h. */
#include "fatbin_priv.h"

#include <string.h>

static void pad(struct str *out, size_t start)
{
    while ((out->length - start) % FATBIN_ENTRY_ALIGN)
        str_add_char(out, 0);
}

static uint64_t entry_flags(const struct fatbin_entry *entry)
{
    uint64_t suffix = entry->suffix == 'a' ? FATBIN_FLAG_ARCH : entry->suffix == 'f' ? FATBIN_FLAG_FAMILY : 0;
    uint64_t kept = entry->flags &
                    ~(uint64_t)(FATBIN_FLAG_LZ4 | FATBIN_FLAG_ZSTD | FATBIN_FLAG_ARCH | FATBIN_FLAG_FAMILY);
    return kept | suffix | FATBIN_FLAG_64BIT | FATBIN_FLAG_LINUX;
}

/* What follows the fixed header: name, options block {string offset, length}, option text, padding. */
static void add_strings(const struct fatbin_entry *entry, struct fatbin_entry_header *header, struct str *out)
{
    size_t start = out->length;
    if (entry->name && entry->name[0]) {
        header->name_offset = FATBIN_ENTRY_BYTES;
        header->name_bytes = (uint32_t)strlen(entry->name);
        str_add_bytes(out, entry->name, header->name_bytes + 1);
        pad(out, start);
    }
    if (entry->options && entry->options[0]) {
        uint32_t at = FATBIN_ENTRY_BYTES + (uint32_t)(out->length - start);
        uint32_t block[2] = {at + 8, (uint32_t)strlen(entry->options)};
        header->options_offset = at;
        str_add_bytes(out, block, sizeof block);
        str_add_bytes(out, entry->options, block[1] + 1);
        pad(out, start);
    }
    header->header_bytes = FATBIN_ENTRY_BYTES + (uint32_t)(out->length - start);
}

static enum sw_status add_entry(const struct fatbin_entry *entry, enum fatbin_compression compression,
                                struct str *out, struct sw_error *error)
{
    struct fatbin_entry_header header = {.kind = (uint16_t)entry->kind,
                                         .version = FATBIN_ENTRY_VERSION,
                                         .minor = entry->minor,
                                         .major = entry->major,
                                         .sm = entry->sm,
                                         .flags = entry_flags(entry)};
    uint64_t plain = entry->bytes + (entry->kind == FATBIN_PTX); /* PTX is stored with its NUL */
    struct str strings = {0}, payload = {0};
    add_strings(entry, &header, &strings);
    uint64_t stored = 0;
    enum sw_status status = fatbin_compress(compression, entry->data, plain, &payload, &stored, error);
    if (status == SW_OK && compression != FATBIN_NONE && stored >= plain) {
        str_clear(&payload);
        status = fatbin_compress(FATBIN_NONE, entry->data, plain, &payload, &stored, error);
    } else if (compression != FATBIN_NONE) {
        header.compressed_bytes = (uint32_t)stored;
        header.uncompressed_bytes = plain;
        header.flags |= compression == FATBIN_LZ4 ? FATBIN_FLAG_LZ4 : FATBIN_FLAG_ZSTD;
    }
    if (status == SW_OK) {
        pad(&payload, 0);
        header.payload_bytes = payload.length;
        str_add_bytes(out, &header, sizeof header);
        str_add_bytes(out, str_text(&strings), strings.length);
        str_add_bytes(out, str_text(&payload), payload.length);
    }
    str_release(&strings);
    str_release(&payload);
    return status;
}

enum sw_status fatbin_write(const struct fatbin_entry *entries, uint32_t count,
                            enum fatbin_compression compression, struct str *out, struct sw_error *error)
{
    struct str body = {0};
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < count && status == SW_OK; i++)
        status = add_entry(&entries[i], compression, &body, error);
    if (status == SW_OK) {
        struct fatbin_header header = {FATBIN_CONTAINER_MAGIC, FATBIN_VERSION, FATBIN_HEADER_BYTES,
                                       body.length};
        str_add_bytes(out, &header, sizeof header);
        str_add_bytes(out, str_text(&body), body.length);
    }
    str_release(&body);
    return status;
}
