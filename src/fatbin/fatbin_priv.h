/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of the container, shared by reader and writer. All fields little-endian; offsets in bytes. Found by
 * examining what nvcc 13.0 writes (`nvcc -fatbin` with each compression mode, -rdc=true, -lineinfo). */
#ifndef FATBIN_PRIV_H
#define FATBIN_PRIV_H

#include "fatbin/fatbin.h"

enum {
    FATBIN_WRAPPER_MAGIC = 0x466243B1,
    FATBIN_HEADER_BYTES = 16,
    FATBIN_VERSION = 1,
    FATBIN_ENTRY_BYTES = 0x40,
    FATBIN_ENTRY_VERSION = 0x0101,
    FATBIN_ENTRY_ALIGN = 8,
};
#define FATBIN_CONTAINER_MAGIC 0xBA55ED50u

/* Flags of an entry. */
#define FATBIN_FLAG_64BIT  0x1u
#define FATBIN_FLAG_LINUX  0x10u
#define FATBIN_FLAG_LZ4    0x2000u
#define FATBIN_FLAG_ZSTD   0x8000u
#define FATBIN_FLAG_ARCH   0x100000u /* sm_90a */
#define FATBIN_FLAG_FAMILY 0x200000u /* sm_100f */

/* An entry claims its own decompressed size; no program's code comes near this. */
#define FATBIN_PAYLOAD_LIMIT (UINT64_C(1) << 30)

struct fatbin_entry_header {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t sm, name_offset, name_bytes;
    uint64_t flags;
    uint64_t reserved;
    uint64_t uncompressed_bytes;
};
_Static_assert(sizeof(struct fatbin_entry_header) == FATBIN_ENTRY_BYTES, "entry header is 64 bytes");

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t body_bytes;
};
_Static_assert(sizeof(struct fatbin_header) == FATBIN_HEADER_BYTES, "container header is 16 bytes");

/* Records of .nv.info and .nv.info.<kernel>: form, attribute, a half-word, and what the form says follows.
 * Source: cubins of nvcc 13.0 for sm_75 to sm_120, compared with `ptxas -v`. */
enum {
    FATBIN_RECORD_BYTE = 2,
    FATBIN_RECORD_HALF = 3,
    FATBIN_RECORD_SIZED = 4, /* the half-word is the number of bytes that follow */
    FATBIN_ATTR_MAX_THREADS = 0x05,
    FATBIN_ATTR_FRAME_SIZE = 0x11,
    FATBIN_ATTR_MIN_STACK_SIZE = 0x12,
    FATBIN_ATTR_PARAM_BYTES = 0x19,
    FATBIN_ATTR_REGCOUNT = 0x2f,
    FATBIN_ATTR_BARRIERS = 0x4c,
    FATBIN_RESERVED_SHARED_BYTES = 1024, /* counted in .nv.shared.<kernel> from sm_90 on */
    FATBIN_ELF_VERSION_SM_HIGH =
        8, /* e_ident[EI_ABIVERSION] from which the SM is in bits 8 .. 15 of e_flags */
};
#define FATBIN_PTX_SECTION ".softwarp.ptx" /* of a cubin that fatbin_cubin_write made */

/* Expand one compressed payload into exactly out_bytes bytes. */
enum sw_status fatbin_expand(uint64_t flags, const uint8_t *data, uint64_t bytes, uint8_t *out,
                             uint64_t out_bytes, struct sw_error *error);
/* Append the compressed form of data to *out; *bytes is its length. */
enum sw_status fatbin_compress(enum fatbin_compression compression, const void *data, uint64_t data_bytes,
                               struct str *out, uint64_t *bytes, struct sw_error *error);
/* Fill target, suffix and version of an entry from the `.version` and `.target` lines of its PTX. */
void fatbin_ptx_target(const char *text, struct fatbin_entry *entry);
/* Bytes that an ELF image spans by its own headers; 0: not an ELF64 header. */
uint64_t fatbin_elf_bytes(const uint8_t *image, uint64_t readable);
/* The PTX that fatbin_cubin_write put into an ELF image, with its NUL; NULL: none, or no whole image. */
const char *fatbin_elf_ptx(const uint8_t *image, uint64_t bytes, uint64_t *ptx_bytes);
/* Compute capability of a cubin and 'a' or 'f', from e_flags. */
uint32_t fatbin_elf_sm(const uint8_t *image, char *suffix);
#endif
