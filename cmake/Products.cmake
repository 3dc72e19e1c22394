# What people get: build/bin/softwarp and build/lib/*.so. A product exists as soon as its modules are implemented.
#
# sw_library(<target> OUTPUT <file> MODULES <module>... EXPORTS <version script>): a shared library from whole modules that shows
# only what its version script names, finds its neighbours beside it, and has no undefined symbols.
function(sw_library target)
  cmake_parse_arguments(arg "" "OUTPUT;EXPORTS" "MODULES;LIBS" ${ARGN})
  foreach(module IN LISTS arg_MODULES)
    if(NOT TARGET sw_${module})
      return()
    endif()
  endforeach()
  add_library(${target} SHARED ${CMAKE_BINARY_DIR}/empty.c)
  foreach(module IN LISTS arg_MODULES)
    target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,sw_${module}>)
  endforeach()
  target_link_libraries(${target} PRIVATE ${arg_LIBS})
  target_link_options(${target} PRIVATE -Wl,-soname,${arg_OUTPUT} -Wl,--no-undefined
    -Wl,--version-script,${arg_EXPORTS})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${arg_OUTPUT} LINK_DEPENDS ${arg_EXPORTS}
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN") # a build folder in a library would be its name in a package
  install(TARGETS ${target} LIBRARY DESTINATION lib/softwarp)
endfunction()

# sw_stand_in(<name> VERSIONS <newest> <older>... SYMBOLS <patterns> [MODULE <module>] [NO_DRIVER] [UNVERSIONED]): lib<name>.so.<version>
# from a module, for a library of NVIDIA's, with symbols that carry the file's name as their version, as NVIDIA's do (UNVERSIONED: as
# its do not); and lib<name>.so for the linker. It stays loaded while a queue may hold calls of its. base_library.c has the same
# versions. NO_DRIVER: it calls no CUDA function.
function(sw_stand_in name)
  cmake_parse_arguments(arg "NO_DRIVER;UNVERSIONED" "MODULE" "VERSIONS;SYMBOLS" ${ARGN})
  if(NOT arg_MODULE)
    set(arg_MODULE ${name})
  endif()
  foreach(version IN LISTS arg_VERSIONS)
    set(file lib${name}.so.${version})
    set(driver cuda)
    if(arg_NO_DRIVER)
      set(driver)
    endif()
    set(node "${file} ")
    if(arg_UNVERSIONED)
      set(node "")
    endif()
    list(JOIN arg_SYMBOLS "; " symbols)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/exports/${file}.map CONTENT "${node}{\n  global: ${symbols};\n  local: *;\n};\n")
    sw_library(${name}${version} OUTPUT ${file} MODULES ${arg_MODULE} EXPORTS ${CMAKE_BINARY_DIR}/exports/${file}.map LIBS ${driver})
    if(TARGET ${name}${version})
      target_link_options(${name}${version} PRIVATE -Wl,-z,nodelete)
      list(APPEND SW_STAND_INS ${name}${version})
    endif()
  endforeach()
  set(SW_STAND_INS ${SW_STAND_INS} PARENT_SCOPE)
  list(GET arg_VERSIONS 0 newest)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  file(CREATE_LINK lib${name}.so.${newest} ${CMAKE_BINARY_DIR}/lib/lib${name}.so SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/lib/lib${name}.so DESTINATION lib/softwarp)
endfunction()

# CONFIGURE writes only what differs: a new configuration links nothing again.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/empty.c CONTENT "typedef int sw_nothing; /* ISO C forbids an empty unit */\n")
set(EXPORTS ${CMAKE_SOURCE_DIR}/cmake/exports)
if(TARGET sw_ptx)
  sw_library(softwarp-jit OUTPUT libsoftwarp-jit.so MODULES jit_compile EXPORTS ${EXPORTS}/jit.map)
  target_link_options(softwarp-jit PRIVATE -Wl,-z,initfirst) # jit_keep.c: before LLVM's constructors
endif()
sw_library(softwarp-tools OUTPUT libsoftwarp-tools.so MODULES session EXPORTS ${EXPORTS}/tools.map)
sw_library(cuda OUTPUT libcuda.so.1 MODULES driver_api EXPORTS ${EXPORTS}/cuda.map)
if(TARGET cuda)
  sw_library(cudart13 OUTPUT libcudart.so.13 MODULES runtime EXPORTS ${EXPORTS}/cudart13.map LIBS cuda)
  sw_library(cudart12 OUTPUT libcudart.so.12 MODULES runtime12 EXPORTS ${EXPORTS}/cudart12.map LIBS cuda)
  target_link_libraries(sw_routine INTERFACE cuda) # a library may call it through routine.h alone
  sw_stand_in(cublas VERSIONS 13 12 SYMBOLS "cublas[A-Z]*")
  sw_stand_in(cublasLt MODULE cublaslt VERSIONS 13 12 SYMBOLS "cublasLt*")
  sw_stand_in(cufft VERSIONS 12 11 SYMBOLS "cufft[A-Z]*")
  sw_stand_in(cufftw VERSIONS 12 11 SYMBOLS "fftw_*" "fftwf_*")
  sw_stand_in(curand VERSIONS 10 SYMBOLS "curand[A-Z]*")
  sw_stand_in(cusparse VERSIONS 12 SYMBOLS "cusparse[A-Z]*")
  sw_stand_in(cusolver VERSIONS 12 11 SYMBOLS "cusolver*" "cublas?batch*" "pegasus*")
  sw_stand_in(nccl VERSIONS 2 SYMBOLS "nccl[A-Z]*" "pnccl[A-Z]*" UNVERSIONED)
  sw_library(softwarp-audit OUTPUT libsoftwarp-audit.so MODULES audit EXPORTS ${EXPORTS}/audit.map)
  sw_library(softwarp-nvtx OUTPUT libsoftwarp-nvtx.so MODULES nvtx EXPORTS ${EXPORTS}/nvtx.map LIBS cuda)
  target_link_options(softwarp-nvtx PRIVATE -Wl,-z,nodelete) # programs keep its functions
  sw_stand_in(cupti VERSIONS 13 12 SYMBOLS "cupti[A-Z]*" "InitializeInjectionNvtx*")
endif()

# The link for the linker is to the one that comes last.
sw_stand_in(nvrtc VERSIONS 12 SYMBOLS "nvrtc[A-Z]*" __nvrtcCPEx MODULE nvrtc12 NO_DRIVER)
sw_stand_in(nvrtc VERSIONS 13 SYMBOLS "nvrtc[A-Z]*" __nvrtcCPEx NO_DRIVER)
sw_stand_in(nvJitLink VERSIONS 12 SYMBOLS "nvJitLink[A-Z]*" "__nvJitLink*_12_*" __nvJitLinkAPI MODULE nvjitlink12 NO_DRIVER)
sw_stand_in(nvJitLink VERSIONS 13 SYMBOLS "nvJitLink[A-Z]*" "__nvJitLink*_13_*" __nvJitLinkAPI MODULE nvjitlink NO_DRIVER)

sw_library(nvidia-ml OUTPUT libnvidia-ml.so.1 MODULES nvml EXPORTS ${EXPORTS}/nvml.map)
sw_library(softwarp-embed OUTPUT libsoftwarp.so MODULES embed EXPORTS ${EXPORTS}/softwarp.map)
# The compiler is opened at run time and refused when it is of another build: whoever builds one of these gets it, too.
foreach(product cuda softwarp-embed)
  if(TARGET ${product} AND TARGET softwarp-jit)
    add_dependencies(${product} softwarp-jit)
  endif()
endforeach()
install(DIRECTORY include/softwarp DESTINATION include FILES_MATCHING PATTERN "*.h")
# For pkg-config, with the way from its own folder, so that the prefix may be moved.
file(RELATIVE_PATH SW_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/installed/softwarp.pc CONTENT "prefix=\${pcfiledir}/@SW_PREFIX@
libdir=\${prefix}/lib/softwarp

Name: softwarp
Description: GPU in software, as a library
Version: @PROJECT_VERSION@
Cflags: -I\${prefix}/include
Libs: -L\${libdir} -lsoftwarp -Wl,-rpath,\${libdir}
" @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/installed/softwarp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET sw_cli)
  add_executable(softwarp ${CMAKE_BINARY_DIR}/empty.c)
  target_link_libraries(softwarp PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,sw_cli>)
  set_target_properties(softwarp PROPERTIES BUILD_RPATH "$ORIGIN/../lib" INSTALL_RPATH "$ORIGIN/../lib/softwarp")
  install(TARGETS softwarp RUNTIME DESTINATION bin)
  if(NOT CMAKE_CROSSCOMPILING) # the page is what the command says of itself
    set(page ${CMAKE_BINARY_DIR}/share/man/man1/softwarp.1)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/man/man1)
    add_custom_command(OUTPUT ${page} COMMAND ${CMAKE_SOURCE_DIR}/scripts/man.sh $<TARGET_FILE:softwarp> > ${page}
      DEPENDS softwarp ${CMAKE_SOURCE_DIR}/scripts/man.sh VERBATIM)
    add_custom_target(man ALL DEPENDS ${page})
    foreach(link softwarp-cc softwarp-ptxas)
      file(CREATE_LINK softwarp.1 ${CMAKE_BINARY_DIR}/share/man/man1/${link}.1 SYMBOLIC)
    endforeach()
    install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man/man1 DESTINATION share/man)
  endif()
endif()

foreach(product cuda cudart13 cudart12 softwarp-tools softwarp) # those that begin a reserve of memory (base_reserve.h)
  if(TARGET ${product})
    target_link_options(${product} PRIVATE -Wl,--wrap=free)
  endif()
endforeach()

# Data that the products read at run time: from the prefix once installed, from a link to the source tree before. Both lie at
# share/softwarp/gpus beside bin/ and lib/.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/softwarp)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/gpus ${CMAKE_BINARY_DIR}/share/softwarp/gpus SYMBOLIC)
install(DIRECTORY gpus/ DESTINATION share/softwarp/gpus FILES_MATCHING PATTERN "*.ini")
install(DIRECTORY cuda/include/ DESTINATION share/softwarp/cuda/include)

# What reports, messages and the README cite: docs/ and examples/, beside the README.
set(SW_DOC ${CMAKE_BINARY_DIR}/share/doc/softwarp)
file(MAKE_DIRECTORY ${SW_DOC})
foreach(cited README.md docs examples)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${cited} ${SW_DOC}/${cited} SYMBOLIC)
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/softwarp)
install(DIRECTORY docs examples DESTINATION share/doc/softwarp)
