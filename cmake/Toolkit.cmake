# NVIDIA's toolkit, which only some tests need. SW_TOOLKIT: auto (found if it is there), OFF (not used), or its folder.
# Sets NVCC (the compiler) and SW_TOOLKIT_DIR (the folder above bin/, links and scripts resolved), both empty without a toolkit.
set(SW_TOOLKIT auto CACHE STRING "NVIDIA's toolkit for the tests that need nvcc: auto, OFF or a folder")
set(NVCC "")
set(SW_TOOLKIT_DIR "")
if(SW_TOOLKIT)
  unset(SW_NVCC_FILE CACHE) # looked for at each configuration: a toolkit comes and goes
  if(SW_TOOLKIT STREQUAL auto)
    find_program(SW_NVCC_FILE NAMES nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  else()
    find_program(SW_NVCC_FILE NAMES nvcc PATHS ${SW_TOOLKIT} PATH_SUFFIXES bin NO_DEFAULT_PATH REQUIRED)
  endif()
  if(SW_NVCC_FILE)
    file(REAL_PATH ${SW_NVCC_FILE} NVCC)
    # Where it says that it is: what was found may be a script that calls it.
    execute_process(COMMAND ${NVCC} -dryrun -x cu -E /dev/null OUTPUT_QUIET ERROR_VARIABLE nvcc_says)
    if(NOT nvcc_says MATCHES "#\\$ TOP=([^\n]+)")
      message(FATAL_ERROR "${NVCC} does not say where its toolkit is (nvcc -dryrun): set -DSW_TOOLKIT=FOLDER, or OFF")
    endif()
    file(REAL_PATH "${CMAKE_MATCH_1}" SW_TOOLKIT_DIR)
    set(NVCC ${SW_TOOLKIT_DIR}/bin/nvcc)
  endif()
endif()
