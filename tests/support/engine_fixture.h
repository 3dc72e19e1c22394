/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the engine with the real compiler begin with: device memory, an engine, a module of a text.
 */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ENGINE_FIXTURE_LIBRARIES SW_BUILD_DIR "/lib"
struct engine_fixture {
    struct vmem *vmem;
    struct engine *engine;
    struct ptx_module *ptx;
    struct engine_module *module;
    dev_addr memory;
};

static inline bool engine_fixture_can_compile(void)
{
    return access(ENGINE_FIXTURE_LIBRARIES "/libsoftwarp-jit.so", R_OK) == 0;
}

/* bytes: of world->memory. false: this CPU lacks the instructions that config.isa asks for. */
static inline bool engine_fixture_open(struct engine_fixture *world, struct engine_config config,
                                       const char *text, uint64_t bytes)
{
    struct sw_error error = {0};
    assert_int_equal(vmem_new(&world->vmem, &error), SW_OK);
    config.vmem = world->vmem;
    if (!config.library_dir) config.library_dir = ENGINE_FIXTURE_LIBRARIES;
    if (engine_new(&config, &world->engine, &error) != SW_OK) {
        vmem_free_all(world->vmem);
        return false;
    }
    assert_int_equal(ptx_parse(text, strlen(text), "test", &world->ptx, &error), SW_OK);
    assert_int_equal(engine_module_new(world->engine, world->ptx, NULL, &world->module, &error), SW_OK);
    assert_int_equal(vmem_alloc(world->vmem, bytes, VMEM_DEVICE, 0, 0, 0, &world->memory), SW_OK);
    return true;
}

static inline void engine_fixture_close(struct engine_fixture *world)
{
    engine_module_free(world->module);
    engine_free(world->engine);
    ptx_module_free(world->ptx);
    vmem_free_all(world->vmem);
}

/* `tool`, which counts so many units of each access, whatever it is. */
#define ENGINE_FIXTURE_TOOL(asked_probes, units)                                                             \
    static uint64_t count_units(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,    \
                                uint32_t bytes, uint32_t kind)                                               \
    {                                                                                                        \
        (void)rules, (void)addr, (void)bytes, (void)kind;                                                    \
        return mask ? (units) : 0;                                                                           \
    }                                                                                                        \
    static uint64_t count_local(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,  \
                                uint32_t bytes)                                                              \
    {                                                                                                        \
        return count_units(rules, offset, mask, bytes, 0);                                                   \
    }                                                                                                        \
    static const struct event_tool tool = {                                                                  \
        .probes = (asked_probes),                                                                            \
        .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},                                       \
        .count = {                                                                                           \
            .global = count_units, .local = count_local, .shared = count_units, .constant = count_local}}
#endif
