/* SPDX-License-Identifier: Apache-2.0 */
/* engine_relocate.h for AArch64 (ELF for the Arm 64-bit Architecture, 5.7). Fields of instructions are set
 * bit by bit: an object may come with something in them. */
#include "engine_relocate.h"

#include <elf.h>
#include <string.h>

const uint16_t engine_relocate_machine = EM_AARCH64;

unsigned engine_relocation_bytes(uint32_t type)
{
    return type == R_AARCH64_ABS64 || type == R_AARCH64_PREL64 ? 8 : 4;
}

bool engine_relocation_calls(uint32_t type)
{
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}

/* The lower `bits` of value, at bit `low` of the instruction. */
static void set_field(uint8_t *at, unsigned low, unsigned bits, uint64_t value)
{
    uint32_t code, mask = (uint32_t)((UINT64_C(1) << bits) - 1) << low;
    memcpy(&code, at, sizeof code);
    code = (code & ~mask) | ((uint32_t)(value << low) & mask);
    memcpy(at, &code, sizeof code);
}

static bool fits(int64_t value, unsigned bits)
{
    return value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1);
}

static enum sw_status out_of_range(struct sw_error *error)
{
    return sw_fail(error, SW_CORRUPT, "compiled object is damaged: relocation out of range");
}

/* A distance in instructions: of branches, and of loads from the code */
static enum sw_status set_distance(uint8_t *at, int64_t distance, unsigned low, unsigned bits,
                                   struct sw_error *error)
{
    if (distance % 4 != 0 || !fits(distance / 4, bits)) return out_of_range(error);
    set_field(at, low, bits, (uint64_t)(distance / 4));
    return SW_OK;
}

/* adr and adrp have two fields. */
static enum sw_status set_adr(uint8_t *at, int64_t distance, struct sw_error *error)
{
    if (!fits(distance, 21)) return out_of_range(error);
    set_field(at, 29, 2, (uint64_t)distance);
    set_field(at, 5, 19, (uint64_t)distance >> 2);
    return SW_OK;
}

static int64_t pages_between(const void *from, uint64_t to)
{
    return (int64_t)(to >> 12) - (int64_t)((uint64_t)(uintptr_t)from >> 12);
}

/* The lower 12 bits of an address, in units of 1 << shift bytes */
static enum sw_status set_low12(uint8_t *at, uint64_t address, unsigned shift, struct sw_error *error)
{
    uint64_t low = address & 0xfff;
    if (low & ((UINT64_C(1) << shift) - 1)) return out_of_range(error);
    set_field(at, 10, 12, low >> shift);
    return SW_OK;
}

static enum sw_status set_data32(uint8_t *at, int64_t value, struct sw_error *error)
{
    int32_t field = (int32_t)value;
    if (!fits(value, 32)) return out_of_range(error);
    memcpy(at, &field, sizeof field);
    return SW_OK;
}

enum sw_status engine_relocate(const struct engine_relocation *relocation, struct sw_error *error)
{
    uint8_t *at = relocation->at;
    uint64_t address = relocation->symbol + (uint64_t)relocation->addend;
    uint64_t entry = (uint64_t)(uintptr_t)relocation->entry + (uint64_t)relocation->addend;
    int64_t distance = (int64_t)(address - (uint64_t)(uintptr_t)at);
    switch (relocation->type) {
    case R_AARCH64_ABS64: memcpy(at, &address, sizeof address); return SW_OK;
    case R_AARCH64_PREL64: memcpy(at, &distance, sizeof distance); return SW_OK;
    case R_AARCH64_PREL32: return set_data32(at, distance, error);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26: return set_distance(at, distance, 0, 26, error);
    case R_AARCH64_CONDBR19:
    case R_AARCH64_LD_PREL_LO19: return set_distance(at, distance, 5, 19, error);
    case R_AARCH64_TSTBR14: return set_distance(at, distance, 5, 14, error);
    case R_AARCH64_ADR_PREL_LO21: return set_adr(at, distance, error);
    case R_AARCH64_ADR_PREL_PG_HI21: return set_adr(at, pages_between(at, address), error);
    case R_AARCH64_ADR_GOT_PAGE: return set_adr(at, pages_between(at, entry), error);
    case R_AARCH64_LD64_GOT_LO12_NC: return set_low12(at, entry, 3, error);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: return set_low12(at, address, 0, error);
    case R_AARCH64_LDST16_ABS_LO12_NC: return set_low12(at, address, 1, error);
    case R_AARCH64_LDST32_ABS_LO12_NC: return set_low12(at, address, 2, error);
    case R_AARCH64_LDST64_ABS_LO12_NC: return set_low12(at, address, 3, error);
    case R_AARCH64_LDST128_ABS_LO12_NC: return set_low12(at, address, 4, error);
    default:
        return sw_fail(error, SW_UNSUPPORTED, "compiled object has relocation type %u", relocation->type);
    }
}

/* adrp x16, entry; ldr x16, [x16, low bits of entry]; br x16 */
void engine_relocate_stub(uint8_t *stub, const uint8_t *entry)
{
    static const uint32_t code[] = {0x90000010, 0xf9400210, 0xd61f0200};
    struct sw_error unused;
    uint64_t address = (uint64_t)(uintptr_t)entry;
    memcpy(stub, code, sizeof code);
    if (set_adr(stub, pages_between(stub, address), &unused) != SW_OK ||
        set_low12(stub + 4, address, 3, &unused) != SW_OK)
        BUG("a stub is too far from its entry");
}
