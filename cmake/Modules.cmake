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
sw_module(runtime USES base EXCEPT runtime_abi12.c)
sw_module(runtime12 FOLDER runtime USES base EXCEPT runtime_abi13.c)
sw_module(nvml USES base arch)
sw_module(session USES base isa arch event model model/access model/sample model/sm timing clock prof report)
sw_module(toolchain USES base isa arch fatbin ptx)
sw_module(check USES base isa event report)
sw_module(cli USES base isa arch event fatbin ptx vmem cache engine toolchain session check prof report compare nvml HEADERS_OF jit)

target_link_libraries(sw_base PUBLIC Threads::Threads dl m)
if(TARGET sw_cli)
  target_compile_definitions(sw_cli PRIVATE SOFTWARP_VERSION="${PROJECT_VERSION}")
endif()
if(TARGET sw_embed)
  target_include_directories(sw_embed PRIVATE ${CMAKE_SOURCE_DIR}/include)
endif()
if(TARGET sw_session)
  target_link_libraries(sw_session PUBLIC stdc++) # demangling
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
foreach(module ${driver_modules} runtime runtime12 nvml cli)
  if(TARGET sw_${module})
    target_include_directories(sw_${module} PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include)
  endif()
endforeach()

# Which function a program called is read off the stack (driver_caller.c): the frames of API functions must stand on it.
foreach(module ${driver_modules} runtime runtime12)
  if(TARGET sw_${module})
    target_compile_options(sw_${module} PRIVATE -fno-optimize-sibling-calls)
  endif()
endforeach()

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

# Matrix multiplication and texture reads are compiled for each instruction set that emitted code may have; which one of
# the former runs, emitted code says, of the latter the engine.
set(matrix_dir ${CMAKE_SOURCE_DIR}/src/engine/matrix)
set(texture_dir ${CMAKE_SOURCE_DIR}/src/engine/texture)
set_source_files_properties(${matrix_dir}/engine_matrix_sse2.c PROPERTIES COMPILE_OPTIONS "-O3;-Wno-psabi")
set_source_files_properties(${matrix_dir}/engine_matrix_avx2.c PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma;-Wno-psabi")
set_source_files_properties(${matrix_dir}/engine_matrix_avx512.c PROPERTIES COMPILE_OPTIONS
  "-O3;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mfma;-mprefer-vector-width=512;-Wno-psabi")
set_source_files_properties(${texture_dir}/engine_texture_sse2.c PROPERTIES COMPILE_OPTIONS "-O3;-fno-trapping-math;-fno-tree-loop-distribute-patterns")
set_source_files_properties(${texture_dir}/engine_texture_avx2.c PROPERTIES COMPILE_OPTIONS "-O3;-fno-trapping-math;-fno-tree-loop-distribute-patterns;-mavx2")
set_source_files_properties(${texture_dir}/engine_texture_avx512.c PROPERTIES COMPILE_OPTIONS
  "-O3;-fno-trapping-math;-fno-tree-loop-distribute-patterns;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")

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
