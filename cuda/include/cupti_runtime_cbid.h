/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the runtime API by their numbers in callbacks and activity records. Names and numbers: CUPTI 13.0. */
#ifndef CUPTI_RUNTIME_CBID_H
#define CUPTI_RUNTIME_CBID_H

/* CALL(name, number) for each, in the order of the numbers. */
#define CUPTI_RUNTIME_CALLS_(CALL) \
    CALL(cudaDriverGetVersion_v3020, 1) CALL(cudaRuntimeGetVersion_v3020, 2)                                 \
    CALL(cudaGetDeviceCount_v3020, 3) CALL(cudaGetDeviceProperties_v3020, 4)                                 \
    CALL(cudaChooseDevice_v3020, 5) CALL(cudaGetChannelDesc_v3020, 6) CALL(cudaCreateChannelDesc_v3020, 7)   \
    CALL(cudaConfigureCall_v3020, 8) CALL(cudaSetupArgument_v3020, 9) CALL(cudaGetLastError_v3020, 10)       \
    CALL(cudaPeekAtLastError_v3020, 11) CALL(cudaGetErrorString_v3020, 12) CALL(cudaLaunch_v3020, 13)        \
    CALL(cudaFuncSetCacheConfig_v3020, 14) CALL(cudaFuncGetAttributes_v3020, 15)                             \
    CALL(cudaSetDevice_v3020, 16) CALL(cudaGetDevice_v3020, 17) CALL(cudaSetValidDevices_v3020, 18)          \
    CALL(cudaSetDeviceFlags_v3020, 19) CALL(cudaMalloc_v3020, 20) CALL(cudaMallocPitch_v3020, 21)            \
    CALL(cudaFree_v3020, 22) CALL(cudaMallocArray_v3020, 23) CALL(cudaFreeArray_v3020, 24)                   \
    CALL(cudaMallocHost_v3020, 25) CALL(cudaFreeHost_v3020, 26) CALL(cudaHostAlloc_v3020, 27)                \
    CALL(cudaHostGetDevicePointer_v3020, 28) CALL(cudaHostGetFlags_v3020, 29)                                \
    CALL(cudaMemGetInfo_v3020, 30) CALL(cudaMemcpy_v3020, 31) CALL(cudaMemcpy2D_v3020, 32)                   \
    CALL(cudaMemcpyToArray_v3020, 33) CALL(cudaMemcpy2DToArray_v3020, 34)                                    \
    CALL(cudaMemcpyFromArray_v3020, 35) CALL(cudaMemcpy2DFromArray_v3020, 36)                                \
    CALL(cudaMemcpyArrayToArray_v3020, 37) CALL(cudaMemcpy2DArrayToArray_v3020, 38)                          \
    CALL(cudaMemcpyToSymbol_v3020, 39) CALL(cudaMemcpyFromSymbol_v3020, 40) CALL(cudaMemcpyAsync_v3020, 41)  \
    CALL(cudaMemcpyToArrayAsync_v3020, 42) CALL(cudaMemcpyFromArrayAsync_v3020, 43)                          \
    CALL(cudaMemcpy2DAsync_v3020, 44) CALL(cudaMemcpy2DToArrayAsync_v3020, 45)                               \
    CALL(cudaMemcpy2DFromArrayAsync_v3020, 46) CALL(cudaMemcpyToSymbolAsync_v3020, 47)                       \
    CALL(cudaMemcpyFromSymbolAsync_v3020, 48) CALL(cudaMemset_v3020, 49) CALL(cudaMemset2D_v3020, 50)        \
    CALL(cudaMemsetAsync_v3020, 51) CALL(cudaMemset2DAsync_v3020, 52) CALL(cudaGetSymbolAddress_v3020, 53)   \
    CALL(cudaGetSymbolSize_v3020, 54) CALL(cudaBindTexture_v3020, 55) CALL(cudaBindTexture2D_v3020, 56)      \
    CALL(cudaBindTextureToArray_v3020, 57) CALL(cudaUnbindTexture_v3020, 58)                                 \
    CALL(cudaGetTextureAlignmentOffset_v3020, 59) CALL(cudaGetTextureReference_v3020, 60)                    \
    CALL(cudaBindSurfaceToArray_v3020, 61) CALL(cudaGetSurfaceReference_v3020, 62)                           \
    CALL(cudaGLSetGLDevice_v3020, 63) CALL(cudaGLRegisterBufferObject_v3020, 64)                             \
    CALL(cudaGLMapBufferObject_v3020, 65) CALL(cudaGLUnmapBufferObject_v3020, 66)                            \
    CALL(cudaGLUnregisterBufferObject_v3020, 67) CALL(cudaGLSetBufferObjectMapFlags_v3020, 68)               \
    CALL(cudaGLMapBufferObjectAsync_v3020, 69) CALL(cudaGLUnmapBufferObjectAsync_v3020, 70)                  \
    CALL(cudaWGLGetDevice_v3020, 71) CALL(cudaGraphicsGLRegisterImage_v3020, 72)                             \
    CALL(cudaGraphicsGLRegisterBuffer_v3020, 73) CALL(cudaGraphicsUnregisterResource_v3020, 74)              \
    CALL(cudaGraphicsResourceSetMapFlags_v3020, 75) CALL(cudaGraphicsMapResources_v3020, 76)                 \
    CALL(cudaGraphicsUnmapResources_v3020, 77) CALL(cudaGraphicsResourceGetMappedPointer_v3020, 78)          \
    CALL(cudaGraphicsSubResourceGetMappedArray_v3020, 79) CALL(cudaVDPAUGetDevice_v3020, 80)                 \
    CALL(cudaVDPAUSetVDPAUDevice_v3020, 81) CALL(cudaGraphicsVDPAURegisterVideoSurface_v3020, 82)            \
    CALL(cudaGraphicsVDPAURegisterOutputSurface_v3020, 83) CALL(cudaD3D11GetDevice_v3020, 84)                \
    CALL(cudaD3D11GetDevices_v3020, 85) CALL(cudaD3D11SetDirect3DDevice_v3020, 86)                           \
    CALL(cudaGraphicsD3D11RegisterResource_v3020, 87) CALL(cudaD3D10GetDevice_v3020, 88)                     \
    CALL(cudaD3D10GetDevices_v3020, 89) CALL(cudaD3D10SetDirect3DDevice_v3020, 90)                           \
    CALL(cudaGraphicsD3D10RegisterResource_v3020, 91) CALL(cudaD3D10RegisterResource_v3020, 92)              \
    CALL(cudaD3D10UnregisterResource_v3020, 93) CALL(cudaD3D10MapResources_v3020, 94)                        \
    CALL(cudaD3D10UnmapResources_v3020, 95) CALL(cudaD3D10ResourceSetMapFlags_v3020, 96)                     \
    CALL(cudaD3D10ResourceGetSurfaceDimensions_v3020, 97) CALL(cudaD3D10ResourceGetMappedArray_v3020, 98)    \
    CALL(cudaD3D10ResourceGetMappedPointer_v3020, 99) CALL(cudaD3D10ResourceGetMappedSize_v3020, 100)        \
    CALL(cudaD3D10ResourceGetMappedPitch_v3020, 101) CALL(cudaD3D9GetDevice_v3020, 102)                      \
    CALL(cudaD3D9GetDevices_v3020, 103) CALL(cudaD3D9SetDirect3DDevice_v3020, 104)                           \
    CALL(cudaD3D9GetDirect3DDevice_v3020, 105) CALL(cudaGraphicsD3D9RegisterResource_v3020, 106)             \
    CALL(cudaD3D9RegisterResource_v3020, 107) CALL(cudaD3D9UnregisterResource_v3020, 108)                    \
    CALL(cudaD3D9MapResources_v3020, 109) CALL(cudaD3D9UnmapResources_v3020, 110)                            \
    CALL(cudaD3D9ResourceSetMapFlags_v3020, 111) CALL(cudaD3D9ResourceGetSurfaceDimensions_v3020, 112)       \
    CALL(cudaD3D9ResourceGetMappedArray_v3020, 113) CALL(cudaD3D9ResourceGetMappedPointer_v3020, 114)        \
    CALL(cudaD3D9ResourceGetMappedSize_v3020, 115) CALL(cudaD3D9ResourceGetMappedPitch_v3020, 116)           \
    CALL(cudaD3D9Begin_v3020, 117) CALL(cudaD3D9End_v3020, 118)                                              \
    CALL(cudaD3D9RegisterVertexBuffer_v3020, 119) CALL(cudaD3D9UnregisterVertexBuffer_v3020, 120)            \
    CALL(cudaD3D9MapVertexBuffer_v3020, 121) CALL(cudaD3D9UnmapVertexBuffer_v3020, 122)                      \
    CALL(cudaThreadExit_v3020, 123) CALL(cudaSetDoubleForDevice_v3020, 124)                                  \
    CALL(cudaSetDoubleForHost_v3020, 125) CALL(cudaThreadSynchronize_v3020, 126)                             \
    CALL(cudaThreadGetLimit_v3020, 127) CALL(cudaThreadSetLimit_v3020, 128)                                  \
    CALL(cudaStreamCreate_v3020, 129) CALL(cudaStreamDestroy_v3020, 130)                                     \
    CALL(cudaStreamSynchronize_v3020, 131) CALL(cudaStreamQuery_v3020, 132)                                  \
    CALL(cudaEventCreate_v3020, 133) CALL(cudaEventCreateWithFlags_v3020, 134)                               \
    CALL(cudaEventRecord_v3020, 135) CALL(cudaEventDestroy_v3020, 136)                                       \
    CALL(cudaEventSynchronize_v3020, 137) CALL(cudaEventQuery_v3020, 138)                                    \
    CALL(cudaEventElapsedTime_v3020, 139) CALL(cudaMalloc3D_v3020, 140) CALL(cudaMalloc3DArray_v3020, 141)   \
    CALL(cudaMemset3D_v3020, 142) CALL(cudaMemset3DAsync_v3020, 143) CALL(cudaMemcpy3D_v3020, 144)           \
    CALL(cudaMemcpy3DAsync_v3020, 145) CALL(cudaThreadSetCacheConfig_v3020, 146)                             \
    CALL(cudaStreamWaitEvent_v3020, 147) CALL(cudaD3D11GetDirect3DDevice_v3020, 148)                         \
    CALL(cudaD3D10GetDirect3DDevice_v3020, 149) CALL(cudaThreadGetCacheConfig_v3020, 150)                    \
    CALL(cudaPointerGetAttributes_v4000, 151) CALL(cudaHostRegister_v4000, 152)                              \
    CALL(cudaHostUnregister_v4000, 153) CALL(cudaDeviceCanAccessPeer_v4000, 154)                             \
    CALL(cudaDeviceEnablePeerAccess_v4000, 155) CALL(cudaDeviceDisablePeerAccess_v4000, 156)                 \
    CALL(cudaPeerRegister_v4000, 157) CALL(cudaPeerUnregister_v4000, 158)                                    \
    CALL(cudaPeerGetDevicePointer_v4000, 159) CALL(cudaMemcpyPeer_v4000, 160)                                \
    CALL(cudaMemcpyPeerAsync_v4000, 161) CALL(cudaMemcpy3DPeer_v4000, 162)                                   \
    CALL(cudaMemcpy3DPeerAsync_v4000, 163) CALL(cudaDeviceReset_v3020, 164)                                  \
    CALL(cudaDeviceSynchronize_v3020, 165) CALL(cudaDeviceGetLimit_v3020, 166)                               \
    CALL(cudaDeviceSetLimit_v3020, 167) CALL(cudaDeviceGetCacheConfig_v3020, 168)                            \
    CALL(cudaDeviceSetCacheConfig_v3020, 169) CALL(cudaProfilerInitialize_v4000, 170)                        \
    CALL(cudaProfilerStart_v4000, 171) CALL(cudaProfilerStop_v4000, 172)                                     \
    CALL(cudaDeviceGetByPCIBusId_v4010, 173) CALL(cudaDeviceGetPCIBusId_v4010, 174)                          \
    CALL(cudaGLGetDevices_v4010, 175) CALL(cudaIpcGetEventHandle_v4010, 176)                                 \
    CALL(cudaIpcOpenEventHandle_v4010, 177) CALL(cudaIpcGetMemHandle_v4010, 178)                             \
    CALL(cudaIpcOpenMemHandle_v4010, 179) CALL(cudaIpcCloseMemHandle_v4010, 180)                             \
    CALL(cudaArrayGetInfo_v4010, 181) CALL(cudaFuncSetSharedMemConfig_v4020, 182)                            \
    CALL(cudaDeviceGetSharedMemConfig_v4020, 183) CALL(cudaDeviceSetSharedMemConfig_v4020, 184)              \
    CALL(cudaCreateTextureObject_v5000, 185) CALL(cudaDestroyTextureObject_v5000, 186)                       \
    CALL(cudaGetTextureObjectResourceDesc_v5000, 187) CALL(cudaGetTextureObjectTextureDesc_v5000, 188)       \
    CALL(cudaCreateSurfaceObject_v5000, 189) CALL(cudaDestroySurfaceObject_v5000, 190)                       \
    CALL(cudaGetSurfaceObjectResourceDesc_v5000, 191) CALL(cudaMallocMipmappedArray_v5000, 192)              \
    CALL(cudaGetMipmappedArrayLevel_v5000, 193) CALL(cudaFreeMipmappedArray_v5000, 194)                      \
    CALL(cudaBindTextureToMipmappedArray_v5000, 195)                                                         \
    CALL(cudaGraphicsResourceGetMappedMipmappedArray_v5000, 196) CALL(cudaStreamAddCallback_v5000, 197)      \
    CALL(cudaStreamCreateWithFlags_v5000, 198) CALL(cudaGetTextureObjectResourceViewDesc_v5000, 199)         \
    CALL(cudaDeviceGetAttribute_v5000, 200) CALL(cudaStreamDestroy_v5050, 201)                               \
    CALL(cudaStreamCreateWithPriority_v5050, 202) CALL(cudaStreamGetPriority_v5050, 203)                     \
    CALL(cudaStreamGetFlags_v5050, 204) CALL(cudaDeviceGetStreamPriorityRange_v5050, 205)                    \
    CALL(cudaMallocManaged_v6000, 206) CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6000, 207)        \
    CALL(cudaStreamAttachMemAsync_v6000, 208) CALL(cudaGetErrorName_v6050, 209)                              \
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6050, 210) CALL(cudaLaunchKernel_v7000, 211)         \
    CALL(cudaGetDeviceFlags_v7000, 212) CALL(cudaLaunch_ptsz_v7000, 213)                                     \
    CALL(cudaLaunchKernel_ptsz_v7000, 214) CALL(cudaMemcpy_ptds_v7000, 215)                                  \
    CALL(cudaMemcpy2D_ptds_v7000, 216) CALL(cudaMemcpyToArray_ptds_v7000, 217)                               \
    CALL(cudaMemcpy2DToArray_ptds_v7000, 218) CALL(cudaMemcpyFromArray_ptds_v7000, 219)                      \
    CALL(cudaMemcpy2DFromArray_ptds_v7000, 220) CALL(cudaMemcpyArrayToArray_ptds_v7000, 221)                 \
    CALL(cudaMemcpy2DArrayToArray_ptds_v7000, 222) CALL(cudaMemcpyToSymbol_ptds_v7000, 223)                  \
    CALL(cudaMemcpyFromSymbol_ptds_v7000, 224) CALL(cudaMemcpyAsync_ptsz_v7000, 225)                         \
    CALL(cudaMemcpyToArrayAsync_ptsz_v7000, 226) CALL(cudaMemcpyFromArrayAsync_ptsz_v7000, 227)              \
    CALL(cudaMemcpy2DAsync_ptsz_v7000, 228) CALL(cudaMemcpy2DToArrayAsync_ptsz_v7000, 229)                   \
    CALL(cudaMemcpy2DFromArrayAsync_ptsz_v7000, 230) CALL(cudaMemcpyToSymbolAsync_ptsz_v7000, 231)           \
    CALL(cudaMemcpyFromSymbolAsync_ptsz_v7000, 232) CALL(cudaMemset_ptds_v7000, 233)                         \
    CALL(cudaMemset2D_ptds_v7000, 234) CALL(cudaMemsetAsync_ptsz_v7000, 235)                                 \
    CALL(cudaMemset2DAsync_ptsz_v7000, 236) CALL(cudaStreamGetPriority_ptsz_v7000, 237)                      \
    CALL(cudaStreamGetFlags_ptsz_v7000, 238) CALL(cudaStreamSynchronize_ptsz_v7000, 239)                     \
    CALL(cudaStreamQuery_ptsz_v7000, 240) CALL(cudaStreamAttachMemAsync_ptsz_v7000, 241)                     \
    CALL(cudaEventRecord_ptsz_v7000, 242) CALL(cudaMemset3D_ptds_v7000, 243)                                 \
    CALL(cudaMemset3DAsync_ptsz_v7000, 244) CALL(cudaMemcpy3D_ptds_v7000, 245)                               \
    CALL(cudaMemcpy3DAsync_ptsz_v7000, 246) CALL(cudaStreamWaitEvent_ptsz_v7000, 247)                        \
    CALL(cudaStreamAddCallback_ptsz_v7000, 248) CALL(cudaMemcpy3DPeer_ptds_v7000, 249)                       \
    CALL(cudaMemcpy3DPeerAsync_ptsz_v7000, 250)                                                              \
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000, 251)                                  \
    CALL(cudaMemPrefetchAsync_v8000, 252) CALL(cudaMemPrefetchAsync_ptsz_v8000, 253)                         \
    CALL(cudaMemAdvise_v8000, 254) CALL(cudaDeviceGetP2PAttribute_v8000, 255)                                \
    CALL(cudaGraphicsEGLRegisterImage_v7000, 256) CALL(cudaEGLStreamConsumerConnect_v7000, 257)              \
    CALL(cudaEGLStreamConsumerDisconnect_v7000, 258) CALL(cudaEGLStreamConsumerAcquireFrame_v7000, 259)      \
    CALL(cudaEGLStreamConsumerReleaseFrame_v7000, 260) CALL(cudaEGLStreamProducerConnect_v7000, 261)         \
    CALL(cudaEGLStreamProducerDisconnect_v7000, 262) CALL(cudaEGLStreamProducerPresentFrame_v7000, 263)      \
    CALL(cudaEGLStreamProducerReturnFrame_v7000, 264)                                                        \
    CALL(cudaGraphicsResourceGetMappedEglFrame_v7000, 265) CALL(cudaMemRangeGetAttribute_v8000, 266)         \
    CALL(cudaMemRangeGetAttributes_v8000, 267) CALL(cudaEGLStreamConsumerConnectWithFlags_v7000, 268)        \
    CALL(cudaLaunchCooperativeKernel_v9000, 269) CALL(cudaLaunchCooperativeKernel_ptsz_v9000, 270)           \
    CALL(cudaEventCreateFromEGLSync_v9000, 271) CALL(cudaLaunchCooperativeKernelMultiDevice_v9000, 272)      \
    CALL(cudaFuncSetAttribute_v9000, 273) CALL(cudaImportExternalMemory_v10000, 274)                         \
    CALL(cudaExternalMemoryGetMappedBuffer_v10000, 275)                                                      \
    CALL(cudaExternalMemoryGetMappedMipmappedArray_v10000, 276) CALL(cudaDestroyExternalMemory_v10000, 277)  \
    CALL(cudaImportExternalSemaphore_v10000, 278) CALL(cudaSignalExternalSemaphoresAsync_v10000, 279)        \
    CALL(cudaSignalExternalSemaphoresAsync_ptsz_v10000, 280)                                                 \
    CALL(cudaWaitExternalSemaphoresAsync_v10000, 281)                                                        \
    CALL(cudaWaitExternalSemaphoresAsync_ptsz_v10000, 282) CALL(cudaDestroyExternalSemaphore_v10000, 283)    \
    CALL(cudaLaunchHostFunc_v10000, 284) CALL(cudaLaunchHostFunc_ptsz_v10000, 285)                           \
    CALL(cudaGraphCreate_v10000, 286) CALL(cudaGraphKernelNodeGetParams_v10000, 287)                         \
    CALL(cudaGraphKernelNodeSetParams_v10000, 288) CALL(cudaGraphAddKernelNode_v10000, 289)                  \
    CALL(cudaGraphAddMemcpyNode_v10000, 290) CALL(cudaGraphMemcpyNodeGetParams_v10000, 291)                  \
    CALL(cudaGraphMemcpyNodeSetParams_v10000, 292) CALL(cudaGraphAddMemsetNode_v10000, 293)                  \
    CALL(cudaGraphMemsetNodeGetParams_v10000, 294) CALL(cudaGraphMemsetNodeSetParams_v10000, 295)            \
    CALL(cudaGraphAddHostNode_v10000, 296) CALL(cudaGraphHostNodeGetParams_v10000, 297)                      \
    CALL(cudaGraphAddChildGraphNode_v10000, 298) CALL(cudaGraphChildGraphNodeGetGraph_v10000, 299)           \
    CALL(cudaGraphAddEmptyNode_v10000, 300) CALL(cudaGraphClone_v10000, 301)                                 \
    CALL(cudaGraphNodeFindInClone_v10000, 302) CALL(cudaGraphNodeGetType_v10000, 303)                        \
    CALL(cudaGraphGetRootNodes_v10000, 304) CALL(cudaGraphNodeGetDependencies_v10000, 305)                   \
    CALL(cudaGraphNodeGetDependentNodes_v10000, 306) CALL(cudaGraphAddDependencies_v10000, 307)              \
    CALL(cudaGraphRemoveDependencies_v10000, 308) CALL(cudaGraphDestroyNode_v10000, 309)                     \
    CALL(cudaGraphInstantiate_v10000, 310) CALL(cudaGraphLaunch_v10000, 311)                                 \
    CALL(cudaGraphLaunch_ptsz_v10000, 312) CALL(cudaGraphExecDestroy_v10000, 313)                            \
    CALL(cudaGraphDestroy_v10000, 314) CALL(cudaStreamBeginCapture_v10000, 315)                              \
    CALL(cudaStreamBeginCapture_ptsz_v10000, 316) CALL(cudaStreamIsCapturing_v10000, 317)                    \
    CALL(cudaStreamIsCapturing_ptsz_v10000, 318) CALL(cudaStreamEndCapture_v10000, 319)                      \
    CALL(cudaStreamEndCapture_ptsz_v10000, 320) CALL(cudaGraphHostNodeSetParams_v10000, 321)                 \
    CALL(cudaGraphGetNodes_v10000, 322) CALL(cudaGraphGetEdges_v10000, 323)                                  \
    CALL(cudaStreamGetCaptureInfo_v10010, 324) CALL(cudaStreamGetCaptureInfo_ptsz_v10010, 325)               \
    CALL(cudaGraphExecKernelNodeSetParams_v10010, 326)                                                       \
    CALL(cudaThreadExchangeStreamCaptureMode_v10010, 327)                                                    \
    CALL(cudaDeviceGetNvSciSyncAttributes_v10020, 328)                                                       \
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock_v10200, 329) CALL(cudaStreamSetFlags_v10200, 330)         \
    CALL(cudaStreamSetFlags_ptsz_v10200, 331) CALL(cudaGraphExecMemcpyNodeSetParams_v10020, 332)             \
    CALL(cudaGraphExecMemsetNodeSetParams_v10020, 333) CALL(cudaGraphExecHostNodeSetParams_v10020, 334)      \
    CALL(cudaGraphExecUpdate_v10020, 335) CALL(cudaGetFuncBySymbol_v11000, 336)                              \
    CALL(cudaCtxResetPersistingL2Cache_v11000, 337) CALL(cudaGraphKernelNodeCopyAttributes_v11000, 338)      \
    CALL(cudaGraphKernelNodeGetAttribute_v11000, 339) CALL(cudaGraphKernelNodeSetAttribute_v11000, 340)      \
    CALL(cudaStreamCopyAttributes_v11000, 341) CALL(cudaStreamCopyAttributes_ptsz_v11000, 342)               \
    CALL(cudaStreamGetAttribute_v11000, 343) CALL(cudaStreamGetAttribute_ptsz_v11000, 344)                   \
    CALL(cudaStreamSetAttribute_v11000, 345) CALL(cudaStreamSetAttribute_ptsz_v11000, 346)                   \
    CALL(cudaDeviceGetTexture1DLinearMaxWidth_v11010, 347) CALL(cudaGraphUpload_v10000, 348)                 \
    CALL(cudaGraphUpload_ptsz_v10000, 349) CALL(cudaGraphAddMemcpyNodeToSymbol_v11010, 350)                  \
    CALL(cudaGraphAddMemcpyNodeFromSymbol_v11010, 351) CALL(cudaGraphAddMemcpyNode1D_v11010, 352)            \
    CALL(cudaGraphMemcpyNodeSetParamsToSymbol_v11010, 353)                                                   \
    CALL(cudaGraphMemcpyNodeSetParamsFromSymbol_v11010, 354)                                                 \
    CALL(cudaGraphMemcpyNodeSetParams1D_v11010, 355)                                                         \
    CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol_v11010, 356)                                               \
    CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol_v11010, 357)                                             \
    CALL(cudaGraphExecMemcpyNodeSetParams1D_v11010, 358) CALL(cudaArrayGetSparseProperties_v11010, 359)      \
    CALL(cudaMipmappedArrayGetSparseProperties_v11010, 360)                                                  \
    CALL(cudaGraphExecChildGraphNodeSetParams_v11010, 361) CALL(cudaGraphAddEventRecordNode_v11010, 362)     \
    CALL(cudaGraphEventRecordNodeGetEvent_v11010, 363) CALL(cudaGraphEventRecordNodeSetEvent_v11010, 364)    \
    CALL(cudaGraphAddEventWaitNode_v11010, 365) CALL(cudaGraphEventWaitNodeGetEvent_v11010, 366)             \
    CALL(cudaGraphEventWaitNodeSetEvent_v11010, 367) CALL(cudaGraphExecEventRecordNodeSetEvent_v11010, 368)  \
    CALL(cudaGraphExecEventWaitNodeSetEvent_v11010, 369) CALL(cudaEventRecordWithFlags_v11010, 370)          \
    CALL(cudaEventRecordWithFlags_ptsz_v11010, 371) CALL(cudaDeviceGetDefaultMemPool_v11020, 372)            \
    CALL(cudaMallocAsync_v11020, 373) CALL(cudaMallocAsync_ptsz_v11020, 374)                                 \
    CALL(cudaFreeAsync_v11020, 375) CALL(cudaFreeAsync_ptsz_v11020, 376)                                     \
    CALL(cudaMemPoolTrimTo_v11020, 377) CALL(cudaMemPoolSetAttribute_v11020, 378)                            \
    CALL(cudaMemPoolGetAttribute_v11020, 379) CALL(cudaMemPoolSetAccess_v11020, 380)                         \
    CALL(cudaArrayGetPlane_v11020, 381) CALL(cudaMemPoolGetAccess_v11020, 382)                               \
    CALL(cudaMemPoolCreate_v11020, 383) CALL(cudaMemPoolDestroy_v11020, 384)                                 \
    CALL(cudaDeviceSetMemPool_v11020, 385) CALL(cudaDeviceGetMemPool_v11020, 386)                            \
    CALL(cudaMemPoolExportToShareableHandle_v11020, 387)                                                     \
    CALL(cudaMemPoolImportFromShareableHandle_v11020, 388) CALL(cudaMemPoolExportPointer_v11020, 389)        \
    CALL(cudaMemPoolImportPointer_v11020, 390) CALL(cudaMallocFromPoolAsync_v11020, 391)                     \
    CALL(cudaMallocFromPoolAsync_ptsz_v11020, 392) CALL(cudaSignalExternalSemaphoresAsync_v11020, 393)       \
    CALL(cudaSignalExternalSemaphoresAsync_ptsz_v11020, 394)                                                 \
    CALL(cudaWaitExternalSemaphoresAsync_v11020, 395)                                                        \
    CALL(cudaWaitExternalSemaphoresAsync_ptsz_v11020, 396)                                                   \
    CALL(cudaGraphAddExternalSemaphoresSignalNode_v11020, 397)                                               \
    CALL(cudaGraphExternalSemaphoresSignalNodeGetParams_v11020, 398)                                         \
    CALL(cudaGraphExternalSemaphoresSignalNodeSetParams_v11020, 399)                                         \
    CALL(cudaGraphAddExternalSemaphoresWaitNode_v11020, 400)                                                 \
    CALL(cudaGraphExternalSemaphoresWaitNodeGetParams_v11020, 401)                                           \
    CALL(cudaGraphExternalSemaphoresWaitNodeSetParams_v11020, 402)                                           \
    CALL(cudaGraphExecExternalSemaphoresSignalNodeSetParams_v11020, 403)                                     \
    CALL(cudaGraphExecExternalSemaphoresWaitNodeSetParams_v11020, 404)                                       \
    CALL(cudaDeviceFlushGPUDirectRDMAWrites_v11030, 405) CALL(cudaGetDriverEntryPoint_v11030, 406)           \
    CALL(cudaGetDriverEntryPoint_ptsz_v11030, 407) CALL(cudaGraphDebugDotPrint_v11030, 408)                  \
    CALL(cudaStreamGetCaptureInfo_v2_v11030, 409) CALL(cudaStreamGetCaptureInfo_v2_ptsz_v11030, 410)         \
    CALL(cudaStreamUpdateCaptureDependencies_v11030, 411)                                                    \
    CALL(cudaStreamUpdateCaptureDependencies_ptsz_v11030, 412) CALL(cudaUserObjectCreate_v11030, 413)        \
    CALL(cudaUserObjectRetain_v11030, 414) CALL(cudaUserObjectRelease_v11030, 415)                           \
    CALL(cudaGraphRetainUserObject_v11030, 416) CALL(cudaGraphReleaseUserObject_v11030, 417)                 \
    CALL(cudaGraphInstantiateWithFlags_v11040, 418) CALL(cudaGraphAddMemAllocNode_v11040, 419)               \
    CALL(cudaGraphMemAllocNodeGetParams_v11040, 420) CALL(cudaGraphAddMemFreeNode_v11040, 421)               \
    CALL(cudaGraphMemFreeNodeGetParams_v11040, 422) CALL(cudaDeviceGraphMemTrim_v11040, 423)                 \
    CALL(cudaDeviceGetGraphMemAttribute_v11040, 424) CALL(cudaDeviceSetGraphMemAttribute_v11040, 425)        \
    CALL(cudaGraphNodeSetEnabled_v11060, 426) CALL(cudaGraphNodeGetEnabled_v11060, 427)                      \
    CALL(cudaArrayGetMemoryRequirements_v11060, 428)                                                         \
    CALL(cudaMipmappedArrayGetMemoryRequirements_v11060, 429) CALL(cudaLaunchKernelExC_v11060, 430)          \
    CALL(cudaLaunchKernelExC_ptsz_v11060, 431) CALL(cudaOccupancyMaxPotentialClusterSize_v11070, 432)        \
    CALL(cudaOccupancyMaxActiveClusters_v11070, 433) CALL(cudaCreateTextureObject_v2_v11080, 434)            \
    CALL(cudaGetTextureObjectTextureDesc_v2_v11080, 435) CALL(cudaGraphInstantiateWithParams_v12000, 436)    \
    CALL(cudaGraphInstantiateWithParams_ptsz_v12000, 437) CALL(cudaGraphExecGetFlags_v12000, 438)            \
    CALL(cudaGetKernel_v12000, 439) CALL(cudaGetDeviceProperties_v12000, 440)                                \
    CALL(cudaStreamGetId_v12000, 441) CALL(cudaStreamGetId_ptsz_v12000, 442)                                 \
    CALL(cudaGraphInstantiate_v12000, 443) CALL(cudaInitDevice_v12000, 444)                                  \
    CALL(cudaGraphAddNode_v12020, 445) CALL(cudaGraphNodeSetParams_v12020, 446)                              \
    CALL(cudaGraphExecNodeSetParams_v12020, 447) CALL(cudaMemAdvise_v12020, 448)                             \
    CALL(cudaMemPrefetchAsync_v12020, 449) CALL(cudaMemPrefetchAsync_ptsz_v12020, 450)                       \
    CALL(cudaFuncGetName_v12030, 451) CALL(cudaStreamBeginCaptureToGraph_v12030, 452)                        \
    CALL(cudaStreamBeginCaptureToGraph_ptsz_v12030, 453) CALL(cudaGraphConditionalHandleCreate_v12030, 454)  \
    CALL(cudaGraphGetEdges_v12030, 455) CALL(cudaGraphNodeGetDependencies_v12030, 456)                       \
    CALL(cudaGraphNodeGetDependentNodes_v12030, 457) CALL(cudaGraphAddDependencies_v12030, 458)              \
    CALL(cudaGraphRemoveDependencies_v12030, 459) CALL(cudaGraphAddNode_v12030, 460)                         \
    CALL(cudaStreamGetCaptureInfo_v12030, 461) CALL(cudaStreamGetCaptureInfo_ptsz_v12030, 462)               \
    CALL(cudaStreamUpdateCaptureDependencies_v12030, 463)                                                    \
    CALL(cudaStreamUpdateCaptureDependencies_ptsz_v12030, 464)                                               \
    CALL(cudaDeviceRegisterAsyncNotification_v12040, 465)                                                    \
    CALL(cudaDeviceUnregisterAsyncNotification_v12040, 466) CALL(cudaFuncGetParamInfo_v12040, 467)           \
    CALL(cudaGetDriverEntryPointByVersion_v12050, 468)                                                       \
    CALL(cudaGetDriverEntryPointByVersion_ptsz_v12050, 469) CALL(cudaLibraryLoadData_v12060, 470)            \
    CALL(cudaLibraryLoadFromFile_v12060, 471) CALL(cudaLibraryUnload_v12060, 472)                            \
    CALL(cudaLibraryGetKernel_v12060, 473) CALL(cudaLibraryGetGlobal_v12060, 474)                            \
    CALL(cudaLibraryGetManaged_v12060, 475) CALL(cudaLibraryGetUnifiedFunction_v12060, 476)                  \
    CALL(cudaLibraryGetKernelCount_v12060, 477) CALL(cudaLibraryEnumerateKernels_v12060, 478)                \
    CALL(cudaKernelSetAttributeForDevice_v12060, 479) CALL(cudaStreamGetDevice_v12080, 480)                  \
    CALL(cudaStreamGetDevice_ptsz_v12080, 481) CALL(cudaMemcpyBatchAsync_v12080, 482)                        \
    CALL(cudaMemcpyBatchAsync_ptsz_v12080, 483) CALL(cudaMemcpy3DBatchAsync_v12080, 484)                     \
    CALL(cudaMemcpy3DBatchAsync_ptsz_v12080, 485) CALL(cudaEventElapsedTime_v12080, 486)                     \
    CALL(cudaMemPrefetchBatchAsync_v13000, 487) CALL(cudaMemPrefetchBatchAsync_ptsz_v13000, 488)             \
    CALL(cudaMemDiscardBatchAsync_v13000, 489) CALL(cudaMemDiscardBatchAsync_ptsz_v13000, 490)               \
    CALL(cudaMemDiscardAndPrefetchBatchAsync_v13000, 491)                                                    \
    CALL(cudaMemDiscardAndPrefetchBatchAsync_ptsz_v13000, 492) CALL(cudaGetExportTable_v13000, 493)          \
    CALL(__cudaRegisterFatBinary_v13000, 494) CALL(__cudaRegisterFatBinaryEnd_v13000, 495)                   \
    CALL(__cudaUnregisterFatBinary_v13000, 496) CALL(__cudaRegisterVar_v13000, 497)                          \
    CALL(__cudaRegisterHostVar_v13000, 498) CALL(__cudaRegisterFunction_v13000, 499)                         \
    CALL(__cudaRegisterManagedVar_v13000, 500) CALL(__cudaInitModule_v13000, 501)                            \
    CALL(__cudaPushCallConfiguration_v13000, 502) CALL(__cudaPopCallConfiguration_v13000, 503)               \
    CALL(__cudaGetKernel_v13000, 504) CALL(__cudaLaunchKernel_v13000, 505)                                   \
    CALL(__cudaLaunchKernel_ptsz_v13000, 506) CALL(__cudaRegisterUnifiedTable_v13000, 507)                   \
    CALL(__cudaGetProcAddress_v13000, 508) CALL(cudaMemcpyBatchAsync_v13000, 509)                            \
    CALL(cudaMemcpyBatchAsync_ptsz_v13000, 510) CALL(cudaMemcpy3DBatchAsync_v13000, 511)                     \
    CALL(cudaMemcpy3DBatchAsync_ptsz_v13000, 512) CALL(cudaLogsRegisterCallback_v13000, 513)                 \
    CALL(cudaLogsUnregisterCallback_v13000, 514) CALL(cudaLogsCurrent_v13000, 515)                           \
    CALL(cudaLogsDumpToFile_v13000, 516) CALL(cudaLogsDumpToMemory_v13000, 517)                              \
    CALL(cudaMemGetDefaultMemPool_v13000, 518) CALL(cudaMemGetMemPool_v13000, 519)                           \
    CALL(cudaMemSetMemPool_v13000, 520) CALL(cudaDeviceGetHostAtomicCapabilities_v13000, 521)                \
    CALL(cudaDeviceGetP2PAtomicCapabilities_v13000, 522)                                                    

typedef enum CUpti_runtime_api_trace_cbid_enum {
    CUPTI_RUNTIME_TRACE_CBID_INVALID = 0,
#define CUPTI_CALL_(name, number) CUPTI_RUNTIME_TRACE_CBID_##name = number,
    CUPTI_RUNTIME_CALLS_(CUPTI_CALL_)
#undef CUPTI_CALL_
    CUPTI_RUNTIME_TRACE_CBID_SIZE,
    CUPTI_RUNTIME_TRACE_CBID_FORCE_INT = 0x7fffffff
} CUpti_runtime_api_trace_cbid;
#endif
