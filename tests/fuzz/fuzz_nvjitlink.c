/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what nvJitLink links; the first byte says as which kind of input. */
#include "fuzz_input.h"

#include "nvJitLink.h"

#include <stdlib.h>

static void take_outputs(nvJitLinkHandle link)
{
    size_t bytes = 0;
    if (nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_SUCCESS) {
        char *cubin = sw_xmalloc(bytes + 1);
        (void)nvJitLinkGetLinkedCubin(link, cubin);
        free(cubin);
    }
    if (nvJitLinkGetErrorLogSize(link, &bytes) == NVJITLINK_SUCCESS) {
        char *log = sw_xmalloc(bytes + 1);
        (void)nvJitLinkGetErrorLog(link, log);
        free(log);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const nvJitLinkInputType TYPES[] = {
        NVJITLINK_INPUT_CUBIN,  NVJITLINK_INPUT_PTX,     NVJITLINK_INPUT_LTOIR, NVJITLINK_INPUT_FATBIN,
        NVJITLINK_INPUT_OBJECT, NVJITLINK_INPUT_LIBRARY, NVJITLINK_INPUT_INDEX, NVJITLINK_INPUT_ANY};
    const char *options[] = {"-arch=sm_90", "-verbose"};
    nvJitLinkHandle link;
    if (!bytes || nvJitLinkCreate(&link, 1 + data[0] / 128, options) != NVJITLINK_SUCCESS) return 0;
    nvJitLinkInputType type = TYPES[data[0] % SW_COUNT_OF(TYPES)];
    uint8_t *copy = (uint8_t *)fuzz_text(data + 1, bytes - 1);
    (void)nvJitLinkAddData(link, type, copy, bytes - 1, "input");
    (void)nvJitLinkComplete(link);
    free(copy);
    take_outputs(link);
    (void)nvJitLinkDestroy(&link);
    return 0;
}
