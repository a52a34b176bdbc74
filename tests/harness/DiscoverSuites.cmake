# cmake -D EXECUTABLE=FILE -D PREFIX=TEXT -D OUTPUT=FILE -P DiscoverSuites.cmake
#
# Writes what CTest reads: one test for each suite of a GoogleTest program. To
# start a program that links LLVM takes longer than most cases do.

execute_process(COMMAND "${EXECUTABLE}" --gtest_list_tests
                OUTPUT_VARIABLE listed TIMEOUT 60 COMMAND_ERROR_IS_FATAL ANY)

set(tests)
string(REGEX MATCHALL "\n[^ \n]+\\.( +#[^\n]*)?\n" suites "\n${listed}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "\n([^ \n]+)\\..*" "\\1" suite "${suite}")
  string(APPEND tests
         "add_test([==[${PREFIX}${suite}]==] [==[${EXECUTABLE}]==] "
         "[==[--gtest_filter=${suite}.*]==])\n"
         # Far above what any takes: work that is not linear in a hostile input
         # does not end.
         "set_tests_properties([==[${PREFIX}${suite}]==] "
         "PROPERTIES TIMEOUT 240)\n")
endforeach()
file(WRITE "${OUTPUT}" "${tests}")
