/* SPDX-License-Identifier: Apache-2.0 */
/* Relocations of compiled objects, as far as a CPU has them: those that LLVM emits for position-independent
 * code. One file a CPU (engine_relocate_x86.c, engine_relocate_aarch64.c). */
#ifndef ENGINE_RELOCATE_H
#define ENGINE_RELOCATE_H

#include "base/base.h"

#include <stdbool.h>

struct engine_relocation {
    uint32_t type;
    uint8_t *at;
    uint64_t symbol; /* its address, or its stub's if engine_relocation_calls */
    int64_t addend;
    const uint8_t *entry; /* the symbol's in the table of absolute addresses */
};

enum { ENGINE_STUB_BYTES = 16 };
extern const uint16_t engine_relocate_machine; /* e_machine */

enum { ENGINE_RELOCATION_NONE = 0 }; /* of every CPU */
/* Bytes that it changes */
unsigned engine_relocation_bytes(uint32_t type);
/* May it lead to a stub? */
bool engine_relocation_calls(uint32_t type);
enum sw_status engine_relocate(const struct engine_relocation *relocation, struct sw_error *error);
/* A jump to the address in the table's entry */
void engine_relocate_stub(uint8_t *stub, const uint8_t *entry);
#endif
