# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a test program in Python tells CTest.

Exit code 0: all was tested. 1: something is wrong. 77: nothing is wrong in what
was tested, but something could not be, since a tool is not there: CTest counts
the test as skipped, neither as passed nor as failed. The reason is a line
`skipped: …`, which scripts/test prints.
"""

import unittest

SKIPPED = 77
REASONS = set()


def cannot_test(why):
    """Goes on with what can be tested."""
    REASONS.add(why)


def exit_code(passed):
    if not passed:
        return 1
    for reason in sorted(REASONS):
        print(f"skipped: {reason}", flush=True)
    return SKIPPED if REASONS else 0


def main():
    """In place of unittest.main()."""
    result = unittest.main(exit=False).result
    for _, reason in result.skipped:
        cannot_test(reason)
    raise SystemExit(exit_code(result.wasSuccessful() and
                               (result.testsRun or result.skipped)))
