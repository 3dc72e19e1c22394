/* SPDX-License-Identifier: Apache-2.0 */
/* Compression of container payloads: LZ4 blocks (`nvcc --compress-mode=speed`) and zstd frames (nvcc's
 * default). Method: the entry header says both sizes, so each payload is expanded in one call into memory of
 * that size and must fill it exactly. Limits: no dictionaries, no streaming. */
#include "fatbin_priv.h"

#include <limits.h>
#include <lz4.h>
#include <zstd.h>

static enum sw_status wrong_size(const char *method, struct sw_error *error)
{
    return sw_fail(error, SW_CORRUPT,
                   "%s payload of a fat binary entry does not expand to the size its header says", method);
}

enum sw_status fatbin_expand(uint64_t flags, const uint8_t *data, uint64_t bytes, uint8_t *out,
                             uint64_t out_bytes, struct sw_error *error)
{
    if (flags & FATBIN_FLAG_ZSTD) {
        size_t got = ZSTD_decompress(out, out_bytes, data, bytes);
        return !ZSTD_isError(got) && got == out_bytes ? SW_OK : wrong_size("zstd", error);
    }
    if (!(flags & FATBIN_FLAG_LZ4))
        return sw_fail(error, SW_CORRUPT, "fat binary entry compressed by an unknown method (flags 0x%llx)",
                       (unsigned long long)flags);
    if (bytes > INT_MAX || out_bytes > INT_MAX) return wrong_size("LZ4", error);
    int got = LZ4_decompress_safe((const char *)data, (char *)out, (int)bytes, (int)out_bytes);
    return got >= 0 && (uint64_t)got == out_bytes ? SW_OK : wrong_size("LZ4", error);
}

static enum sw_status too_large(struct sw_error *error)
{
    return sw_fail(error, SW_INVALID_VALUE, "payload too large for a fat binary entry");
}

enum sw_status fatbin_compress(enum fatbin_compression compression, const void *data, uint64_t data_bytes,
                               struct str *out, uint64_t *bytes, struct sw_error *error)
{
    if (data_bytes > FATBIN_PAYLOAD_LIMIT) return too_large(error);
    if (compression == FATBIN_NONE) {
        str_add_bytes(out, data, data_bytes);
        *bytes = data_bytes;
        return SW_OK;
    }
    bool lz4 = compression == FATBIN_LZ4;
    size_t capacity = lz4 ? (size_t)LZ4_compressBound((int)data_bytes) : ZSTD_compressBound(data_bytes);
    char *buffer = sw_xmalloc(capacity);
    size_t got = lz4 ? (size_t)LZ4_compress_default(data, buffer, (int)data_bytes, (int)capacity)
                     : ZSTD_compress(buffer, capacity, data, data_bytes, ZSTD_CLEVEL_DEFAULT);
    bool ok = lz4 ? got > 0 : !ZSTD_isError(got);
    if (ok) {
        str_add_bytes(out, buffer, got);
        *bytes = got;
    }
    free(buffer);
    return ok ? SW_OK : too_large(error);
}
