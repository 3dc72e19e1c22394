/* SPDX-License-Identifier: Apache-2.0 */
/* Read by clang alone, to learn the version of the CUDA folder it is given. 12.5 is the newest that clang 19 knows; it
 * decides the PTX version (8.5) and how host code launches kernels. The header that programs include is
 * cuda/include/cuda.h. */
#define CUDA_VERSION 12050
