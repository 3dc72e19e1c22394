/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of CUDA 2.0, whose device pointers and sizes have 32 bits. They need a context of CUDA 2.0, and a
 * 64-bit library makes none (cuCtxCreate, driver_older.c): each answers that there is no such context,
 * whatever its arguments are. So two H200s answered (tests/conform, "first_forms"). Like driver_proc.c this
 * file does not see cuda.h, which gives these names to later forms. */
#include "driver_refuse_priv.h"

#define FIRST(name)                                                                                          \
    __attribute__((visibility("default"))) unsigned name(void);                                              \
    unsigned name(void)                                                                                      \
    {                                                                                                        \
        return driver_first_form();                                                                          \
    }
FIRST(cuArray3DCreate)
FIRST(cuArray3DGetDescriptor)
FIRST(cuArrayCreate)
FIRST(cuArrayGetDescriptor)
FIRST(cuMemAlloc)
FIRST(cuMemAllocHost)
FIRST(cuMemAllocPitch)
FIRST(cuMemFree)
FIRST(cuMemGetAddressRange)
FIRST(cuMemGetInfo)
FIRST(cuMemHostGetDevicePointer)
FIRST(cuMemcpy2D)
FIRST(cuMemcpy2DAsync)
FIRST(cuMemcpy2DUnaligned)
FIRST(cuMemcpy3D)
FIRST(cuMemcpy3DAsync)
FIRST(cuMemcpyAtoA)
FIRST(cuMemcpyAtoD)
FIRST(cuMemcpyAtoH)
FIRST(cuMemcpyAtoHAsync)
FIRST(cuMemcpyDtoA)
FIRST(cuMemcpyDtoD)
FIRST(cuMemcpyDtoDAsync)
FIRST(cuMemcpyDtoH)
FIRST(cuMemcpyDtoHAsync)
FIRST(cuMemcpyHtoA)
FIRST(cuMemcpyHtoAAsync)
FIRST(cuMemcpyHtoD)
FIRST(cuMemcpyHtoDAsync)
FIRST(cuMemsetD16)
FIRST(cuMemsetD2D16)
FIRST(cuMemsetD2D32)
FIRST(cuMemsetD2D8)
FIRST(cuMemsetD32)
FIRST(cuMemsetD8)
FIRST(cuModuleGetGlobal)
FIRST(cuTexRefGetAddress)
FIRST(cuTexRefSetAddress)
FIRST(cuTexRefSetAddress2D)
