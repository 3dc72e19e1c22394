# What `softwarp cc` needs beside the program: our CUDA headers, and the folder that clang takes for a CUDA toolkit (tools that
# copy PTX and write fat binaries, and our device math library as bitcode). Laid out alike in the build tree and once installed.
set(SW_CUDA ${CMAKE_BINARY_DIR}/share/softwarp/cuda)
set(SW_SDK ${SW_CUDA}/sdk)
file(MAKE_DIRECTORY ${SW_SDK}/bin ${SW_SDK}/include ${SW_SDK}/nvvm/libdevice)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/cuda/include ${SW_CUDA}/include SYMBOLIC)
configure_file(cuda/sdk/include/cuda.h ${SW_SDK}/include/cuda.h COPYONLY)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/sdk_tool.c CONTENT "int toolchain_sdk_main(int argc, char **argv);
int main(int argc, char **argv)\n{\n    return toolchain_sdk_main(argc, argv);\n}\n")
add_executable(sdk_fatbinary ${CMAKE_BINARY_DIR}/sdk_tool.c)
target_link_libraries(sdk_fatbinary PRIVATE sw_toolchain)
set_target_properties(sdk_fatbinary PROPERTIES OUTPUT_NAME fatbinary RUNTIME_OUTPUT_DIRECTORY ${SW_SDK}/bin)
file(CREATE_LINK fatbinary ${SW_SDK}/bin/ptxas SYMBOLIC)

# The device library: every source to LLVM IR, then one module. The target is taken out of the functions' attributes, because
# LLVM inlines only between functions of equal targets.
find_program(CLANG NAMES clang-19 REQUIRED)
find_program(LLVM_LINK NAMES llvm-link-19 HINTS ${LLVM_LIBDIR}/../bin REQUIRED)
file(GLOB device_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cuda/device/*.c)
file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cuda/device/*.h ${CMAKE_SOURCE_DIR}/cuda/device/*.def)
set(device_bitcode)
foreach(source IN LISTS device_sources)
  get_filename_component(name ${source} NAME_WE)
  set(bitcode ${CMAKE_BINARY_DIR}/libdevice/${name}.ll)
  add_custom_command(OUTPUT ${bitcode}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/libdevice
    COMMAND ${CLANG} --target=nvptx64-nvidia-cuda -march=sm_20 -nogpulib -nostdinc -ffreestanding -std=c17 -O2 -Wall -Wextra -Werror
            -ffp-contract=off -fno-math-errno -emit-llvm -S ${source} -o ${bitcode}
    COMMAND sed -E -i "s/\"target-(cpu|features)\"=\"[^\"]*\"//g" ${bitcode}
    DEPENDS ${source} ${device_headers} COMMENT "Device library: ${name}.c" VERBATIM)
  list(APPEND device_bitcode ${bitcode})
endforeach()
set(SW_LIBDEVICE ${SW_SDK}/nvvm/libdevice/libdevice.10.bc)
add_custom_command(OUTPUT ${SW_LIBDEVICE} COMMAND ${LLVM_LINK} ${device_bitcode} -o ${SW_LIBDEVICE} DEPENDS ${device_bitcode} VERBATIM)
add_custom_target(libdevice ALL DEPENDS ${SW_LIBDEVICE})

# share/ is for what any CPU can use: the program lies in lib/, and a link where clang looks for it.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/installed)
file(CREATE_LINK ../../../../../lib/softwarp/bin/fatbinary ${CMAKE_BINARY_DIR}/installed/fatbinary SYMBOLIC)
install(TARGETS sdk_fatbinary RUNTIME DESTINATION lib/softwarp/bin)
install(FILES ${CMAKE_BINARY_DIR}/installed/fatbinary ${SW_SDK}/bin/ptxas DESTINATION share/softwarp/cuda/sdk/bin) # links
install(FILES cuda/sdk/include/cuda.h DESTINATION share/softwarp/cuda/sdk/include)
install(FILES ${SW_LIBDEVICE} DESTINATION share/softwarp/cuda/sdk/nvvm/libdevice)

# The same folder laid out as makefiles and CMake know a toolkit (bin/nvcc, lib64), and CMake's toolchain file.
# Names that linkers ask for: the static runtime is the shared one, the device runtime is in the driver.
function(sw_development_links folder)
  file(MAKE_DIRECTORY ${folder}/stubs)
  file(CREATE_LINK libcudart.so.13 ${folder}/libcudart.so SYMBOLIC)
  file(CREATE_LINK libcuda.so.1 ${folder}/libcuda.so SYMBOLIC)
  file(CREATE_LINK libnvidia-ml.so.1 ${folder}/libnvidia-ml.so SYMBOLIC)
  file(WRITE ${folder}/libcudart_static.a "INPUT(libcudart.so.13)\n")
  file(WRITE ${folder}/libcudadevrt.a "!<arch>\n")
  file(CREATE_LINK ../libcuda.so.1 ${folder}/stubs/libcuda.so SYMBOLIC)
  file(CREATE_LINK ../libnvidia-ml.so.1 ${folder}/stubs/libnvidia-ml.so SYMBOLIC)
endfunction()
sw_development_links(${CMAKE_BINARY_DIR}/lib)
file(MAKE_DIRECTORY ${SW_CUDA}/bin ${CMAKE_BINARY_DIR}/bin ${CMAKE_BINARY_DIR}/share/softwarp/cmake)
file(CREATE_LINK ../../../../bin/softwarp ${SW_CUDA}/bin/nvcc SYMBOLIC)
file(CREATE_LINK ../../../../bin/softwarp ${SW_CUDA}/bin/ptxas SYMBOLIC)
file(CREATE_LINK softwarp ${CMAKE_BINARY_DIR}/bin/softwarp-cc SYMBOLIC)
file(CREATE_LINK softwarp ${CMAKE_BINARY_DIR}/bin/softwarp-ptxas SYMBOLIC)
file(CREATE_LINK ../../../lib ${SW_CUDA}/lib64 SYMBOLIC)
configure_file(cuda/cmake/softwarp-toolchain.cmake share/softwarp/cmake/softwarp-toolchain.cmake COPYONLY)
install(FILES cuda/cmake/softwarp-toolchain.cmake DESTINATION share/softwarp/cmake)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/ DESTINATION lib/softwarp FILES_MATCHING PATTERN "libcuda.so" PATTERN "libcudart.so" PATTERN "libnvidia-ml.so"
  PATTERN "libcudart_static.a" PATTERN "libcudadevrt.a")
# Links are installed as they are, so DESTDIR holds for them. lib64 points elsewhere once installed.
file(CREATE_LINK ../../../lib/softwarp ${CMAKE_BINARY_DIR}/installed/lib64 SYMBOLIC)
install(FILES ${SW_CUDA}/bin/nvcc ${SW_CUDA}/bin/ptxas DESTINATION share/softwarp/cuda/bin)
install(FILES ${CMAKE_BINARY_DIR}/installed/lib64 DESTINATION share/softwarp/cuda)
install(FILES ${CMAKE_BINARY_DIR}/bin/softwarp-cc ${CMAKE_BINARY_DIR}/bin/softwarp-ptxas DESTINATION bin)
