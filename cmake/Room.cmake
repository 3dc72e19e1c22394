# sw_room(<name> USES <room>...): the static library sw_<name> from src/<name>/*.c.
#
# Include rule, enforced by construction: the public headers of a room (src/<name>/*.h but not *_priv.h) are staged as
# links in <build>/stage/<name>/<name>/, and a target sees only its own stage and those of the rooms it USES. A header
# of another room does not exist for it. Include folders are PRIVATE, so nothing leaks through a chain.
#
# FOLDER <room> EXCEPT <file>...: a second library from another room's folder, without the files that differ.
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
  foreach(room IN LISTS ARGN)
    target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/stage/${room})
    if(TARGET sw_${room})
      target_link_libraries(${target} PUBLIC $<LINK_ONLY:sw_${room}>)
    endif()
  endforeach()
endfunction()

function(sw_room name)
  cmake_parse_arguments(arg "" "FOLDER" "USES;HEADERS_OF;EXCEPT" ${ARGN})
  set(folder ${name})
  if(arg_FOLDER)
    set(folder ${arg_FOLDER})
  endif()
  sw_stage(${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
  foreach(file IN LISTS arg_EXCEPT)
    list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/${folder}/${file})
  endforeach()
  if(NOT sources)
    return() # a room of headers only
  endif()
  add_library(sw_${name} STATIC ${sources})
  target_compile_definitions(sw_${name} PRIVATE _GNU_SOURCE)
  target_include_directories(sw_${name} PRIVATE ${CMAKE_BINARY_DIR}/stage/${folder})
  sw_use(sw_${name} ${arg_USES})
  foreach(room IN LISTS arg_HEADERS_OF) # headers without linking: the other side is opened at run time
    target_include_directories(sw_${name} PRIVATE ${CMAKE_BINARY_DIR}/stage/${room})
  endforeach()
endfunction()
