/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: print where results differ from a GPU's, using the bits that forms_record wrote beside the
 * digests. Method: the file is read whole; each difference is printed with its inputs. Limits: the file has
 * only the chunks that differed when it was recorded. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>

enum { SPAN = FORMS_THREADS / FORMS_CHUNKS };

struct bits {
    uint32_t form, slots, chunks;
    uint64_t *at;
    struct bits *next;
};
static struct bits *all;

void forms_bits_read(const char *path)
{
    uint32_t head[3];
    FILE *file = fopen(path, "rb");
    if (!file) return;
    while (fread(head, sizeof head, 1, file) == 1) {
        struct bits *bits = malloc(sizeof *bits);
        size_t count = (size_t)head[1] * (size_t)__builtin_popcount(head[2]) * SPAN;
        if (!bits) abort();
        *bits = (struct bits){head[0], head[1], head[2], malloc(count * 8 + 8), all};
        if (!bits->at || fread(bits->at, 8, count, file) != count) abort();
        all = bits;
    }
    fclose(file);
}

static void print_inputs(const struct form *form, uint32_t thread)
{
    unsigned input = 0;
    for (unsigned i = 0; i < form->reg_count; i++)
        if (form->regs[i].role == FORMS_IN)
            printf(" %s=%llx", form->regs[i].name,
                   (unsigned long long)forms_input(form->regs[i].type->kind, input++ % FORMS_SLOTS, thread));
    for (unsigned w = 0; w < form->cell_bytes / 8; w++)
        printf(" m%u=%llx", w,
               (unsigned long long)forms_input(form->cell_type->kind, (4 + w) % FORMS_SLOTS, thread));
}

void forms_bits_explain(const struct form *form, const uint64_t *got, unsigned most)
{
    const struct bits *bits = all;
    unsigned differ = 0, index = 0;
    while (bits && bits->form != form->index)
        bits = bits->next;
    if (!bits) return;
    for (unsigned slot = 0; slot < bits->slots; slot++)
        for (unsigned chunk = 0; chunk < FORMS_CHUNKS; chunk++) {
            if (!(bits->chunks >> chunk & 1)) continue;
            for (unsigned i = 0; i < SPAN; i++) {
                uint32_t thread = chunk * SPAN + i;
                uint64_t ours = got[(size_t)slot * FORMS_THREADS + thread],
                         theirs = bits->at[(size_t)index * SPAN + i];
                if (ours == theirs || differ++ >= most) continue;
                printf("    slot %u thread %u:", slot, thread);
                print_inputs(form, thread);
                printf(": ours %llx, hardware %llx\n", (unsigned long long)ours, (unsigned long long)theirs);
            }
            index++;
        }
    printf("    %u values differ\n", differ);
}
