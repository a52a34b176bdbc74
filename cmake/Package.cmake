# What is installed beside the programs, and the packages that CPack makes: see
# docs/install.md. A component is a Debian package.
include(GNUInstallDirs)
find_package(Python3 3.9 COMPONENTS Interpreter)

# Man pages and completions are what the programs say of themselves, so they
# are made where what was built can be run.
set(CUDA_LINT_PAGES "${PROJECT_BINARY_DIR}/pages")
if(Python3_FOUND AND NOT (CMAKE_CROSSCOMPILING AND
                          NOT CMAKE_CROSSCOMPILING_EMULATOR))
  set(script "${PROJECT_SOURCE_DIR}/cmake/package/from_help.py")
  set(parts)
  foreach(part cuda-lint cuda-lint-check cuda-lint-confirm)
    if(TARGET ${part})
      list(APPEND parts ${part})
    endif()
  endforeach()
  add_custom_command(OUTPUT "${CUDA_LINT_PAGES}/.made"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${CUDA_LINT_PAGES}"
    COMMAND Python3::Interpreter -B "${script}" $<TARGET_FILE:cuda-lint>
            ${PROJECT_VERSION} "${CUDA_LINT_PAGES}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${CUDA_LINT_PAGES}/.made"
    DEPENDS "${script}" ${parts}
    COMMENT "Making man pages and completions"
    VERBATIM)
  add_custom_target(pages ALL DEPENDS "${CUDA_LINT_PAGES}/.made")
  # OPTIONAL: a build of some targets may have made none.
  install(DIRECTORY "${CUDA_LINT_PAGES}/"
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT runtime OPTIONAL FILES_MATCHING PATTERN "*.1.gz"
          PATTERN "cuda-lint-check.1.gz" EXCLUDE)
  foreach(pair
          cuda-lint.bash=bash-completion/completions/cuda-lint
          cuda-lint.zsh=zsh/site-functions/_cuda-lint
          cuda-lint.fish=fish/vendor_completions.d/cuda-lint.fish)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 made)
    list(GET pair 1 place)
    get_filename_component(folder ${place} DIRECTORY)
    get_filename_component(name ${place} NAME)
    install(FILES "${CUDA_LINT_PAGES}/${made}"
            DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name}
            COMPONENT runtime OPTIONAL)
  endforeach()
else()
  message(STATUS "No man pages and completions are made: there is no Python, or "
                 "what is built cannot be run here")
endif()

set(packages runtime=cuda-lint-runtime)
# What users of either part read and include, in one of them.
set(main runtime)
set(doc cuda-lint-runtime)
if(CUDA_LINT_ANALYZER)
  set(main checker)
  set(doc cuda-lint)
  install(FILES "${CUDA_LINT_PAGES}/cuda-lint-check.1.gz"
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT checker OPTIONAL)
  list(APPEND packages checker=cuda-lint clang=cuda-lint-clang
       tidy=cuda-lint-tidy)
endif()

# For find_package(CudaLint): where it is installed, and in the build folder.
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/CudaLintConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion
                                 ARCH_INDEPENDENT)
install(FILES cmake/package/CudaLintConfig.cmake
              "${PROJECT_BINARY_DIR}/CudaLintConfigVersion.cmake"
        DESTINATION lib/cmake/CudaLint COMPONENT ${main})

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${doc}
        COMPONENT ${main})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${doc}
        COMPONENT ${main})

set(CPACK_COMPONENTS_ALL)
file(READ LICENSE license)
foreach(pair ${packages})
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  # As Debian names the file; each package has its own.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/copyright" @ONLY CONTENT
"cuda-lint

Copyright (C) the cuda-lint developers
License: Apache-2.0 WITH LLVM-exception

On Debian systems, the Apache License 2.0 is also in
/usr/share/common-licenses/Apache-2.0.

@license@")
  install(FILES "${PROJECT_BINARY_DIR}/copyright"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME cuda-lint)
set(CPACK_PACKAGE_VENDOR "cuda-lint developers")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGE_CONTACT "cuda-lint developers" CACHE STRING
    "The maintainer that packages name")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
# Whoever makes a package may have another umask.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
find_program(CUDA_LINT_SHLIBDEPS dpkg-shlibdeps)
if(CUDA_LINT_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()

# Their first lines are the summaries; one for all would stand before them.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"CUDA performance faults: what needs no LLVM
The program cuda-lint, what it says of occupancy, and what confirms
predictions by the counters of a GPU. The package cuda-lint brings what
reads source files.

Counters are read by the CUPTI of a CUDA toolkit.")
set(CPACK_COMPONENT_CHECKER_DESCRIPTION
"finds CUDA performance faults in source code
Says which lines of CUDA code make the memory system of the GPU do more
than they need, with the number that a hardware counter would show, the
cause and the remedy.

It needs no GPU, and of a CUDA toolkit the headers and better also nvcc:
by --cuda-path, CUDA_PATH, nvcc on the PATH, or in /usr/local/cuda.")
set(CPACK_COMPONENT_CLANG_DESCRIPTION
"CUDA performance faults: plugin of clang
The checks of cuda-lint, as warnings of clang -fplugin.")
set(CPACK_COMPONENT_TIDY_DESCRIPTION
"CUDA performance faults: plugin of clang-tidy
The checks of cuda-lint, as checks of clang-tidy -load.")
if(CUDA_LINT_ANALYZER)
  set(exactly "(= ${PROJECT_VERSION})")
  set(major ${LLVM_VERSION_MAJOR})
  # The headers that a parse includes; and who has the symbols that the plugins
  # bind to. No library names them.
  set(CPACK_DEBIAN_CHECKER_PACKAGE_DEPENDS
      "cuda-lint-runtime ${exactly}, libclang-common-${major}-dev")
  set(CPACK_DEBIAN_CLANG_PACKAGE_DEPENDS "clang-${major} (>= 1:${major}.1~)")
  set(CPACK_DEBIAN_TIDY_PACKAGE_DEPENDS
      "clang-tidy-${major} (>= 1:${major}.1~)")
  set(CPACK_DEBIAN_CHECKER_PACKAGE_SUGGESTS
      "cuda-lint-clang, cuda-lint-tidy, nvidia-cuda-toolkit")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "cuda-lint")
endif()
include(CPack)
