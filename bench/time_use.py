#!/usr/bin/env python3
#===- bench/time_use.py - What somebody who looks at numbers waits for ---===#
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Times the answers that are meant to be there at once:

  occupancy  cuda-lint occupancy with bare numbers, the median of 20 runs
  page       a page of 1,000 findings in a browser, the least of three, from
             the request until all is shown; and a search in it

    time_use.py [PROGRAM]

PROGRAM is build/release/bin/cuda-lint by default. Without a browser
(CUDA_LINT_CHROMIUM, or chromium on PATH) there is no page.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAUNCH = ["--gpu=h200", "--registers=48", "--shared=0", "--block=641",
          "--grid=29"]
SHOWN_AFTER = """new Promise(done => requestAnimationFrame(() => setTimeout(
    () => done(Math.max(performance.now(), performance.getEntriesByType(
        'navigation')[0].loadEventEnd)))))"""


def occupancy(program):
    times = []
    for _ in range(20):
        start = time.perf_counter()
        subprocess.run([program, "occupancy", *LAUNCH], check=True,
                       capture_output=True)
        times.append(1000 * (time.perf_counter() - start))
    print(f"occupancy: {statistics.median(times):.1f} ms")


def page(program):
    os.environ["CUDA_LINT"] = program
    sys.path[:0] = [str(ROOT / "tests/page"), str(ROOT / "tests/harness")]
    import browser
    import documents
    import page_test
    if not browser.find():
        print("page: no browser")
        return
    case = page_test.Page()
    page_test.Page.setUpClass()
    try:
        case.setUp()
        url = case.make("many", documents.many(case.folder, 50, 5, 4))
        times = []
        for _ in range(3):
            case.open(url)
            times.append(case.ask(SHOWN_AFTER))
        case.browser.key("/")
        start = case.ask("performance.now()")
        case.browser.type("data77")
        found = case.shown()
        searched = case.ask("performance.now()") - start
        print(f"page: shown after {min(times):.0f} ms, {found} found in "
              f"{searched:.0f} ms")
    finally:
        page_test.Page.doClassCleanups()


def main():
    program = str(Path(sys.argv[1] if len(sys.argv) > 1 else
                       ROOT / "build/release/bin/cuda-lint").resolve())
    occupancy(program)
    page(program)


if __name__ == "__main__":
    main()
