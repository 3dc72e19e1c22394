# The version, in one place. `git archive` writes the nearest tag v<major>.<minor>.<patch> and the commit into the file VERSION;
# in a checkout, where that file still holds the formats, git is asked. Before the first tag the version is SW_FIRST_VERSION.
# Sets SW_VERSION ("0.1.0") and SW_BUILD: the tag, or how many commits and which one after it ("v0.1.0-3-g1234567"), or the commit where
# there is no tag yet; with "-dirty" in a checkout with changes; "unknown" in a copy of one.
#
# As a script, at each build: cmake -DSOURCE=<source tree> -DOUTPUT=<header> -P Version.cmake writes both into a header, if they
# have changed.
cmake_minimum_required(VERSION 3.25)
set(SW_FIRST_VERSION 0.1.0)

function(sw_version source)
  file(READ ${source}/VERSION archived)
  if(archived MATCHES "[$]Format") # a checkout, or a copy of one
    set(build "")
    if(EXISTS ${source}/.git)
      execute_process(COMMAND git -C ${source} describe --tags --match "v[0-9]*" --always --dirty
        OUTPUT_VARIABLE build OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  else()
    string(REGEX REPLACE ".*tag: ([^\n]*)\n.*" "\\1" build "${archived}")
    if(NOT build)
      string(REGEX REPLACE ".*commit: ([^\n]*)\n.*" "\\1" build "${archived}")
    endif()
  endif()
  if(NOT build)
    set(build unknown)
  endif()
  set(version ${SW_FIRST_VERSION})
  if(build MATCHES "^v([0-9]+[.][0-9]+[.][0-9]+)")
    set(version ${CMAKE_MATCH_1})
  endif()
  set(SW_VERSION ${version} PARENT_SCOPE)
  set(SW_BUILD ${build} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  sw_version(${SOURCE})
  if(OUTPUT)
    file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SOFTWARP_VERSION \"${SW_VERSION}\"\n#define SOFTWARP_BUILD \"${SW_BUILD}\"\n")
  else() # for scripts
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${SW_VERSION} ${SW_BUILD}")
  endif()
else()
  sw_version(${CMAKE_CURRENT_SOURCE_DIR})
endif()
