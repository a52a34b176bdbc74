#include "report/TextWriter.h"

#include <gtest/gtest.h>

using namespace cudalint;

TEST(TextWriter, NoDocumentsAreNoText) { EXPECT_EQ(toText({}, {}, {}), ""); }
