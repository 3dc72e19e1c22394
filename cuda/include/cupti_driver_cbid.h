/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the driver API by their numbers in callbacks and activity records. Names and numbers: CUPTI 13.0. */
#ifndef CUPTI_DRIVER_CBID_H
#define CUPTI_DRIVER_CBID_H

/* CALL(name, number) for each, in the order of the numbers. */
#define CUPTI_DRIVER_CALLS_(CALL) \
    CALL(cuInit, 1) CALL(cuDriverGetVersion, 2) CALL(cuDeviceGet, 3) CALL(cuDeviceGetCount, 4)               \
    CALL(cuDeviceGetName, 5) CALL(cuDeviceComputeCapability, 6) CALL(cuDeviceTotalMem, 7)                    \
    CALL(cuDeviceGetProperties, 8) CALL(cuDeviceGetAttribute, 9) CALL(cuCtxCreate, 10)                       \
    CALL(cuCtxDestroy, 11) CALL(cuCtxAttach, 12) CALL(cuCtxDetach, 13) CALL(cuCtxPushCurrent, 14)            \
    CALL(cuCtxPopCurrent, 15) CALL(cuCtxGetDevice, 16) CALL(cuCtxSynchronize, 17) CALL(cuModuleLoad, 18)     \
    CALL(cuModuleLoadData, 19) CALL(cuModuleLoadDataEx, 20) CALL(cuModuleLoadFatBinary, 21)                  \
    CALL(cuModuleUnload, 22) CALL(cuModuleGetFunction, 23) CALL(cuModuleGetGlobal, 24)                       \
    CALL(cu64ModuleGetGlobal, 25) CALL(cuModuleGetTexRef, 26) CALL(cuMemGetInfo, 27)                         \
    CALL(cu64MemGetInfo, 28) CALL(cuMemAlloc, 29) CALL(cu64MemAlloc, 30) CALL(cuMemAllocPitch, 31)           \
    CALL(cu64MemAllocPitch, 32) CALL(cuMemFree, 33) CALL(cu64MemFree, 34) CALL(cuMemGetAddressRange, 35)     \
    CALL(cu64MemGetAddressRange, 36) CALL(cuMemAllocHost, 37) CALL(cuMemFreeHost, 38)                        \
    CALL(cuMemHostAlloc, 39) CALL(cuMemHostGetDevicePointer, 40) CALL(cu64MemHostGetDevicePointer, 41)       \
    CALL(cuMemHostGetFlags, 42) CALL(cuMemcpyHtoD, 43) CALL(cu64MemcpyHtoD, 44) CALL(cuMemcpyDtoH, 45)       \
    CALL(cu64MemcpyDtoH, 46) CALL(cuMemcpyDtoD, 47) CALL(cu64MemcpyDtoD, 48) CALL(cuMemcpyDtoA, 49)          \
    CALL(cu64MemcpyDtoA, 50) CALL(cuMemcpyAtoD, 51) CALL(cu64MemcpyAtoD, 52) CALL(cuMemcpyHtoA, 53)          \
    CALL(cuMemcpyAtoH, 54) CALL(cuMemcpyAtoA, 55) CALL(cuMemcpy2D, 56) CALL(cuMemcpy2DUnaligned, 57)         \
    CALL(cuMemcpy3D, 58) CALL(cu64Memcpy3D, 59) CALL(cuMemcpyHtoDAsync, 60) CALL(cu64MemcpyHtoDAsync, 61)    \
    CALL(cuMemcpyDtoHAsync, 62) CALL(cu64MemcpyDtoHAsync, 63) CALL(cuMemcpyDtoDAsync, 64)                    \
    CALL(cu64MemcpyDtoDAsync, 65) CALL(cuMemcpyHtoAAsync, 66) CALL(cuMemcpyAtoHAsync, 67)                    \
    CALL(cuMemcpy2DAsync, 68) CALL(cuMemcpy3DAsync, 69) CALL(cu64Memcpy3DAsync, 70) CALL(cuMemsetD8, 71)     \
    CALL(cu64MemsetD8, 72) CALL(cuMemsetD16, 73) CALL(cu64MemsetD16, 74) CALL(cuMemsetD32, 75)               \
    CALL(cu64MemsetD32, 76) CALL(cuMemsetD2D8, 77) CALL(cu64MemsetD2D8, 78) CALL(cuMemsetD2D16, 79)          \
    CALL(cu64MemsetD2D16, 80) CALL(cuMemsetD2D32, 81) CALL(cu64MemsetD2D32, 82)                              \
    CALL(cuFuncSetBlockShape, 83) CALL(cuFuncSetSharedSize, 84) CALL(cuFuncGetAttribute, 85)                 \
    CALL(cuFuncSetCacheConfig, 86) CALL(cuArrayCreate, 87) CALL(cuArrayGetDescriptor, 88)                    \
    CALL(cuArrayDestroy, 89) CALL(cuArray3DCreate, 90) CALL(cuArray3DGetDescriptor, 91)                      \
    CALL(cuTexRefCreate, 92) CALL(cuTexRefDestroy, 93) CALL(cuTexRefSetArray, 94)                            \
    CALL(cuTexRefSetAddress, 95) CALL(cu64TexRefSetAddress, 96) CALL(cuTexRefSetAddress2D, 97)               \
    CALL(cu64TexRefSetAddress2D, 98) CALL(cuTexRefSetFormat, 99) CALL(cuTexRefSetAddressMode, 100)           \
    CALL(cuTexRefSetFilterMode, 101) CALL(cuTexRefSetFlags, 102) CALL(cuTexRefGetAddress, 103)               \
    CALL(cu64TexRefGetAddress, 104) CALL(cuTexRefGetArray, 105) CALL(cuTexRefGetAddressMode, 106)            \
    CALL(cuTexRefGetFilterMode, 107) CALL(cuTexRefGetFormat, 108) CALL(cuTexRefGetFlags, 109)                \
    CALL(cuParamSetSize, 110) CALL(cuParamSeti, 111) CALL(cuParamSetf, 112) CALL(cuParamSetv, 113)           \
    CALL(cuParamSetTexRef, 114) CALL(cuLaunch, 115) CALL(cuLaunchGrid, 116) CALL(cuLaunchGridAsync, 117)     \
    CALL(cuEventCreate, 118) CALL(cuEventRecord, 119) CALL(cuEventQuery, 120) CALL(cuEventSynchronize, 121)  \
    CALL(cuEventDestroy, 122) CALL(cuEventElapsedTime, 123) CALL(cuStreamCreate, 124)                        \
    CALL(cuStreamQuery, 125) CALL(cuStreamSynchronize, 126) CALL(cuStreamDestroy, 127)                       \
    CALL(cuGraphicsUnregisterResource, 128) CALL(cuGraphicsSubResourceGetMappedArray, 129)                   \
    CALL(cuGraphicsResourceGetMappedPointer, 130) CALL(cu64GraphicsResourceGetMappedPointer, 131)            \
    CALL(cuGraphicsResourceSetMapFlags, 132) CALL(cuGraphicsMapResources, 133)                               \
    CALL(cuGraphicsUnmapResources, 134) CALL(cuGetExportTable, 135) CALL(cuCtxSetLimit, 136)                 \
    CALL(cuCtxGetLimit, 137) CALL(cuD3D10GetDevice, 138) CALL(cuD3D10CtxCreate, 139)                         \
    CALL(cuGraphicsD3D10RegisterResource, 140) CALL(cuD3D10RegisterResource, 141)                            \
    CALL(cuD3D10UnregisterResource, 142) CALL(cuD3D10MapResources, 143) CALL(cuD3D10UnmapResources, 144)     \
    CALL(cuD3D10ResourceSetMapFlags, 145) CALL(cuD3D10ResourceGetMappedArray, 146)                           \
    CALL(cuD3D10ResourceGetMappedPointer, 147) CALL(cuD3D10ResourceGetMappedSize, 148)                       \
    CALL(cuD3D10ResourceGetMappedPitch, 149) CALL(cuD3D10ResourceGetSurfaceDimensions, 150)                  \
    CALL(cuD3D11GetDevice, 151) CALL(cuD3D11CtxCreate, 152) CALL(cuGraphicsD3D11RegisterResource, 153)       \
    CALL(cuD3D9GetDevice, 154) CALL(cuD3D9CtxCreate, 155) CALL(cuGraphicsD3D9RegisterResource, 156)          \
    CALL(cuD3D9GetDirect3DDevice, 157) CALL(cuD3D9RegisterResource, 158)                                     \
    CALL(cuD3D9UnregisterResource, 159) CALL(cuD3D9MapResources, 160) CALL(cuD3D9UnmapResources, 161)        \
    CALL(cuD3D9ResourceSetMapFlags, 162) CALL(cuD3D9ResourceGetSurfaceDimensions, 163)                       \
    CALL(cuD3D9ResourceGetMappedArray, 164) CALL(cuD3D9ResourceGetMappedPointer, 165)                        \
    CALL(cuD3D9ResourceGetMappedSize, 166) CALL(cuD3D9ResourceGetMappedPitch, 167) CALL(cuD3D9Begin, 168)    \
    CALL(cuD3D9End, 169) CALL(cuD3D9RegisterVertexBuffer, 170) CALL(cuD3D9MapVertexBuffer, 171)              \
    CALL(cuD3D9UnmapVertexBuffer, 172) CALL(cuD3D9UnregisterVertexBuffer, 173) CALL(cuGLCtxCreate, 174)      \
    CALL(cuGraphicsGLRegisterBuffer, 175) CALL(cuGraphicsGLRegisterImage, 176) CALL(cuWGLGetDevice, 177)     \
    CALL(cuGLInit, 178) CALL(cuGLRegisterBufferObject, 179) CALL(cuGLMapBufferObject, 180)                   \
    CALL(cuGLUnmapBufferObject, 181) CALL(cuGLUnregisterBufferObject, 182)                                   \
    CALL(cuGLSetBufferObjectMapFlags, 183) CALL(cuGLMapBufferObjectAsync, 184)                               \
    CALL(cuGLUnmapBufferObjectAsync, 185) CALL(cuVDPAUGetDevice, 186) CALL(cuVDPAUCtxCreate, 187)            \
    CALL(cuGraphicsVDPAURegisterVideoSurface, 188) CALL(cuGraphicsVDPAURegisterOutputSurface, 189)           \
    CALL(cuModuleGetSurfRef, 190) CALL(cuSurfRefCreate, 191) CALL(cuSurfRefDestroy, 192)                     \
    CALL(cuSurfRefSetFormat, 193) CALL(cuSurfRefSetArray, 194) CALL(cuSurfRefGetFormat, 195)                 \
    CALL(cuSurfRefGetArray, 196) CALL(cu64DeviceTotalMem, 197) CALL(cu64D3D10ResourceGetMappedPointer, 198)  \
    CALL(cu64D3D10ResourceGetMappedSize, 199) CALL(cu64D3D10ResourceGetMappedPitch, 200)                     \
    CALL(cu64D3D10ResourceGetSurfaceDimensions, 201) CALL(cu64D3D9ResourceGetSurfaceDimensions, 202)         \
    CALL(cu64D3D9ResourceGetMappedPointer, 203) CALL(cu64D3D9ResourceGetMappedSize, 204)                     \
    CALL(cu64D3D9ResourceGetMappedPitch, 205) CALL(cu64D3D9MapVertexBuffer, 206)                             \
    CALL(cu64GLMapBufferObject, 207) CALL(cu64GLMapBufferObjectAsync, 208) CALL(cuD3D11GetDevices, 209)      \
    CALL(cuD3D11CtxCreateOnDevice, 210) CALL(cuD3D10GetDevices, 211) CALL(cuD3D10CtxCreateOnDevice, 212)     \
    CALL(cuD3D9GetDevices, 213) CALL(cuD3D9CtxCreateOnDevice, 214) CALL(cu64MemHostAlloc, 215)               \
    CALL(cuMemsetD8Async, 216) CALL(cu64MemsetD8Async, 217) CALL(cuMemsetD16Async, 218)                      \
    CALL(cu64MemsetD16Async, 219) CALL(cuMemsetD32Async, 220) CALL(cu64MemsetD32Async, 221)                  \
    CALL(cuMemsetD2D8Async, 222) CALL(cu64MemsetD2D8Async, 223) CALL(cuMemsetD2D16Async, 224)                \
    CALL(cu64MemsetD2D16Async, 225) CALL(cuMemsetD2D32Async, 226) CALL(cu64MemsetD2D32Async, 227)            \
    CALL(cu64ArrayCreate, 228) CALL(cu64ArrayGetDescriptor, 229) CALL(cu64Array3DCreate, 230)                \
    CALL(cu64Array3DGetDescriptor, 231) CALL(cu64Memcpy2D, 232) CALL(cu64Memcpy2DUnaligned, 233)             \
    CALL(cu64Memcpy2DAsync, 234) CALL(cuCtxCreate_v2, 235) CALL(cuD3D10CtxCreate_v2, 236)                    \
    CALL(cuD3D11CtxCreate_v2, 237) CALL(cuD3D9CtxCreate_v2, 238) CALL(cuGLCtxCreate_v2, 239)                 \
    CALL(cuVDPAUCtxCreate_v2, 240) CALL(cuModuleGetGlobal_v2, 241) CALL(cuMemGetInfo_v2, 242)                \
    CALL(cuMemAlloc_v2, 243) CALL(cuMemAllocPitch_v2, 244) CALL(cuMemFree_v2, 245)                           \
    CALL(cuMemGetAddressRange_v2, 246) CALL(cuMemHostGetDevicePointer_v2, 247) CALL(cuMemcpy_v2, 248)        \
    CALL(cuMemsetD8_v2, 249) CALL(cuMemsetD16_v2, 250) CALL(cuMemsetD32_v2, 251) CALL(cuMemsetD2D8_v2, 252)  \
    CALL(cuMemsetD2D16_v2, 253) CALL(cuMemsetD2D32_v2, 254) CALL(cuTexRefSetAddress_v2, 255)                 \
    CALL(cuTexRefSetAddress2D_v2, 256) CALL(cuTexRefGetAddress_v2, 257)                                      \
    CALL(cuGraphicsResourceGetMappedPointer_v2, 258) CALL(cuDeviceTotalMem_v2, 259)                          \
    CALL(cuD3D10ResourceGetMappedPointer_v2, 260) CALL(cuD3D10ResourceGetMappedSize_v2, 261)                 \
    CALL(cuD3D10ResourceGetMappedPitch_v2, 262) CALL(cuD3D10ResourceGetSurfaceDimensions_v2, 263)            \
    CALL(cuD3D9ResourceGetSurfaceDimensions_v2, 264) CALL(cuD3D9ResourceGetMappedPointer_v2, 265)            \
    CALL(cuD3D9ResourceGetMappedSize_v2, 266) CALL(cuD3D9ResourceGetMappedPitch_v2, 267)                     \
    CALL(cuD3D9MapVertexBuffer_v2, 268) CALL(cuGLMapBufferObject_v2, 269)                                    \
    CALL(cuGLMapBufferObjectAsync_v2, 270) CALL(cuMemHostAlloc_v2, 271) CALL(cuArrayCreate_v2, 272)          \
    CALL(cuArrayGetDescriptor_v2, 273) CALL(cuArray3DCreate_v2, 274) CALL(cuArray3DGetDescriptor_v2, 275)    \
    CALL(cuMemcpyHtoD_v2, 276) CALL(cuMemcpyHtoDAsync_v2, 277) CALL(cuMemcpyDtoH_v2, 278)                    \
    CALL(cuMemcpyDtoHAsync_v2, 279) CALL(cuMemcpyDtoD_v2, 280) CALL(cuMemcpyDtoDAsync_v2, 281)               \
    CALL(cuMemcpyAtoH_v2, 282) CALL(cuMemcpyAtoHAsync_v2, 283) CALL(cuMemcpyAtoD_v2, 284)                    \
    CALL(cuMemcpyDtoA_v2, 285) CALL(cuMemcpyAtoA_v2, 286) CALL(cuMemcpy2D_v2, 287)                           \
    CALL(cuMemcpy2DUnaligned_v2, 288) CALL(cuMemcpy2DAsync_v2, 289) CALL(cuMemcpy3D_v2, 290)                 \
    CALL(cuMemcpy3DAsync_v2, 291) CALL(cuMemcpyHtoA_v2, 292) CALL(cuMemcpyHtoAAsync_v2, 293)                 \
    CALL(cuMemAllocHost_v2, 294) CALL(cuStreamWaitEvent, 295) CALL(cuCtxGetApiVersion, 296)                  \
    CALL(cuD3D10GetDirect3DDevice, 297) CALL(cuD3D11GetDirect3DDevice, 298) CALL(cuCtxGetCacheConfig, 299)   \
    CALL(cuCtxSetCacheConfig, 300) CALL(cuMemHostRegister, 301) CALL(cuMemHostUnregister, 302)               \
    CALL(cuCtxSetCurrent, 303) CALL(cuCtxGetCurrent, 304) CALL(cuMemcpy, 305) CALL(cuMemcpyAsync, 306)       \
    CALL(cuLaunchKernel, 307) CALL(cuProfilerStart, 308) CALL(cuProfilerStop, 309)                           \
    CALL(cuPointerGetAttribute, 310) CALL(cuProfilerInitialize, 311) CALL(cuDeviceCanAccessPeer, 312)        \
    CALL(cuCtxEnablePeerAccess, 313) CALL(cuCtxDisablePeerAccess, 314) CALL(cuMemPeerRegister, 315)          \
    CALL(cuMemPeerUnregister, 316) CALL(cuMemPeerGetDevicePointer, 317) CALL(cuMemcpyPeer, 318)              \
    CALL(cuMemcpyPeerAsync, 319) CALL(cuMemcpy3DPeer, 320) CALL(cuMemcpy3DPeerAsync, 321)                    \
    CALL(cuCtxDestroy_v2, 322) CALL(cuCtxPushCurrent_v2, 323) CALL(cuCtxPopCurrent_v2, 324)                  \
    CALL(cuEventDestroy_v2, 325) CALL(cuStreamDestroy_v2, 326) CALL(cuTexRefSetAddress2D_v3, 327)            \
    CALL(cuIpcGetMemHandle, 328) CALL(cuIpcOpenMemHandle, 329) CALL(cuIpcCloseMemHandle, 330)                \
    CALL(cuDeviceGetByPCIBusId, 331) CALL(cuDeviceGetPCIBusId, 332) CALL(cuGLGetDevices, 333)                \
    CALL(cuIpcGetEventHandle, 334) CALL(cuIpcOpenEventHandle, 335) CALL(cuCtxSetSharedMemConfig, 336)        \
    CALL(cuCtxGetSharedMemConfig, 337) CALL(cuFuncSetSharedMemConfig, 338) CALL(cuTexObjectCreate, 339)      \
    CALL(cuTexObjectDestroy, 340) CALL(cuTexObjectGetResourceDesc, 341)                                      \
    CALL(cuTexObjectGetTextureDesc, 342) CALL(cuSurfObjectCreate, 343) CALL(cuSurfObjectDestroy, 344)        \
    CALL(cuSurfObjectGetResourceDesc, 345) CALL(cuStreamAddCallback, 346) CALL(cuMipmappedArrayCreate, 347)  \
    CALL(cuMipmappedArrayGetLevel, 348) CALL(cuMipmappedArrayDestroy, 349)                                   \
    CALL(cuTexRefSetMipmappedArray, 350) CALL(cuTexRefSetMipmapFilterMode, 351)                              \
    CALL(cuTexRefSetMipmapLevelBias, 352) CALL(cuTexRefSetMipmapLevelClamp, 353)                             \
    CALL(cuTexRefSetMaxAnisotropy, 354) CALL(cuTexRefGetMipmappedArray, 355)                                 \
    CALL(cuTexRefGetMipmapFilterMode, 356) CALL(cuTexRefGetMipmapLevelBias, 357)                             \
    CALL(cuTexRefGetMipmapLevelClamp, 358) CALL(cuTexRefGetMaxAnisotropy, 359)                               \
    CALL(cuGraphicsResourceGetMappedMipmappedArray, 360) CALL(cuTexObjectGetResourceViewDesc, 361)           \
    CALL(cuLinkCreate, 362) CALL(cuLinkAddData, 363) CALL(cuLinkAddFile, 364) CALL(cuLinkComplete, 365)      \
    CALL(cuLinkDestroy, 366) CALL(cuStreamCreateWithPriority, 367) CALL(cuStreamGetPriority, 368)            \
    CALL(cuStreamGetFlags, 369) CALL(cuCtxGetStreamPriorityRange, 370) CALL(cuMemAllocManaged, 371)          \
    CALL(cuGetErrorString, 372) CALL(cuGetErrorName, 373)                                                    \
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, 374) CALL(cuCompilePtx, 375) CALL(cuBinaryFree, 376)   \
    CALL(cuStreamAttachMemAsync, 377) CALL(cuPointerSetAttribute, 378) CALL(cuMemHostRegister_v2, 379)       \
    CALL(cuGraphicsResourceSetMapFlags_v2, 380) CALL(cuLinkCreate_v2, 381) CALL(cuLinkAddData_v2, 382)       \
    CALL(cuLinkAddFile_v2, 383) CALL(cuOccupancyMaxPotentialBlockSize, 384) CALL(cuGLGetDevices_v2, 385)     \
    CALL(cuDevicePrimaryCtxRetain, 386) CALL(cuDevicePrimaryCtxRelease, 387)                                 \
    CALL(cuDevicePrimaryCtxSetFlags, 388) CALL(cuDevicePrimaryCtxReset, 389)                                 \
    CALL(cuGraphicsEGLRegisterImage, 390) CALL(cuCtxGetFlags, 391) CALL(cuDevicePrimaryCtxGetState, 392)     \
    CALL(cuEGLStreamConsumerConnect, 393) CALL(cuEGLStreamConsumerDisconnect, 394)                           \
    CALL(cuEGLStreamConsumerAcquireFrame, 395) CALL(cuEGLStreamConsumerReleaseFrame, 396)                    \
    CALL(cuMemcpyHtoD_v2_ptds, 397) CALL(cuMemcpyDtoH_v2_ptds, 398) CALL(cuMemcpyDtoD_v2_ptds, 399)          \
    CALL(cuMemcpyDtoA_v2_ptds, 400) CALL(cuMemcpyAtoD_v2_ptds, 401) CALL(cuMemcpyHtoA_v2_ptds, 402)          \
    CALL(cuMemcpyAtoH_v2_ptds, 403) CALL(cuMemcpyAtoA_v2_ptds, 404) CALL(cuMemcpy2D_v2_ptds, 405)            \
    CALL(cuMemcpy2DUnaligned_v2_ptds, 406) CALL(cuMemcpy3D_v2_ptds, 407) CALL(cuMemcpy_ptds, 408)            \
    CALL(cuMemcpyPeer_ptds, 409) CALL(cuMemcpy3DPeer_ptds, 410) CALL(cuMemsetD8_v2_ptds, 411)                \
    CALL(cuMemsetD16_v2_ptds, 412) CALL(cuMemsetD32_v2_ptds, 413) CALL(cuMemsetD2D8_v2_ptds, 414)            \
    CALL(cuMemsetD2D16_v2_ptds, 415) CALL(cuMemsetD2D32_v2_ptds, 416)                                        \
    CALL(cuGLMapBufferObject_v2_ptds, 417) CALL(cuMemcpyAsync_ptsz, 418)                                     \
    CALL(cuMemcpyHtoAAsync_v2_ptsz, 419) CALL(cuMemcpyAtoHAsync_v2_ptsz, 420)                                \
    CALL(cuMemcpyHtoDAsync_v2_ptsz, 421) CALL(cuMemcpyDtoHAsync_v2_ptsz, 422)                                \
    CALL(cuMemcpyDtoDAsync_v2_ptsz, 423) CALL(cuMemcpy2DAsync_v2_ptsz, 424)                                  \
    CALL(cuMemcpy3DAsync_v2_ptsz, 425) CALL(cuMemcpyPeerAsync_ptsz, 426)                                     \
    CALL(cuMemcpy3DPeerAsync_ptsz, 427) CALL(cuMemsetD8Async_ptsz, 428) CALL(cuMemsetD16Async_ptsz, 429)     \
    CALL(cuMemsetD32Async_ptsz, 430) CALL(cuMemsetD2D8Async_ptsz, 431) CALL(cuMemsetD2D16Async_ptsz, 432)    \
    CALL(cuMemsetD2D32Async_ptsz, 433) CALL(cuStreamGetPriority_ptsz, 434) CALL(cuStreamGetFlags_ptsz, 435)  \
    CALL(cuStreamWaitEvent_ptsz, 436) CALL(cuStreamAddCallback_ptsz, 437)                                    \
    CALL(cuStreamAttachMemAsync_ptsz, 438) CALL(cuStreamQuery_ptsz, 439)                                     \
    CALL(cuStreamSynchronize_ptsz, 440) CALL(cuEventRecord_ptsz, 441) CALL(cuLaunchKernel_ptsz, 442)         \
    CALL(cuGraphicsMapResources_ptsz, 443) CALL(cuGraphicsUnmapResources_ptsz, 444)                          \
    CALL(cuGLMapBufferObjectAsync_v2_ptsz, 445) CALL(cuEGLStreamProducerConnect, 446)                        \
    CALL(cuEGLStreamProducerDisconnect, 447) CALL(cuEGLStreamProducerPresentFrame, 448)                      \
    CALL(cuGraphicsResourceGetMappedEglFrame, 449) CALL(cuPointerGetAttributes, 450)                         \
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 451)                                          \
    CALL(cuOccupancyMaxPotentialBlockSizeWithFlags, 452) CALL(cuEGLStreamProducerReturnFrame, 453)           \
    CALL(cuDeviceGetP2PAttribute, 454) CALL(cuTexRefSetBorderColor, 455) CALL(cuTexRefGetBorderColor, 456)   \
    CALL(cuMemAdvise, 457) CALL(cuStreamWaitValue32, 458) CALL(cuStreamWaitValue32_ptsz, 459)                \
    CALL(cuStreamWriteValue32, 460) CALL(cuStreamWriteValue32_ptsz, 461) CALL(cuStreamBatchMemOp, 462)       \
    CALL(cuStreamBatchMemOp_ptsz, 463) CALL(cuNVNbufferGetPointer, 464) CALL(cuNVNtextureGetArray, 465)      \
    CALL(cuNNSetAllocator, 466) CALL(cuMemPrefetchAsync, 467) CALL(cuMemPrefetchAsync_ptsz, 468)             \
    CALL(cuEventCreateFromNVNSync, 469) CALL(cuEGLStreamConsumerConnectWithFlags, 470)                       \
    CALL(cuMemRangeGetAttribute, 471) CALL(cuMemRangeGetAttributes, 472) CALL(cuStreamWaitValue64, 473)      \
    CALL(cuStreamWaitValue64_ptsz, 474) CALL(cuStreamWriteValue64, 475)                                      \
    CALL(cuStreamWriteValue64_ptsz, 476) CALL(cuLaunchCooperativeKernel, 477)                                \
    CALL(cuLaunchCooperativeKernel_ptsz, 478) CALL(cuEventCreateFromEGLSync, 479)                            \
    CALL(cuLaunchCooperativeKernelMultiDevice, 480) CALL(cuFuncSetAttribute, 481)                            \
    CALL(cuDeviceGetUuid, 482) CALL(cuStreamGetCtx, 483) CALL(cuStreamGetCtx_ptsz, 484)                      \
    CALL(cuImportExternalMemory, 485) CALL(cuExternalMemoryGetMappedBuffer, 486)                             \
    CALL(cuExternalMemoryGetMappedMipmappedArray, 487) CALL(cuDestroyExternalMemory, 488)                    \
    CALL(cuImportExternalSemaphore, 489) CALL(cuSignalExternalSemaphoresAsync, 490)                          \
    CALL(cuSignalExternalSemaphoresAsync_ptsz, 491) CALL(cuWaitExternalSemaphoresAsync, 492)                 \
    CALL(cuWaitExternalSemaphoresAsync_ptsz, 493) CALL(cuDestroyExternalSemaphore, 494)                      \
    CALL(cuStreamBeginCapture, 495) CALL(cuStreamBeginCapture_ptsz, 496) CALL(cuStreamEndCapture, 497)       \
    CALL(cuStreamEndCapture_ptsz, 498) CALL(cuStreamIsCapturing, 499) CALL(cuStreamIsCapturing_ptsz, 500)    \
    CALL(cuGraphCreate, 501) CALL(cuGraphAddKernelNode, 502) CALL(cuGraphKernelNodeGetParams, 503)           \
    CALL(cuGraphAddMemcpyNode, 504) CALL(cuGraphMemcpyNodeGetParams, 505) CALL(cuGraphAddMemsetNode, 506)    \
    CALL(cuGraphMemsetNodeGetParams, 507) CALL(cuGraphMemsetNodeSetParams, 508)                              \
    CALL(cuGraphNodeGetType, 509) CALL(cuGraphGetRootNodes, 510) CALL(cuGraphNodeGetDependencies, 511)       \
    CALL(cuGraphNodeGetDependentNodes, 512) CALL(cuGraphInstantiate, 513) CALL(cuGraphLaunch, 514)           \
    CALL(cuGraphLaunch_ptsz, 515) CALL(cuGraphExecDestroy, 516) CALL(cuGraphDestroy, 517)                    \
    CALL(cuGraphAddDependencies, 518) CALL(cuGraphRemoveDependencies, 519)                                   \
    CALL(cuGraphMemcpyNodeSetParams, 520) CALL(cuGraphKernelNodeSetParams, 521)                              \
    CALL(cuGraphDestroyNode, 522) CALL(cuGraphClone, 523) CALL(cuGraphNodeFindInClone, 524)                  \
    CALL(cuGraphAddChildGraphNode, 525) CALL(cuGraphAddEmptyNode, 526) CALL(cuLaunchHostFunc, 527)           \
    CALL(cuLaunchHostFunc_ptsz, 528) CALL(cuGraphChildGraphNodeGetGraph, 529) CALL(cuGraphAddHostNode, 530)  \
    CALL(cuGraphHostNodeGetParams, 531) CALL(cuDeviceGetLuid, 532) CALL(cuGraphHostNodeSetParams, 533)       \
    CALL(cuGraphGetNodes, 534) CALL(cuGraphGetEdges, 535) CALL(cuStreamGetCaptureInfo, 536)                  \
    CALL(cuStreamGetCaptureInfo_ptsz, 537) CALL(cuGraphExecKernelNodeSetParams, 538)                         \
    CALL(cuStreamBeginCapture_v2, 539) CALL(cuStreamBeginCapture_v2_ptsz, 540)                               \
    CALL(cuThreadExchangeStreamCaptureMode, 541) CALL(cuDeviceGetNvSciSyncAttributes, 542)                   \
    CALL(cuOccupancyAvailableDynamicSMemPerBlock, 543) CALL(cuDevicePrimaryCtxRelease_v2, 544)               \
    CALL(cuDevicePrimaryCtxReset_v2, 545) CALL(cuDevicePrimaryCtxSetFlags_v2, 546)                           \
    CALL(cuMemAddressReserve, 547) CALL(cuMemAddressFree, 548) CALL(cuMemCreate, 549)                        \
    CALL(cuMemRelease, 550) CALL(cuMemMap, 551) CALL(cuMemUnmap, 552) CALL(cuMemSetAccess, 553)              \
    CALL(cuMemExportToShareableHandle, 554) CALL(cuMemImportFromShareableHandle, 555)                        \
    CALL(cuMemGetAllocationGranularity, 556) CALL(cuMemGetAllocationPropertiesFromHandle, 557)               \
    CALL(cuMemGetAccess, 558) CALL(cuStreamSetFlags, 559) CALL(cuStreamSetFlags_ptsz, 560)                   \
    CALL(cuGraphExecUpdate, 561) CALL(cuGraphExecMemcpyNodeSetParams, 562)                                   \
    CALL(cuGraphExecMemsetNodeSetParams, 563) CALL(cuGraphExecHostNodeSetParams, 564)                        \
    CALL(cuMemRetainAllocationHandle, 565) CALL(cuFuncGetModule, 566) CALL(cuIpcOpenMemHandle_v2, 567)       \
    CALL(cuCtxResetPersistingL2Cache, 568) CALL(cuGraphKernelNodeCopyAttributes, 569)                        \
    CALL(cuGraphKernelNodeGetAttribute, 570) CALL(cuGraphKernelNodeSetAttribute, 571)                        \
    CALL(cuStreamCopyAttributes, 572) CALL(cuStreamCopyAttributes_ptsz, 573)                                 \
    CALL(cuStreamGetAttribute, 574) CALL(cuStreamGetAttribute_ptsz, 575) CALL(cuStreamSetAttribute, 576)     \
    CALL(cuStreamSetAttribute_ptsz, 577) CALL(cuGraphInstantiate_v2, 578)                                    \
    CALL(cuDeviceGetTexture1DLinearMaxWidth, 579) CALL(cuGraphUpload, 580) CALL(cuGraphUpload_ptsz, 581)     \
    CALL(cuArrayGetSparseProperties, 582) CALL(cuMipmappedArrayGetSparseProperties, 583)                     \
    CALL(cuMemMapArrayAsync, 584) CALL(cuMemMapArrayAsync_ptsz, 585)                                         \
    CALL(cuGraphExecChildGraphNodeSetParams, 586) CALL(cuEventRecordWithFlags, 587)                          \
    CALL(cuEventRecordWithFlags_ptsz, 588) CALL(cuGraphAddEventRecordNode, 589)                              \
    CALL(cuGraphAddEventWaitNode, 590) CALL(cuGraphEventRecordNodeGetEvent, 591)                             \
    CALL(cuGraphEventWaitNodeGetEvent, 592) CALL(cuGraphEventRecordNodeSetEvent, 593)                        \
    CALL(cuGraphEventWaitNodeSetEvent, 594) CALL(cuGraphExecEventRecordNodeSetEvent, 595)                    \
    CALL(cuGraphExecEventWaitNodeSetEvent, 596) CALL(cuArrayGetPlane, 597) CALL(cuMemAllocAsync, 598)        \
    CALL(cuMemAllocAsync_ptsz, 599) CALL(cuMemFreeAsync, 600) CALL(cuMemFreeAsync_ptsz, 601)                 \
    CALL(cuMemPoolTrimTo, 602) CALL(cuMemPoolSetAttribute, 603) CALL(cuMemPoolGetAttribute, 604)             \
    CALL(cuMemPoolSetAccess, 605) CALL(cuDeviceGetDefaultMemPool, 606) CALL(cuMemPoolCreate, 607)            \
    CALL(cuMemPoolDestroy, 608) CALL(cuDeviceSetMemPool, 609) CALL(cuDeviceGetMemPool, 610)                  \
    CALL(cuMemAllocFromPoolAsync, 611) CALL(cuMemAllocFromPoolAsync_ptsz, 612)                               \
    CALL(cuMemPoolExportToShareableHandle, 613) CALL(cuMemPoolImportFromShareableHandle, 614)                \
    CALL(cuMemPoolExportPointer, 615) CALL(cuMemPoolImportPointer, 616) CALL(cuMemPoolGetAccess, 617)        \
    CALL(cuGraphAddExternalSemaphoresSignalNode, 618)                                                        \
    CALL(cuGraphExternalSemaphoresSignalNodeGetParams, 619)                                                  \
    CALL(cuGraphExternalSemaphoresSignalNodeSetParams, 620) CALL(cuGraphAddExternalSemaphoresWaitNode, 621)  \
    CALL(cuGraphExternalSemaphoresWaitNodeGetParams, 622)                                                    \
    CALL(cuGraphExternalSemaphoresWaitNodeSetParams, 623)                                                    \
    CALL(cuGraphExecExternalSemaphoresSignalNodeSetParams, 624)                                              \
    CALL(cuGraphExecExternalSemaphoresWaitNodeSetParams, 625) CALL(cuGetProcAddress, 626)                    \
    CALL(cuFlushGPUDirectRDMAWrites, 627) CALL(cuGraphDebugDotPrint, 628)                                    \
    CALL(cuStreamGetCaptureInfo_v2, 629) CALL(cuStreamGetCaptureInfo_v2_ptsz, 630)                           \
    CALL(cuStreamUpdateCaptureDependencies, 631) CALL(cuStreamUpdateCaptureDependencies_ptsz, 632)           \
    CALL(cuUserObjectCreate, 633) CALL(cuUserObjectRetain, 634) CALL(cuUserObjectRelease, 635)               \
    CALL(cuGraphRetainUserObject, 636) CALL(cuGraphReleaseUserObject, 637)                                   \
    CALL(cuGraphAddMemAllocNode, 638) CALL(cuGraphAddMemFreeNode, 639) CALL(cuDeviceGraphMemTrim, 640)       \
    CALL(cuDeviceGetGraphMemAttribute, 641) CALL(cuDeviceSetGraphMemAttribute, 642)                          \
    CALL(cuGraphInstantiateWithFlags, 643) CALL(cuDeviceGetExecAffinitySupport, 644)                         \
    CALL(cuCtxCreate_v3, 645) CALL(cuCtxGetExecAffinity, 646) CALL(cuDeviceGetUuid_v2, 647)                  \
    CALL(cuGraphMemAllocNodeGetParams, 648) CALL(cuGraphMemFreeNodeGetParams, 649)                           \
    CALL(cuGraphNodeSetEnabled, 650) CALL(cuGraphNodeGetEnabled, 651) CALL(cuLaunchKernelEx, 652)            \
    CALL(cuLaunchKernelEx_ptsz, 653) CALL(cuArrayGetMemoryRequirements, 654)                                 \
    CALL(cuMipmappedArrayGetMemoryRequirements, 655) CALL(cuGraphInstantiateWithParams, 656)                 \
    CALL(cuGraphInstantiateWithParams_ptsz, 657) CALL(cuGraphExecGetFlags, 658)                              \
    CALL(cuStreamWaitValue32_v2, 659) CALL(cuStreamWaitValue32_v2_ptsz, 660)                                 \
    CALL(cuStreamWaitValue64_v2, 661) CALL(cuStreamWaitValue64_v2_ptsz, 662)                                 \
    CALL(cuStreamWriteValue32_v2, 663) CALL(cuStreamWriteValue32_v2_ptsz, 664)                               \
    CALL(cuStreamWriteValue64_v2, 665) CALL(cuStreamWriteValue64_v2_ptsz, 666)                               \
    CALL(cuStreamBatchMemOp_v2, 667) CALL(cuStreamBatchMemOp_v2_ptsz, 668)                                   \
    CALL(cuGraphAddBatchMemOpNode, 669) CALL(cuGraphBatchMemOpNodeGetParams, 670)                            \
    CALL(cuGraphBatchMemOpNodeSetParams, 671) CALL(cuGraphExecBatchMemOpNodeSetParams, 672)                  \
    CALL(cuModuleGetLoadingMode, 673) CALL(cuMemGetHandleForAddressRange, 674)                               \
    CALL(cuOccupancyMaxPotentialClusterSize, 675) CALL(cuOccupancyMaxActiveClusters, 676)                    \
    CALL(cuGetProcAddress_v2, 677) CALL(cuLibraryLoadData, 678) CALL(cuLibraryLoadFromFile, 679)             \
    CALL(cuLibraryUnload, 680) CALL(cuLibraryGetKernel, 681) CALL(cuLibraryGetModule, 682)                   \
    CALL(cuKernelGetFunction, 683) CALL(cuLibraryGetGlobal, 684) CALL(cuLibraryGetManaged, 685)              \
    CALL(cuKernelGetAttribute, 686) CALL(cuKernelSetAttribute, 687) CALL(cuKernelSetCacheConfig, 688)        \
    CALL(cuGraphAddKernelNode_v2, 689) CALL(cuGraphKernelNodeGetParams_v2, 690)                              \
    CALL(cuGraphKernelNodeSetParams_v2, 691) CALL(cuGraphExecKernelNodeSetParams_v2, 692)                    \
    CALL(cuStreamGetId, 693) CALL(cuStreamGetId_ptsz, 694) CALL(cuCtxGetId, 695)                             \
    CALL(cuGraphExecUpdate_v2, 696) CALL(cuTensorMapEncodeTiled, 697) CALL(cuTensorMapEncodeIm2col, 698)     \
    CALL(cuTensorMapReplaceAddress, 699) CALL(cuLibraryGetUnifiedFunction, 700)                              \
    CALL(cuCoredumpGetAttribute, 701) CALL(cuCoredumpGetAttributeGlobal, 702)                                \
    CALL(cuCoredumpSetAttribute, 703) CALL(cuCoredumpSetAttributeGlobal, 704) CALL(cuCtxSetFlags, 705)       \
    CALL(cuMulticastCreate, 706) CALL(cuMulticastAddDevice, 707) CALL(cuMulticastBindMem, 708)               \
    CALL(cuMulticastBindAddr, 709) CALL(cuMulticastUnbind, 710) CALL(cuMulticastGetGranularity, 711)         \
    CALL(cuGraphAddNode, 712) CALL(cuGraphNodeSetParams, 713) CALL(cuGraphExecNodeSetParams, 714)            \
    CALL(cuMemAdvise_v2, 715) CALL(cuMemPrefetchAsync_v2, 716) CALL(cuMemPrefetchAsync_v2_ptsz, 717)         \
    CALL(cuFuncGetName, 718) CALL(cuKernelGetName, 719) CALL(cuStreamBeginCaptureToGraph, 720)               \
    CALL(cuStreamBeginCaptureToGraph_ptsz, 721) CALL(cuGraphConditionalHandleCreate, 722)                    \
    CALL(cuGraphAddNode_v2, 723) CALL(cuGraphGetEdges_v2, 724) CALL(cuGraphNodeGetDependencies_v2, 725)      \
    CALL(cuGraphNodeGetDependentNodes_v2, 726) CALL(cuGraphAddDependencies_v2, 727)                          \
    CALL(cuGraphRemoveDependencies_v2, 728) CALL(cuStreamGetCaptureInfo_v3, 729)                             \
    CALL(cuStreamGetCaptureInfo_v3_ptsz, 730) CALL(cuStreamUpdateCaptureDependencies_v2, 731)                \
    CALL(cuStreamUpdateCaptureDependencies_v2_ptsz, 732) CALL(cuFuncGetParamInfo, 733)                       \
    CALL(cuKernelGetParamInfo, 734) CALL(cuDeviceRegisterAsyncNotification, 735)                             \
    CALL(cuDeviceUnregisterAsyncNotification, 736) CALL(cuModuleGetFunctionCount, 737)                       \
    CALL(cuModuleEnumerateFunctions, 738) CALL(cuLibraryGetKernelCount, 739)                                 \
    CALL(cuLibraryEnumerateKernels, 740) CALL(cuFuncIsLoaded, 741) CALL(cuFuncLoad, 742)                     \
    CALL(cuGreenCtxCreate, 743) CALL(cuGreenCtxDestroy, 744) CALL(cuDeviceGetDevResource, 745)               \
    CALL(cuCtxGetDevResource, 746) CALL(cuGreenCtxGetDevResource, 747) CALL(cuDevResourceGenerateDesc, 748)  \
    CALL(cuGreenCtxRecordEvent, 749) CALL(cuGreenCtxWaitEvent, 750) CALL(cuDevSmResourceSplitByCount, 751)   \
    CALL(cuStreamGetGreenCtx, 752) CALL(cuCtxFromGreenCtx, 753) CALL(cuKernelGetLibrary, 754)                \
    CALL(cuCtxRecordEvent, 755) CALL(cuCtxWaitEvent, 756) CALL(cuCtxCreate_v4, 757)                          \
    CALL(cuGreenCtxStreamCreate, 758) CALL(cuStreamGetCtx_v2, 759) CALL(cuStreamGetCtx_v2_ptsz, 760)         \
    CALL(cuMemBatchDecompressAsync, 761) CALL(cuMemBatchDecompressAsync_ptsz, 762)                           \
    CALL(cuLogsRegisterCallback, 763) CALL(cuLogsUnregisterCallback, 764) CALL(cuLogsCurrent, 765)           \
    CALL(cuLogsDumpToFile, 766) CALL(cuLogsDumpToMemory, 767)                                                \
    CALL(cuCheckpointProcessGetRestoreThreadId, 768) CALL(cuCheckpointProcessGetState, 769)                  \
    CALL(cuCheckpointProcessLock, 770) CALL(cuCheckpointProcessCheckpoint, 771)                              \
    CALL(cuCheckpointProcessRestore, 772) CALL(cuCheckpointProcessUnlock, 773) CALL(cuStreamGetDevice, 774)  \
    CALL(cuStreamGetDevice_ptsz, 775) CALL(cuMemcpyBatchAsync, 776) CALL(cuMemcpyBatchAsync_ptsz, 777)       \
    CALL(cuMemcpy3DBatchAsync, 778) CALL(cuMemcpy3DBatchAsync_ptsz, 779) CALL(cuEventElapsedTime_v2, 780)    \
    CALL(cuTensorMapEncodeIm2colWide, 781) CALL(cuGreenCtxGetId, 782)                                        \
    CALL(cuStreamCreateForCaptureToCig, 783) CALL(cuMemPrefetchBatchAsync, 784)                              \
    CALL(cuMemPrefetchBatchAsync_ptsz, 785) CALL(cuSemaphoreCreate, 786) CALL(cuSemaphoreExport, 787)        \
    CALL(cuSemaphoreDestroy, 788) CALL(cuMemDiscardBatchAsync, 789) CALL(cuMemDiscardBatchAsync_ptsz, 790)   \
    CALL(cuMemDiscardAndPrefetchBatchAsync, 791) CALL(cuMemDiscardAndPrefetchBatchAsync_ptsz, 792)           \
    CALL(cuMultiKernelCooperativeDomainCreate, 793) CALL(cuMultiKernelCooperativeDomainDestroy, 794)         \
    CALL(cuCtxGetDevice_v2, 795) CALL(cuMemcpyBatchAsync_v2, 796) CALL(cuMemcpyBatchAsync_v2_ptsz, 797)      \
    CALL(cuMemcpy3DBatchAsync_v2, 798) CALL(cuMemcpy3DBatchAsync_v2_ptsz, 799)                               \
    CALL(cuCtxSynchronize_v2, 800) CALL(cuMemGetDefaultMemPool, 801) CALL(cuMemGetMemPool, 802)              \
    CALL(cuMemSetMemPool, 803) CALL(cuDeviceGetP2PAtomicCapabilities, 804)                                   \
    CALL(cuDeviceGetHostAtomicCapabilities, 805) CALL(cuDriverGetGpuCodeIsaVersion, 806)                    

typedef enum CUpti_driver_api_trace_cbid_enum {
    CUPTI_DRIVER_TRACE_CBID_INVALID = 0,
#define CUPTI_CALL_(name, number) CUPTI_DRIVER_TRACE_CBID_##name = number,
    CUPTI_DRIVER_CALLS_(CUPTI_CALL_)
#undef CUPTI_CALL_
    CUPTI_DRIVER_TRACE_CBID_SIZE,
    CUPTI_DRIVER_TRACE_CBID_FORCE_INT = 0x7fffffff
} CUpti_driver_api_trace_cbid;
#endif
