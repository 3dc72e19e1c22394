# Tests. tests/unit/<room>/test_*.c: one cmocka program each, linked to that room alone (include rule as for the room,
# private headers allowed). tests/<kind>/CMakeLists.txt, where there is one, adds whole-program tests.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

function(sw_unit_test room source)
  cmake_parse_arguments(arg "" "" "USES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  add_executable(unit_${name} ${source})
  target_compile_definitions(unit_${name} PRIVATE _GNU_SOURCE SW_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SW_BUILD_DIR="${CMAKE_BINARY_DIR}")
  target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/src/${room} ${CMAKE_SOURCE_DIR}/tests/support ${CMAKE_SOURCE_DIR}/tests/oracle)
  sw_use(unit_${name} ${room} base arch ptx event vmem report ${arg_USES})
  target_include_directories(unit_${name} PRIVATE ${CMAKE_BINARY_DIR}/stage/jit) # engine.h names its types; not linked
  target_link_libraries(unit_${name} PRIVATE PkgConfig::CMOCKA)
  if(room STREQUAL "timing") # timing_pace.h names its types
    sw_use(unit_${name} model)
  endif()
  if(room STREQUAL "jit")
    target_link_libraries(unit_${name} PRIVATE sw_llvm)
  endif()
  if(room STREQUAL "engine" AND TARGET softwarp-jit)
    add_dependencies(unit_${name} softwarp-jit) # of the same build
  endif()
  if(room STREQUAL "runtime") # the runtime stands on the driver library, as programs do
    target_include_directories(unit_${name} PRIVATE ${CMAKE_SOURCE_DIR}/cuda/include)
    target_link_libraries(unit_${name} PRIVATE cuda)
  endif()
  set_target_properties(unit_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME unit_${name} COMMAND unit_${name})
  set_tests_properties(unit_${name} PROPERTIES TIMEOUT 600) # long: machines that build beside it are slow
endfunction()

file(GLOB rooms RELATIVE ${CMAKE_SOURCE_DIR}/tests/unit ${CMAKE_SOURCE_DIR}/tests/unit/*)
foreach(room IN LISTS rooms)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${room}/test_*.c)
  if(room STREQUAL "runtime" AND NOT TARGET cuda)
    continue() # nothing to stand on yet
  endif()
  if(TARGET sw_${room})
    foreach(source IN LISTS tests)
      sw_unit_test(${room} ${source})
    endforeach()
  endif()
endforeach()

file(GLOB kinds CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/CMakeLists.txt)
foreach(kind IN LISTS kinds)
  get_filename_component(folder ${kind} DIRECTORY)
  add_subdirectory(${folder})
endforeach()
