# SPDX-License-Identifier: Apache-2.0
# cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/share/softwarp/cmake/softwarp-toolchain.cmake ...
#
# Makes softwarp cc the CUDA compiler of a project, and share/softwarp/cuda its CUDA toolkit (find_package(CUDAToolkit)).
# Method: softwarp cc understands nvcc's options, so CMake is told that the compiler is of NVIDIA's kind, with the answers that it
# would otherwise take from what nvcc prints. C and C++ stay with the compilers that CMake finds.
# Limits: CMake 3.18 or later, its Makefile and Ninja generators. cuBLAS and other libraries of the toolkit are not part of it.
get_filename_component(SOFTWARP_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(SOFTWARP_CUDA "${SOFTWARP_PREFIX}/share/softwarp/cuda")
get_filename_component(SOFTWARP_LIBRARIES "${SOFTWARP_CUDA}/lib64" REALPATH)

set(CMAKE_CUDA_COMPILER "${SOFTWARP_CUDA}/bin/nvcc")
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_VERSION 13.0.0)
set(CMAKE_CUDA_PLATFORM_ID Linux)
set(CMAKE_CUDA_SIMULATE_ID GNU) # how the host's linker takes its options
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT OFF)
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20") # CMake before 3.26 stops at 17
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")

set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "${SOFTWARP_CUDA}")
set(CMAKE_CUDA_COMPILER_TOOLKIT_LIBRARY_ROOT "${SOFTWARP_CUDA}")
set(CMAKE_CUDA_COMPILER_LIBRARY_ROOT "${SOFTWARP_CUDA}/sdk")
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 13.0.0)
set(CUDAToolkit_ROOT "${SOFTWARP_CUDA}")

# What clang 19 makes PTX for, and nvcc 13 still names.
set(CMAKE_CUDA_ARCHITECTURES_ALL 75 80 86 87 89 90)
set(CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR 75 80 90)

# What nvcc -v would print: its folders, the command that links, the default target.
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "#$ INCLUDES=\"-I${SOFTWARP_CUDA}/include\"
#$ LIBRARIES=\"-L${SOFTWARP_LIBRARIES}\"
#$ ptxas -arch compute_75
#$ ${CMAKE_CUDA_COMPILER} -o a.out \"-L${SOFTWARP_LIBRARIES}\" -lcudadevrt -lcudart
")

# The runtime is shared. Programs find it through RUNPATH, those too that the C++ compiler links.
if(NOT DEFINED CMAKE_CUDA_RUNTIME_LIBRARY)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
endif()
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-Wl,--enable-new-dtags,-rpath,${SOFTWARP_LIBRARIES},--allow-shlib-undefined")
endforeach()
