/* SPDX-License-Identifier: Apache-2.0 */
/* For the programs of this folder: a failed check says where and ends the program with 1. */
#ifndef API_CHECK_H
#define API_CHECK_H

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)
#define OK(call)                                                                                             \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != cudaSuccess) {                                                                         \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(error_));             \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)
#define FAILS(expected, call)                                                                                \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != (expected)) {                                                                          \
            std::printf("%s:%d: %s: %s instead of %s\n", __FILE__, __LINE__, #call,                          \
                        cudaGetErrorName(error_), #expected);                                                \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)
#endif
