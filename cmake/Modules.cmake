# The modules. Order: a module only uses modules above it.
sw_module(base)
sw_module(isa USES base)
sw_module(event USES base isa)
sw_module(arch USES base)
sw_module(fatbin USES base)
sw_module(ptx USES base isa)
sw_module(vmem USES base)
sw_module(race USES base)
sw_module(cache USES base)
sw_module(report USES base)
sw_module(compare USES base)
sw_module(jit USES base isa ptx event) # jit.h, jit_abi.h: what the engine and the compiler hand to each other
sw_module(jit/op USES base isa arch ptx event jit)
sw_module(jit/core USES base isa ptx event jit jit/op)
sw_module(jit/analysis USES base isa ptx event jit jit/op jit/core)
sw_module(jit/value USES base isa ptx event jit jit/op jit/core jit/analysis)
sw_module(jit/probe USES base isa ptx event jit jit/op jit/core jit/analysis jit/value)
sw_module(jit/emit USES base isa ptx event jit jit/op jit/core jit/analysis jit/value jit/probe)
sw_module(jit/control USES base isa ptx event jit jit/op jit/core jit/analysis jit/value jit/probe jit/emit)
sw_module(jit/compile USES base isa ptx event jit jit/op jit/core jit/analysis jit/value jit/probe jit/emit jit/control)
sw_module(engine USES base isa ptx event vmem HEADERS_OF jit) # engine.h: what the engine offers
# The engine: modules in the same order. libsoftwarp-jit.so is opened when something must be compiled.
sw_module(engine/core USES base isa arch ptx event vmem engine HEADERS_OF jit)
sw_module(engine/code USES base isa arch ptx event vmem cache engine engine/core HEADERS_OF jit)
sw_module(engine/record USES base isa arch ptx event vmem engine engine/core HEADERS_OF jit)
sw_module(engine/shadow USES base isa arch ptx event vmem race engine engine/core HEADERS_OF jit)
sw_module(engine/matrix USES base isa arch ptx event vmem race engine engine/core engine/record engine/shadow HEADERS_OF jit)
sw_module(engine/texture USES base isa arch ptx event vmem engine engine/core engine/record HEADERS_OF jit)
sw_module(engine/helpers USES base isa arch ptx event vmem race engine engine/core engine/record engine/matrix engine/texture engine/shadow HEADERS_OF jit)
sw_module(engine/run USES base isa arch ptx event vmem engine engine/core engine/code engine/record engine/shadow engine/helpers HEADERS_OF jit)
set(engine_modules core code record shadow matrix texture helpers run)
if(TARGET sw_engine_run)
  add_library(sw_engine INTERFACE) # all of it, for those who use engine
  target_link_libraries(sw_engine INTERFACE sw_engine_run)
endif()
sw_module(model USES base) # model_time.h: what timing tells the replay
sw_module(model/access USES base isa arch event)
sw_module(model/cache USES base isa arch event model model/access)
sw_module(model/sample USES base isa arch event model model/access model/cache)
sw_module(model/sm USES base isa arch event model model/access model/cache model/sample)
sw_module(sass USES base isa arch event)
sw_module(clock USES base isa arch event)
sw_module(timing USES base isa arch event model sass clock)
sw_module(prof USES base isa arch event report) # prof.h
sw_module(prof/metrics USES base isa arch event model/access timing clock report prof)
sw_module(prof/advice USES base isa arch event model/access timing clock report prof prof/metrics)
sw_module(prof/pages USES base isa arch event model/access timing clock report prof prof/metrics prof/advice)
set(prof_modules metrics advice pages)
if(TARGET sw_prof_pages)
  add_library(sw_prof INTERFACE)
  target_link_libraries(sw_prof INTERFACE sw_prof_pages)
endif()
# The CUDA driver API, libcuda.so.1: modules in the same order. driver/api connects what lower ones call in higher ones.
sw_module(driver/core USES base isa arch ptx event vmem engine HEADERS_OF jit)
sw_module(driver/memory USES base isa arch ptx event vmem engine driver/core HEADERS_OF jit)
sw_module(driver/clock USES base isa arch ptx event vmem engine driver/core driver/memory HEADERS_OF jit)
sw_module(driver/stream USES base isa arch ptx event vmem engine driver/core driver/memory driver/clock HEADERS_OF jit)
sw_module(driver/texture USES base isa arch ptx event vmem engine driver/core driver/memory driver/stream HEADERS_OF jit)
sw_module(driver/copy USES base isa arch ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/texture HEADERS_OF jit)
sw_module(driver/module USES base isa arch fatbin ptx event vmem engine driver/core driver/memory driver/stream driver/texture HEADERS_OF jit)
sw_module(driver/launch USES base isa arch fatbin ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/module HEADERS_OF jit)
sw_module(driver/graph USES base isa arch fatbin ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/copy driver/module driver/launch HEADERS_OF jit)
sw_module(driver/cdp USES base isa arch fatbin ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/module driver/launch driver/graph HEADERS_OF jit)
sw_module(driver/alloc USES base isa arch ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/launch driver/graph HEADERS_OF jit)
sw_module(driver/context USES base isa arch fatbin ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/module HEADERS_OF jit)
sw_module(driver/api USES base isa arch ptx event vmem engine driver/core driver/memory driver/clock driver/stream driver/texture driver/copy driver/module driver/launch driver/graph driver/cdp driver/alloc driver/context HEADERS_OF jit) # driver_proc.c names every function of the API
sw_module(embed USES base isa arch ptx event vmem engine model/access HEADERS_OF jit) # include/softwarp
# runtime/ is built twice: the two majors of the runtime library differ in one file.
sw_module(runtime USES base isa event EXCEPT runtime_abi12.c)
sw_module(runtime12 FOLDER runtime USES base isa event EXCEPT runtime_abi13.c)
sw_module(nvml USES base arch)
# Libraries that stand in for NVIDIA's: on the public driver API, with event_routine.h for what they queue.
sw_module(blas USES base)
sw_module(routine USES base isa event)
set(stand_ins cublas cublaslt cufft cufftw curand cusparse cusolver nccl cupti) # modules of these libraries
sw_module(cublas USES base isa event blas routine)
sw_module(cublaslt USES base isa event blas routine)
sw_module(fft USES base)
sw_module(cufft USES base isa event blas fft routine)
sw_module(cufftw USES base isa event routine cufft)
sw_module(random USES base arch)
sw_module(curand USES base isa event random routine)
sw_module(sparse USES base blas)
sw_module(cusparse USES base isa event blas sparse routine)
sw_module(cusolver USES base isa event blas routine)
sw_module(nccl USES base isa event blas routine)
sw_module(nvtx USES base isa event)
sw_module(audit USES base)
sw_module(cupti USES base isa event routine) # no work of the device: records and callbacks of a profiler in the process
sw_module(session USES base isa arch event model model/access model/sample model/sm timing clock prof report)
sw_module(toolchain USES base isa arch fatbin ptx)
# Compilers as libraries; no work of the device. Built twice, as runtime/.
sw_module(nvrtc USES base toolchain EXCEPT nvrtc_abi12.c)
sw_module(nvrtc12 FOLDER nvrtc USES base toolchain EXCEPT nvrtc_abi13.c)
sw_module(nvjitlink USES base isa fatbin ptx toolchain EXCEPT nvjitlink_abi12.c)
sw_module(nvjitlink12 FOLDER nvjitlink USES base isa fatbin ptx toolchain EXCEPT nvjitlink_abi13.c)
sw_module(check USES base isa event report)
sw_module(cli USES base isa arch event fatbin ptx vmem cache engine toolchain session check prof report compare nvml HEADERS_OF jit)

target_link_libraries(sw_base PUBLIC Threads::Threads dl m)
set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/base/base_digest.c APPEND PROPERTY COMPILE_OPTIONS -O3) # twice as fast: it unrolls
if(SW_FUZZ) # no comparison of the loop over bytes helps libFuzzer; told of each, it was a tenth of reading session records
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/base/base_map.c APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
endif()
if(TARGET sw_cli)
  set(version ${CMAKE_BINARY_DIR}/version/softwarp_version.h)
  add_custom_target(version BYPRODUCTS ${version} # a commit changes it
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${version} -P ${CMAKE_SOURCE_DIR}/cmake/Version.cmake VERBATIM)
  add_dependencies(sw_cli version)
  target_include_directories(sw_cli PRIVATE ${CMAKE_BINARY_DIR}/version)
endif()
if(TARGET sw_embed)
  target_include_directories(sw_embed PRIVATE ${CMAKE_SOURCE_DIR}/include)
endif()
if(TARGET sw_session)
  target_link_libraries(sw_session PUBLIC stdc++) # demangling
endif()
if(TARGET sw_random)
  target_include_directories(sw_random PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include) # parameter sets that kernels have, too
  target_compile_definitions(sw_random PRIVATE RANDOM_JOE_KUO="${CMAKE_SOURCE_DIR}/src/random/random_joe_kuo.bin"
    RANDOM_MT_JUMP="${CMAKE_SOURCE_DIR}/src/random/random_mt_jump.bin")
  target_compile_options(sw_random PRIVATE -O3)
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/random/random_directions.c APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/src/random/random_joe_kuo.bin)
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/random/random_mt.c APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/src/random/random_mt_jump.bin)
endif()
foreach(module op core analysis value probe emit control compile)
  target_link_libraries(sw_jit_${module} PRIVATE sw_llvm)
endforeach()
add_library(sw_jit INTERFACE) # the compiler as a whole, for its unit tests
target_link_libraries(sw_jit INTERFACE sw_jit_compile)
add_library(sw_model INTERFACE) # the memory model as a whole, for its unit tests
target_link_libraries(sw_model INTERFACE sw_model_sm)
if(TARGET sw_fatbin)
  target_link_libraries(sw_fatbin PUBLIC PkgConfig::ZSTD PkgConfig::LZ4)
endif()
if(TARGET sw_compare)
  target_link_libraries(sw_compare PUBLIC PkgConfig::JANSSON)
endif()
if(TARGET sw_arch)
  target_link_libraries(sw_arch PUBLIC PkgConfig::INIH)
endif()
set(driver_modules core memory clock stream texture copy module launch graph cdp alloc context api)
list(TRANSFORM driver_modules PREPEND driver_)

# The CUDA headers of ours (cuda/include) are the only thing driver/ and runtime/ share; nvml/ has its header there, too.
foreach(module ${driver_modules} runtime runtime12 nvml routine ${stand_ins} nvrtc nvrtc12 nvjitlink nvjitlink12 cli)
  if(TARGET sw_${module})
    target_include_directories(sw_${module} PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include)
  endif()
endforeach()

# Which function a program called is read off the stack (driver_caller.c): the frames of API functions must stand on it.
foreach(module ${driver_modules} runtime runtime12 routine ${stand_ins})
  if(TARGET sw_${module})
    target_compile_options(sw_${module} PRIVATE -fno-optimize-sibling-calls)
  endif()
endforeach()

# Loops over elements (base_cpu.h): vectorized, which selections between floats are only where no operation traps.
foreach(file blas/blas_convert.c cublas/cublas_range.c nccl/nccl_reduce.c sparse/sparse_csr.c sparse/sparse_product.c)
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/${file} APPEND PROPERTY COMPILE_OPTIONS -O3 -fno-trapping-math)
endforeach()

if(CMAKE_C_COMPILER_ID STREQUAL GNU) # vectors stay within functions
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/sparse/sparse_product.c APPEND PROPERTY COMPILE_OPTIONS -Wno-psabi)
endif()

# The exported functions stand in driver_watch.c; files that see those have the names as they are (driver_names.h).
set(driver_names ${CMAKE_SOURCE_DIR}/src/driver/api/driver_names.h)
foreach(module ${driver_modules})
  if(TARGET sw_${module})
    get_target_property(sources sw_${module} SOURCES)
    list(FILTER sources EXCLUDE REGEX "driver_(proc|watch)\\.c$")
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -include ${driver_names})
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${driver_names})
  endif()
endforeach()

set(runtime_names ${CMAKE_SOURCE_DIR}/src/runtime/runtime_names.h)
set(runtime_sources)
foreach(module runtime runtime12)
  if(TARGET sw_${module})
    get_target_property(sources sw_${module} SOURCES)
    list(FILTER sources EXCLUDE REGEX "runtime_(watch|refused)\\.c$")
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${runtime_names};${CMAKE_SOURCE_DIR}/src/runtime/runtime_watch.def")
    list(APPEND runtime_sources ${sources})
  endif()
endforeach()
list(REMOVE_DUPLICATES runtime_sources)
set_property(SOURCE ${runtime_sources} APPEND PROPERTY COMPILE_OPTIONS -include ${runtime_names})

# Matrix multiplication and texture reads are compiled for each instruction set that emitted code may have; which one of
# the former runs, emitted code says, of the latter the engine.
set(matrix_dir ${CMAKE_SOURCE_DIR}/src/engine/matrix)
set(texture_dir ${CMAKE_SOURCE_DIR}/src/engine/texture)
set(matrix_options -O3 -Wno-psabi)
set(texture_options -O3 -fno-trapping-math)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND texture_options -fno-tree-loop-distribute-patterns)
endif()
set(avx2_options)
set(avx512_options)
if(SW_OTHER_CPU STREQUAL aarch64) # elsewhere the files of AVX are compiled, too, but not run
  set(avx2_options -mavx2)
  set(avx512_options -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
  set(fma_options -mfma)
endif()
set_source_files_properties(${matrix_dir}/engine_matrix_sse2.c PROPERTIES COMPILE_OPTIONS "${matrix_options}")
set_source_files_properties(${matrix_dir}/engine_matrix_avx2.c PROPERTIES COMPILE_OPTIONS "${matrix_options};${avx2_options};${fma_options}")
set_source_files_properties(${matrix_dir}/engine_matrix_avx512.c ${matrix_dir}/engine_matrix_half_avx512.c PROPERTIES COMPILE_OPTIONS "${matrix_options};${avx512_options};${fma_options}")
set_source_files_properties(${texture_dir}/engine_texture_sse2.c PROPERTIES COMPILE_OPTIONS "${texture_options}")
set_source_files_properties(${texture_dir}/engine_texture_avx2.c PROPERTIES COMPILE_OPTIONS "${texture_options};${avx2_options}")
set_source_files_properties(${texture_dir}/engine_texture_avx512.c PROPERTIES COMPILE_OPTIONS "${texture_options};${avx512_options}")

# Transforms likewise: fft_plan.c chooses by the processor. A product and a sum may be one instruction.
set(fft_dir ${CMAKE_SOURCE_DIR}/src/fft)
set(fft_options -O3 -Wno-psabi -ffp-contract=fast -fno-math-errno)
set_source_files_properties(${fft_dir}/fft_kernel_sse2.c PROPERTIES COMPILE_OPTIONS "${fft_options}")
set_source_files_properties(${fft_dir}/fft_kernel_avx2.c PROPERTIES COMPILE_OPTIONS "${fft_options};${avx2_options};${fma_options}")
set_source_files_properties(${fft_dir}/fft_kernel_avx512.c PROPERTIES COMPILE_OPTIONS "${fft_options};${avx512_options};${fma_options}")

# What the engine and libsoftwarp-jit.so hand to each other: a number of the headers that say so. Both know it, so that a
# library of another build is refused.
file(GLOB abi_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/jit/jit.h ${CMAKE_SOURCE_DIR}/src/jit/jit_abi.h
  ${CMAKE_SOURCE_DIR}/src/base/*.h ${CMAKE_SOURCE_DIR}/src/isa/*.h ${CMAKE_SOURCE_DIR}/src/isa/*.def ${CMAKE_SOURCE_DIR}/src/event/*.h
  ${CMAKE_SOURCE_DIR}/src/ptx/*.h)
list(FILTER abi_headers EXCLUDE REGEX "_priv\\.h$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${abi_headers})
set(abi_text "")
foreach(header IN LISTS abi_headers)
  file(SHA256 ${header} abi_hash)
  string(APPEND abi_text ${abi_hash})
endforeach()
string(SHA256 abi_hash "${abi_text}")
string(SUBSTRING ${abi_hash} 0 16 abi_hash)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/jit/compile/jit_compile.c ${CMAKE_SOURCE_DIR}/src/engine/code/engine_code.c
  PROPERTIES COMPILE_DEFINITIONS SW_JIT_ABI=UINT64_C\(0x${abi_hash}\))
