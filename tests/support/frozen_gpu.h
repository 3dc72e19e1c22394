/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs of tests that work figures out by hand, to be loaded by arch_gpu_load: frozen copies, which stay as
 * they are when a constant in gpus/ is fitted again. Tests that compare with a recording or a published
 * figure load the product's file by its name. */
#ifndef FROZEN_GPU_H
#define FROZEN_GPU_H

#define FROZEN_GPU(name) SW_SOURCE_DIR "/tests/support/gpus/" name ".ini"
#define TEST90           FROZEN_GPU("test90") /* as an H200 was */
#define TEST89           FROZEN_GPU("test89") /* as an RTX 4090 was */
#define TEST35           FROZEN_GPU("test35") /* as a K20X was */
#define TEST20           FROZEN_GPU("test20") /* as an M2090 was */

#endif
