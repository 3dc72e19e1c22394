/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an image as cuModuleLoadData gets it: wrapper, container(s), bare PTX or bare cubin.
 * Method: a window (base, bytes) and bounds-checked copies of fixed headers out of it, so unaligned and
 * hostile bytes are safe. A wrapper is a pair of pointers inside the process; there a container's own header
 * gives the window. Limits: entries of kinds other than PTX and ELF are skipped. */
#include "fatbin_priv.h"

#include <ar.h>
#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct fatbin_wrapper {
    uint32_t magic, version;
    const uint8_t *data;
    const uint8_t *const *parts; /* version 2: NULL-terminated */
};

struct reader {
    const uint8_t *base; /* the window: one container, or the whole image */
    uint64_t bytes;
    uint32_t unit;
    struct arena *arena;
    VEC(struct fatbin_entry) entries;
    struct sw_error *error;
};

static enum sw_status corrupt(const struct reader *reader, uint64_t offset, const char *what)
{
    return sw_fail(reader->error, SW_CORRUPT, "fat binary: %s at offset 0x%llx", what,
                   (unsigned long long)offset);
}

static bool read_inside(const struct reader *reader, uint64_t offset, uint64_t bytes)
{
    return offset <= reader->bytes && bytes <= reader->bytes - offset;
}

/* A string of an entry, or "" where it has none or it lies outside of the entry's header. */
static const char *entry_string(struct reader *reader, uint64_t entry,
                                const struct fatbin_entry_header *header, uint64_t offset, uint64_t bytes)
{
    if (!offset || !bytes || offset > header->header_bytes || bytes > header->header_bytes - offset)
        return "";
    return arena_strndup(reader->arena, (const char *)reader->base + entry + offset, bytes);
}

static const char *entry_options(struct reader *reader, uint64_t entry,
                                 const struct fatbin_entry_header *header)
{
    uint32_t block[2];
    uint64_t at = header->options_offset;
    if (!at || at > header->header_bytes || sizeof block > header->header_bytes - at) return "";
    memcpy(block, reader->base + entry + at, sizeof block);
    return entry_string(reader, entry, header, block[0], block[1]);
}

/* The payload of one entry: expanded where compressed; PTX copied, so that a NUL ends it. */
static enum sw_status read_payload(struct reader *reader, uint64_t offset,
                                   const struct fatbin_entry_header *header, struct fatbin_entry *entry)
{
    const uint8_t *data = reader->base + offset;
    bool packed = header->compressed_bytes != 0;
    uint64_t bytes = packed ? header->uncompressed_bytes : header->payload_bytes;
    if (bytes > FATBIN_PAYLOAD_LIMIT) return corrupt(reader, offset, "payload size beyond 1 GiB");
    if (packed && header->compressed_bytes > header->payload_bytes)
        return corrupt(reader, offset, "compressed size beyond the payload");
    if (!packed && entry->kind == FATBIN_ELF) {
        entry->data = data;
        entry->bytes = bytes;
        return SW_OK;
    }
    uint8_t *copy = malloc(bytes + 1); /* the file chooses the size: no abort when memory is out */
    if (!copy)
        return sw_fail(reader->error, SW_OUT_OF_MEMORY, "no memory for a fat binary entry of %llu bytes",
                       (unsigned long long)bytes);
    enum sw_status status = SW_OK;
    if (packed)
        status = fatbin_expand(header->flags, data, header->compressed_bytes, copy, bytes, reader->error);
    else
        memcpy(copy, data, bytes);
    if (status == SW_OK) {
        copy[bytes] = 0;
        entry->bytes = entry->kind == FATBIN_PTX ? strlen((const char *)copy) : bytes;
        entry->data = arena_copy(reader->arena, copy, entry->bytes + 1);
    }
    free(copy);
    return status;
}

/* What an ELF image stands for: its PTX where fatbin_cubin_write made it. The image's SM is the entry's; the
 * suffix is the text's. */
static void take_elf(struct reader *reader, struct fatbin_entry *entry)
{
    uint64_t bytes;
    const char *ptx = fatbin_elf_ptx(entry->data, entry->bytes, &bytes);
    if (!ptx) return;
    uint32_t sm = entry->sm;
    entry->kind = FATBIN_PTX;
    entry->of_cubin = true;
    entry->bytes = strlen(ptx);
    entry->data = (const uint8_t *)arena_strndup(reader->arena, ptx, entry->bytes);
    fatbin_ptx_target(ptx, entry);
    entry->sm = sm;
}

static char entry_suffix(uint64_t flags)
{
    return flags & FATBIN_FLAG_ARCH ? 'a' : flags & FATBIN_FLAG_FAMILY ? 'f' : 0;
}

/* One entry at *offset; *offset moves to the next one. */
static enum sw_status read_entry(struct reader *reader, uint64_t *offset)
{
    struct fatbin_entry_header header;
    uint64_t at = *offset;
    if (!read_inside(reader, at, sizeof header)) return corrupt(reader, at, "truncated entry header");
    memcpy(&header, reader->base + at, sizeof header);
    if (header.header_bytes < sizeof header || !read_inside(reader, at, header.header_bytes))
        return corrupt(reader, at, "entry header of a wrong size");
    uint64_t payload = at + header.header_bytes;
    if (!read_inside(reader, payload, header.payload_bytes)) return corrupt(reader, at, "truncated entry");
    *offset = payload + header.payload_bytes;
    if (header.kind != FATBIN_PTX && header.kind != FATBIN_ELF) return SW_OK;
    struct fatbin_entry entry = {.kind = (enum fatbin_kind)header.kind,
                                 .sm = header.sm,
                                 .suffix = entry_suffix(header.flags),
                                 .unit = reader->unit,
                                 .major = header.major,
                                 .minor = header.minor,
                                 .flags = header.flags};
    entry.name = entry_string(reader, at, &header, header.name_offset, header.name_bytes);
    entry.options = entry_options(reader, at, &header);
    SW_TRY(read_payload(reader, payload, &header, &entry));
    if (entry.kind == FATBIN_ELF) take_elf(reader, &entry);
    *vec_push(&reader->entries) = entry;
    return SW_OK;
}

/* One container at base; *spans is its length. bytes: readable, UINT64_MAX when the header is to be trusted.
 */
static enum sw_status read_container(struct reader *reader, const uint8_t *base, uint64_t bytes,
                                     uint64_t *spans)
{
    struct fatbin_header header;
    reader->base = base;
    reader->bytes = bytes;
    if (!read_inside(reader, 0, sizeof header)) return corrupt(reader, 0, "truncated container header");
    memcpy(&header, base, sizeof header);
    if (header.magic != FATBIN_CONTAINER_MAGIC) return corrupt(reader, 0, "no container magic");
    if (header.version != FATBIN_VERSION || header.header_bytes < sizeof header)
        return corrupt(reader, 0, "unknown container version");
    if (!read_inside(reader, header.header_bytes, header.body_bytes))
        return corrupt(reader, 0, "truncated container");
    reader->bytes = *spans = header.header_bytes + header.body_bytes;
    for (uint64_t offset = header.header_bytes; offset < reader->bytes;)
        SW_TRY(read_entry(reader, &offset));
    reader->unit++;
    return SW_OK;
}

/* Containers one after another in an image whose size is known; between them may be zero padding. */
static enum sw_status read_containers(struct reader *reader, const uint8_t *image, uint64_t size)
{
    if (size == UINT64_MAX) return read_container(reader, image, size, &(uint64_t){0});
    for (uint64_t offset = 0; offset < size;) {
        uint64_t spans = 0;
        SW_TRY(read_container(reader, image + offset, size - offset, &spans));
        offset += spans;
        while (offset < size && image[offset] == 0)
            offset++;
    }
    return SW_OK;
}

static enum sw_status read_wrapper(struct reader *reader, const uint8_t *image, bool *linked)
{
    struct fatbin_wrapper wrapper;
    uint64_t spans = 0;
    memcpy(&wrapper, image, sizeof wrapper);
    if (wrapper.version != 1 && wrapper.version != 2) return corrupt(reader, 4, "unknown wrapper version");
    if (!wrapper.data) return corrupt(reader, 8, "wrapper without data");
    SW_TRY(read_container(reader, wrapper.data, UINT64_MAX, &spans));
    *linked = wrapper.version == 2;
    if (!*linked || !wrapper.parts) return SW_OK;
    for (const uint8_t *const *part = wrapper.parts; *part; part++)
        SW_TRY(read_container(reader, *part, UINT64_MAX, &spans));
    return SW_OK;
}

static enum sw_status read_elf(struct reader *reader, const uint8_t *image, uint64_t size)
{
    struct fatbin_entry entry = {.kind = FATBIN_ELF, .name = "", .options = "", .data = image};
    entry.bytes = fatbin_elf_bytes(image, size);
    if (!entry.bytes) return corrupt(reader, 0, "truncated cubin");
    entry.sm = fatbin_elf_sm(image, &entry.suffix);
    take_elf(reader, &entry);
    *vec_push(&reader->entries) = entry;
    reader->unit++;
    return SW_OK;
}

static enum sw_status read_ptx(struct reader *reader, const char *image, uint64_t size)
{
    struct fatbin_entry entry = {.kind = FATBIN_PTX, .name = "", .options = ""};
    entry.bytes = size == UINT64_MAX ? strlen(image) : strnlen(image, size);
    if (entry.bytes > FATBIN_PAYLOAD_LIMIT) return corrupt(reader, 0, "PTX text beyond 1 GiB");
    entry.data = (const uint8_t *)arena_strndup(reader->arena, image, entry.bytes);
    fatbin_ptx_target((const char *)entry.data, &entry);
    *vec_push(&reader->entries) = entry;
    reader->unit++;
    return SW_OK;
}

/* PTX starts with a directive or a comment, blank space aside. */
static bool looks_like_ptx(const uint8_t *image, uint64_t size)
{
    uint64_t i = 0;
    while (i < size && image[i] && strchr(" \t\r\n\v\f", image[i]))
        i++;
    return i < size && (image[i] == '.' || image[i] == '/');
}

static enum sw_status read_image(struct reader *reader, const uint8_t *image, uint64_t size, bool *linked)
{
    uint32_t magic = 0;
    if (size >= sizeof magic) memcpy(&magic, image, sizeof magic);
    if (magic == FATBIN_WRAPPER_MAGIC) {
        if (size == UINT64_MAX) return read_wrapper(reader, image, linked);
        return corrupt(reader, 0, "a wrapper holds pointers and cannot be read from a file");
    }
    if (magic == FATBIN_CONTAINER_MAGIC) return read_containers(reader, image, size);
    if (size >= 4 && memcmp(image, "\177ELF", 4) == 0) return read_elf(reader, image, size);
    if (looks_like_ptx(image, size)) return read_ptx(reader, (const char *)image, size);
    return sw_fail(reader->error, SW_INVALID_IMAGE,
                   "not a device image: neither a fat binary, PTX text nor a cubin (starts with 0x%08x)",
                   magic);
}

enum sw_status fatbin_read(const void *image, uint64_t size, struct fatbin *out, struct sw_error *error)
{
    struct arena arena;
    arena_init(&arena);
    struct reader reader = {.arena = &arena, .error = error};
    bool linked = false;
    enum sw_status status = read_image(&reader, image, size, &linked);
    if (status == SW_OK) {
        uint32_t count = (uint32_t)reader.entries.count;
        struct fatbin_entry *entries = ARENA_ARRAY(&arena, struct fatbin_entry, count);
        if (count) memcpy(entries, reader.entries.at, count * sizeof *entries);
        *out = (struct fatbin){entries, count, reader.unit, linked, arena};
    } else {
        arena_release(&arena);
    }
    vec_release(&reader.entries);
    return status;
}

void fatbin_release(struct fatbin *fatbin)
{
    arena_release(&fatbin->arena);
    *fatbin = (struct fatbin){0};
}

bool fatbin_is_host_file(const uint8_t *bytes, uint64_t size)
{
    if (size >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0) return true;
    if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0) return false;
    const uint8_t *machine = bytes + offsetof(Elf64_Ehdr, e_machine);
    return (machine[0] | machine[1] << 8) != EM_CUDA;
}

/* Objects are aligned to 2 bytes in a library, and containers to 8 in an object. */
bool fatbin_find(const uint8_t *bytes, uint64_t size, uint64_t *offset, uint64_t *span)
{
    struct fatbin_header header;
    for (uint64_t at = *offset; at < size && size - at >= sizeof header; at += 2) {
        memcpy(&header, bytes + at, sizeof header);
        if (header.magic != FATBIN_CONTAINER_MAGIC || header.version != FATBIN_VERSION ||
            header.header_bytes < sizeof header || header.header_bytes > size - at ||
            header.body_bytes > size - at - header.header_bytes)
            continue;
        *offset = at;
        *span = header.header_bytes + header.body_bytes;
        return true;
    }
    return false;
}
