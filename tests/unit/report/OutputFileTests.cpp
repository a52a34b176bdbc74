#include "report/OutputFile.h"

#include <gtest/gtest.h>

using namespace cudalint;

TEST(OutputFile, RefusesAFolder) { EXPECT_TRUE(writeOutputFile("/tmp", "")); }
