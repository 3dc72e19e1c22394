# Libraries from the distribution. scripts/setup.sh installs them; here they are only found.

# SW_STATIC: archives in place of shared libraries, from the same packages. Of LLVM what compiles for this CPU.
function(sw_link_archives)
  foreach(library ZSTD LZ4 JANSSON INIH)
    string(TOLOWER ${library} name)
    find_library(SW_ARCHIVE_${library} NAMES lib${name}.a PATHS ${${library}_LIBRARY_DIRS} ${${library}_LIBDIR} REQUIRED)
    set_target_properties(PkgConfig::${library} PROPERTIES INTERFACE_LINK_LIBRARIES ${SW_ARCHIVE_${library}})
  endforeach()
  execute_process(COMMAND ${LLVM_CONFIG} --link-static --libfiles native passes COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_VARIABLE archives OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(archives)
  target_link_libraries(sw_llvm INTERFACE -Wl,--start-group ${archives} -Wl,--end-group ${SW_ARCHIVE_ZSTD} z stdc++ m)
  target_link_options(sw_llvm INTERFACE -Wl,--gc-sections) # 47 MB without, 41 MB with it
endfunction()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --version OUTPUT_VARIABLE LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
option(SW_STATIC "LLVM and the other libraries are linked in: for a build that runs on any distribution" OFF)
add_library(sw_llvm INTERFACE)
# Another machine's LLVM is of the same version and in the same place, below its root (empty without cross-compiling).
target_include_directories(sw_llvm SYSTEM INTERFACE ${CMAKE_SYSROOT}${LLVM_INCLUDE})
if(SW_STATIC)
  sw_link_archives()
else()
  target_link_libraries(sw_llvm INTERFACE ${CMAKE_SYSROOT}${LLVM_LIBDIR}/libLLVM-19.so)
endif()
