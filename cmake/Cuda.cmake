# CUDA for kernels/ and samples/: optional, as is everything that needs nvcc.
# The analyzer's own tests use no compiler of CUDA's.
find_program(CUDA_LINT_NVCC nvcc HINTS ENV CUDA_HOME /usr/local/cuda
             PATH_SUFFIXES bin)
set(cudalint_has_nvcc OFF)
if(CUDA_LINT_NVCC)
  set(cudalint_has_nvcc ON)
endif()
option(CUDA_LINT_KERNELS "Build kernels/ and samples/, which need nvcc"
       ${cudalint_has_nvcc})
set(CUDA_LINT_GPU_ARCH "90" CACHE STRING
    "Architectures that nvcc compiles for, as in CMAKE_CUDA_ARCHITECTURES")

if(CUDA_LINT_KERNELS)
  if(NOT CUDA_LINT_NVCC)
    message(FATAL_ERROR "CUDA_LINT_KERNELS is on, but there is no nvcc: "
                        "install a CUDA toolkit, set CUDA_HOME, or turn it off")
  endif()
  set(CMAKE_CUDA_COMPILER "${CUDA_LINT_NVCC}")
  set(CMAKE_CUDA_ARCHITECTURES "${CUDA_LINT_GPU_ARCH}")
  if(CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE}")
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  # CMake 3.25 does not know that nvcc speaks C++20.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  # The profile names lines.
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>")
endif()
