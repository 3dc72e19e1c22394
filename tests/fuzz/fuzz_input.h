/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzz targets share: inputs as files, for readers that take paths. Paths live until the next call. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
/* Mutators of targets whose inputs have checksums or lengths; libFuzzer calls the former and has the latter.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most);

const char *fuzz_file(const uint8_t *data, size_t bytes); /* in memory, executable */
/* A file of this name in a folder of this process's own; returns the folder. */
const char *fuzz_folder(const char *name, const uint8_t *data, size_t bytes);
/* A text of the input, with a NUL behind it; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t bytes);
/* Inputs that were read, and not refused at their beginning: of a target that counts them, replay's
 * --accepted says how many of a corpus must be, since one that an older version wrote tests nothing. */
extern unsigned fuzz_accepted;
#endif
