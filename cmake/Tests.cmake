# Tests. tests/unit/<module>/test_*.c: one cmocka program each, linked to that module alone (include rule as for the module,
# private headers allowed). tests/<kind>/CMakeLists.txt, where there is one, adds whole-program tests.
include(cmake/Toolkit.cmake)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# sw_test(<name> [SLOW | FULL] [NVCC] [WORKING_DIRECTORY <folder>] COMMAND <command> <argument>...): a test with the labels
# that choose it: the folder under tests/, `quick` (unit, ptx and cli, without SLOW, for `make quick`), `full` (FULL: only
# `make test-full` runs it) and `nvcc` (NVCC: it needs NVIDIA's toolkit; without one it is skipped and says so). Exit status
# 77 is a skipped test. Tests find the compiler in the environment as SW_NVCC, which is empty without a toolkit.
set(SW_QUICK_KINDS unit ptx cli)
set(SW_SLOW_UNIT_TESTS test_op_approx test_ptx_hostile test_model_caches test_session_trace) # 6 to 13 s each
# After so long a test is taken to hang. No test is a test of speed: on a busy machine one takes ten times as long.
set(SW_HANG_SECONDS 1800)

function(sw_test name)
  cmake_parse_arguments(arg "SLOW;FULL;NVCC" "WORKING_DIRECTORY" "COMMAND" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sw_test(${name}): ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(command ${arg_COMMAND})
  set(place)
  if(arg_NVCC AND NOT NVCC)
    set(command sh -c "echo 'SKIPPED: nvcc is not installed' && exit 77")
  elseif(arg_WORKING_DIRECTORY)
    set(place WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
  endif()
  add_test(NAME ${name} COMMAND ${command} ${place})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/tests OUTPUT_VARIABLE kind)
  if(kind STREQUAL "..")
    set(kind unit)
  endif()
  set(labels ${kind})
  if(kind IN_LIST SW_QUICK_KINDS AND NOT arg_SLOW AND NOT arg_FULL)
    list(APPEND labels quick)
  endif()
  if(arg_FULL)
    list(APPEND labels full)
  endif()
  if(arg_NVCC)
    list(APPEND labels nvcc)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT ${SW_HANG_SECONDS}
    ENVIRONMENT_MODIFICATION "SW_NVCC=set:${NVCC};COLUMNS=unset:")
endfunction()

set(SW_CC cc) # what tests compile with
if(CMAKE_CROSSCOMPILING)
  set(SW_CC "${CMAKE_C_COMPILER} --target=${CMAKE_C_COMPILER_TARGET} --sysroot=${CMAKE_SYSROOT}")
endif()

function(sw_unit_test module source)
  cmake_parse_arguments(arg "" "" "USES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  add_executable(unit_${name} ${source})
  target_compile_definitions(unit_${name} PRIVATE _GNU_SOURCE SW_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SW_BUILD_DIR="${CMAKE_BINARY_DIR}" SW_CC="${SW_CC}")
  target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/src/${module} ${CMAKE_SOURCE_DIR}/tests/support ${CMAKE_SOURCE_DIR}/tests/oracle)
  sw_use(unit_${name} ${module} base arch ptx isa event vmem report ${arg_USES})
  target_include_directories(unit_${name} PRIVATE ${CMAKE_BINARY_DIR}/stage/jit) # engine.h names its types; not linked
  target_link_libraries(unit_${name} PRIVATE PkgConfig::CMOCKA)
  if(module STREQUAL "timing") # timing_intervals.h and timing_kernel_priv.h name their types
    sw_use(unit_${name} model sass)
  endif()
  if(module MATCHES "^(model|sass|timing|prof|session)$") # event_code.h describes PTX as the engine does
    sw_use(unit_${name} engine)
  endif()
  if(module STREQUAL "check") # JSON and SARIF are read again
    target_link_libraries(unit_${name} PRIVATE PkgConfig::JANSSON)
  endif()
  if(module STREQUAL "jit")
    sw_use(unit_${name} jit/op)
    target_link_libraries(unit_${name} PRIVATE sw_llvm)
  endif()
  foreach(part IN LISTS ${module}_modules) # private headers of its modules, too
    if(module MATCHES "^(engine|prof)$")
      sw_use(unit_${name} ${module}/${part})
      target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/src/${module}/${part})
    endif()
  endforeach()
  if(module STREQUAL "session") # session_repeat_priv.h names its types
    sw_use(unit_${name} model model/sm)
  endif()
  if(module STREQUAL "model")
    sw_use(unit_${name} model/access model/cache model/sample model/sm)
    target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/src/model/access)
  endif()
  if(module STREQUAL "engine" AND TARGET softwarp-jit)
    add_dependencies(unit_${name} softwarp-jit) # of the same build
  endif()
  if(module MATCHES "^(runtime|routine)$") # these stand on the driver library, as programs do
    target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include)
    target_link_libraries(unit_${name} PRIVATE cuda)
  endif()
  set_target_properties(unit_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set(slow)
  if(name IN_LIST SW_SLOW_UNIT_TESTS)
    set(slow SLOW)
  endif()
  sw_test(unit_${name} ${slow} COMMAND unit_${name})
endfunction()

file(GLOB modules RELATIVE ${CMAKE_SOURCE_DIR}/tests/unit ${CMAKE_SOURCE_DIR}/tests/unit/*)
foreach(module IN LISTS modules)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${module}/test_*.c)
  if(module MATCHES "^(runtime|routine)$" AND NOT TARGET cuda)
    continue() # nothing to stand on yet
  endif()
  if(TARGET sw_${module})
    foreach(source IN LISTS tests)
      sw_unit_test(${module} ${source})
    endforeach()
  endif()
endforeach()

file(GLOB kinds CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/CMakeLists.txt)
foreach(kind IN LISTS kinds)
  get_filename_component(folder ${kind} DIRECTORY)
  add_subdirectory(${folder})
endforeach()
