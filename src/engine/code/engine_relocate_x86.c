/* SPDX-License-Identifier: Apache-2.0 */
/* engine_relocate.h for x86-64 (System V ABI, AMD64 supplement, 4.4). */
#include "engine_relocate.h"

#include <elf.h>
#include <string.h>

const uint16_t engine_relocate_machine = EM_X86_64;

unsigned engine_relocation_bytes(uint32_t type)
{
    return type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
}

bool engine_relocation_calls(uint32_t type)
{
    return type == R_X86_64_PLT32 || type == R_X86_64_PC32;
}

static enum sw_status store32(uint8_t *at, int64_t value, bool is_signed, struct sw_error *error)
{
    if (is_signed ? value != (int32_t)value : value != (int64_t)(uint32_t)value)
        return sw_fail(error, SW_CORRUPT, "compiled object is damaged: relocation out of range");
    uint32_t field = (uint32_t)value;
    memcpy(at, &field, sizeof field);
    return SW_OK;
}

enum sw_status engine_relocate(const struct engine_relocation *relocation, struct sw_error *error)
{
    uint8_t *at = relocation->at;
    int64_t here = (int64_t)(uintptr_t)at, value = (int64_t)relocation->symbol + relocation->addend;
    switch (relocation->type) {
    case R_X86_64_64: memcpy(at, &value, sizeof value); return SW_OK;
    case R_X86_64_PC64:
        value -= here;
        memcpy(at, &value, sizeof value);
        return SW_OK;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: return store32(at, value - here, true, error);
    case R_X86_64_32: return store32(at, value, false, error);
    case R_X86_64_32S: return store32(at, value, true, error);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return store32(at, (int64_t)(uintptr_t)relocation->entry + relocation->addend - here, true, error);
    default:
        return sw_fail(error, SW_UNSUPPORTED, "compiled object has relocation type %u", relocation->type);
    }
}

/* jmp *entry(%rip) */
void engine_relocate_stub(uint8_t *stub, const uint8_t *entry)
{
    int32_t distance = (int32_t)(entry - (stub + 6));
    memcpy(stub, (const uint8_t[]){0xff, 0x25}, 2);
    memcpy(stub + 2, &distance, 4);
}
