/* SPDX-License-Identifier: Apache-2.0 */
/* Any texts as SOFTWARP_DEVICE, CUDA_DEVICE_ORDER and CUDA_VISIBLE_DEVICES: a line each. */
#include "fuzz_input.h"

#include "arch/arch_machine.h"

#include <stdlib.h>
#include <string.h>

static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end) *end = 0;
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct arch_device devices[ARCH_DEVICES];
    char *text = fuzz_text(data, bytes), *at = text;
    char *list = next_line(&at), *order = next_line(&at), *visible = next_line(&at);
    uint32_t count, chosen[ARCH_DEVICES];
    struct sw_error error;
    if (arch_machine_load(list, devices, &count, &error) == SW_OK) {
        uint32_t left = arch_machine_visible(devices, count, order, visible, chosen);
        for (uint32_t i = 0; left != ARCH_VISIBLE_TWICE && i < left; i++)
            if (chosen[i] >= count) BUG("device %u of %u", chosen[i], count);
    }
    free(text);
    return 0;
}
