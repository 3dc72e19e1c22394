/* SPDX-License-Identifier: Apache-2.0 */
/* If-conversion: which basic blocks merge because ptxas predicates what a branch skips. */
#include "event_code.h"
#include "sass_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { INSTRS = 16, BLOCKS = 5, LOAD = 0, SKIPPED = 2, BEHIND = 4 };
/* Block 0: a load, a jump over block 1 (a load, a store to shared memory) to block 2 (a jump over block 3 to
 * block 4); 3: a load; 4: a store. */
struct code {
    struct event_instr instrs[INSTRS];
    struct event_block blocks[BLOCKS];
    struct event_kernel kernel;
};

static void set(struct code *c, uint32_t at, uint32_t block, uint8_t cls, uint8_t space, const char *op)
{
    c->instrs[at] = (struct event_instr){.cls = cls,
                                         .space = space,
                                         .op = op,
                                         .text = op,
                                         .block = block,
                                         .guarded = cls == ISA_CLASS_BRANCH,
                                         .is_read = cls == ISA_CLASS_LOAD,
                                         .is_write = cls == ISA_CLASS_STORE};
    event_code_name(&c->instrs[at], 1);
}

static void make(struct code *c)
{
    *c = (struct code){0};
    set(c, LOAD, 0, ISA_CLASS_LOAD, ISA_SPACE_GLOBAL, "ld.global.f32");
    set(c, 1, 0, ISA_CLASS_BRANCH, ISA_SPACE_NONE, "bra");
    set(c, SKIPPED, 1, ISA_CLASS_LOAD, ISA_SPACE_GLOBAL, "ld.global.f32");
    set(c, 3, 1, ISA_CLASS_STORE, ISA_SPACE_SHARED, "st.shared.f32");
    set(c, BEHIND, 2, ISA_CLASS_ALU, ISA_SPACE_NONE, "setp.ne.s32");
    set(c, 5, 2, ISA_CLASS_BRANCH, ISA_SPACE_NONE, "bra");
    set(c, 6, 3, ISA_CLASS_LOAD, ISA_SPACE_GLOBAL, "ld.global.f32");
    set(c, 7, 4, ISA_CLASS_STORE, ISA_SPACE_GLOBAL, "st.global.f32");
    const uint32_t no = EVENT_NO_BLOCK;
    c->blocks[0] = (struct event_block){.first = 0, .count = 2, .before = {no, no}};
    c->blocks[1] = (struct event_block){.first = 2, .count = 2, .before = {0, no}};
    c->blocks[2] = (struct event_block){.first = 4, .count = 2, .before = {1, 0}};
    c->blocks[3] = (struct event_block){.first = 6, .count = 1, .before = {2, no}};
    c->blocks[4] = (struct event_block){.first = 7, .count = 1, .before = {3, 2}};
    c->kernel = (struct event_kernel){
        .name = "k", .instr_count = 8, .instrs = c->instrs, .block_count = BLOCKS, .blocks = c->blocks};
}

static uint32_t blocks_of(const struct code *c)
{
    struct event_kernel merged;
    sass_merge_blocks(&c->kernel, &merged);
    uint32_t count = merged.block_count, instrs = 0;
    for (uint32_t b = 0; b < count; b++) {
        assert_int_equal(merged.blocks[b].first, instrs);
        for (uint32_t i = 0; i < merged.blocks[b].count; i++)
            assert_int_equal(merged.instrs[instrs++].block, b);
    }
    assert_int_equal(instrs, c->kernel.instr_count);
    sass_merge_release(&merged);
    return count;
}

static void what_is_skipped_becomes_one_with_the_rest(void **state)
{
    (void)state;
    struct code c;
    struct event_kernel merged;
    struct sass_lower lower[INSTRS] = {
        [1] = {.kind = SASS_BRANCH, .other = 1}, [5] = {.kind = SASS_BRANCH, .other = 1}};
    make(&c);
    sass_merge_blocks(&c.kernel, &merged);
    assert_int_equal(merged.block_count, 1);
    assert_int_equal(merged.blocks[0].before[0], EVENT_NO_BLOCK);
    assert_true(merged.blocks[0].nounroll);
    sass_merge_branches(&merged, lower);
    assert_true(sass_slots(&lower[1]) == 0 && sass_slots(&lower[5]) == 0);
    sass_merge_release(&merged);
    assert_int_equal(blocks_of(&c), 1);
}

static void other_blocks_stay(void **state)
{
    (void)state;
    struct code c;
    make(&c);
    c.blocks[2].more_before = true; /* others jump there, too */
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    c.blocks[1].before[1] = 3; /* into what is skipped */
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    c.instrs[1].guarded = false;
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    set(&c, SKIPPED, 1, ISA_CLASS_ATOMIC, ISA_SPACE_GLOBAL, "atom.global.add.u32");
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    set(&c, SKIPPED, 1, ISA_CLASS_ALU, ISA_SPACE_NONE, "div.rn.f32");
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    for (uint32_t i = SKIPPED; i < BEHIND; i++) /* it only computes */
        set(&c, i, 1, ISA_CLASS_ALU, ISA_SPACE_NONE, "add.f32");
    assert_int_equal(blocks_of(&c), 3);
    make(&c);
    set(&c, LOAD, 0, ISA_CLASS_ALU, ISA_SPACE_NONE, "add.f32"); /* only what is skipped makes requests */
    assert_int_equal(blocks_of(&c), 3);
}

/* The back edge of a loop leads to the merged block that contains the loop's head. */
static void loops_go_back_to_the_whole(void **state)
{
    (void)state;
    struct code c;
    struct event_kernel merged;
    make(&c);
    c.blocks[0].before[0] = 2;
    set(&c, 6, 3, ISA_CLASS_CALL, ISA_SPACE_NONE, "call");
    sass_merge_blocks(&c.kernel, &merged);
    assert_int_equal(merged.block_count, 3);
    assert_int_equal(merged.blocks[0].before[0], 0);
    assert_int_equal(merged.blocks[2].before[0], 1);
    sass_merge_release(&merged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_skipped_becomes_one_with_the_rest),
                                       cmocka_unit_test(other_blocks_stay),
                                       cmocka_unit_test(loops_go_back_to_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
