#!/usr/bin/python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes JUnit XML as JSON, with each suite's cases: what a parser makes of it.

    read_junit.py FILE

Attributes are members. How a case ended is `outcome`, with the attributes of
that element and its `text`; `output` is its system-out. An exception, and an
exit code, for what is no XML.
"""
import json
import sys
import xml.etree.ElementTree as tree


def case(element):
    out = dict(element.attrib)
    for child in element:
        if child.tag == "system-out":
            out["output"] = child.text
        else:
            assert "outcome" not in out, "a case ends in one way"
            out.update(child.attrib, outcome=child.tag, text=child.text)
    return out


root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites", root.tag
json.dump(dict(root.attrib, suites=[
    dict(suite.attrib, cases=[case(each) for each in suite.iter("testcase")])
    for suite in root.iter("testsuite")]), sys.stdout)
