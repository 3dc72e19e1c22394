# sw_module(<name> USES <module>...): the static library sw_<name> from src/<name>/*.c.
#
# Include rule, enforced by construction: the public headers of a module (src/<name>/*.h but not *_priv.h) are staged as
# links in <build>/stage/<name>/<name>/, and a target sees only its own stage and those of the modules it USES. A header
# of another module does not exist for it. Include folders are PRIVATE, so nothing leaks through a chain.
#
# A module may be a folder of a folder (driver/core): the library sw_driver_core, headers "driver/core/<file>.h".
#
# FOLDER <module> EXCEPT <file>...: a second library from another module's folder, without the files that differ.
# A file whose name ends with _x86.c or _aarch64.c is compiled for that CPU alone.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(SW_OTHER_CPU x86)
else()
  set(SW_OTHER_CPU aarch64)
endif()

function(sw_stage name)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.h ${CMAKE_SOURCE_DIR}/src/${name}/*.def)
  list(FILTER headers EXCLUDE REGEX "_priv\\.h$")
  set(stage ${CMAKE_BINARY_DIR}/stage/${name}/${name})
  file(MAKE_DIRECTORY ${stage})
  foreach(header IN LISTS headers)
    get_filename_component(file ${header} NAME)
    file(CREATE_LINK ${header} ${stage}/${file} SYMBOLIC)
  endforeach()
endfunction()

function(sw_use target)
  foreach(module IN LISTS ARGN)
    target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/stage/${module})
    string(REPLACE "/" "_" library sw_${module})
    if(TARGET ${library})
      target_link_libraries(${target} PUBLIC $<LINK_ONLY:${library}>)
    endif()
  endforeach()
endfunction()

function(sw_module name)
  cmake_parse_arguments(arg "" "FOLDER" "USES;HEADERS_OF;EXCEPT" ${ARGN})
  set(folder ${name})
  if(arg_FOLDER)
    set(folder ${arg_FOLDER})
  endif()
  get_property(above GLOBAL PROPERTY SW_MODULES) # so modules have a direction
  foreach(module IN LISTS arg_USES arg_HEADERS_OF)
    if(NOT module IN_LIST above)
      message(FATAL_ERROR "module ${name} uses ${module}, which is not above it in cmake/Modules.cmake")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY SW_MODULES ${name})
  sw_stage(${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "_${SW_OTHER_CPU}\\.c$")
  foreach(file IN LISTS arg_EXCEPT)
    list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/${folder}/${file})
  endforeach()
  if(NOT sources)
    return() # a module of headers only
  endif()
  string(REPLACE "/" "_" library sw_${name})
  add_library(${library} STATIC ${sources})
  target_compile_definitions(${library} PRIVATE _GNU_SOURCE)
  target_include_directories(${library} PRIVATE ${CMAKE_BINARY_DIR}/stage/${folder})
  sw_use(${library} ${arg_USES})
  foreach(module IN LISTS arg_HEADERS_OF) # headers without linking: the other side is opened at run time
    target_include_directories(${library} PRIVATE ${CMAKE_BINARY_DIR}/stage/${module})
  endforeach()
endfunction()
