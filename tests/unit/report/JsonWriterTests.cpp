#include "report/JsonWriter.h"

#include <gtest/gtest.h>

using namespace cudalint;

TEST(JsonWriter, NoDocumentsAreAnEmptyArray) { EXPECT_EQ(toJson({}), "[]\n"); }
