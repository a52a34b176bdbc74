# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ as a text, for rules that need no compiler."""

import re
from typing import NamedTuple

# A quote behind a letter or a digit is in a number: 1'000.
NO_CODE = re.compile(
    r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"'
    r'|//(?:\\\n|[^\n])*|/\*.*?\*/'
    r'|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*#(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)

# What is in front of the brace of a namespace or of a type.
SCOPE = re.compile(r"\b(?:namespace|struct|class|union)\b[^()]*$"
                   r"|\bextern\s*$")
# Of a function: its parameters, or the last member that it initialises.
SIGNATURE = re.compile(r"[)}]\s*(?:(?:const|final|mutable|noexcept|override|try"
                       r"|&&?)\s*)*(?:->[^(){};]*)?$")
NAME = re.compile(r"(\boperator\(\)|\boperator\b[^(]*|[\w:~]+)\s*\(")


class Function(NamedTuple):
    name: str
    line: int  # Of the opening brace.
    lines: int  # From there to the closing one.


def code_of(text):
    """The text with blanks for comments, literals and directives."""
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def functions(text):
    """The functions with a body, in order of their ends. Lambdas and local types
    are part of the function around them; those in a table's braces are left
    out."""
    code = code_of(text)
    result, around, head = [], [], 0
    for found in re.finditer(r"[{};]", code):
        at, kind = found.start(), ";"
        if found[0] == "{":
            kind, before = "value", code[head:at].strip()
            if all(each == "scope" for each, _, _ in around):
                if SCOPE.search(before):
                    kind = "scope"
                elif "(" in before and SIGNATURE.search(before):
                    kind = "function"
            around.append((kind, at, before))
        elif found[0] == "}" and around:
            kind, begin, before = around.pop()
            if kind == "function":
                first = code.count("\n", 0, begin)
                name = NAME.search(before)
                result.append(Function(name[1] if name else before, first + 1,
                                       code.count("\n", 0, at) - first + 1))
        # The braces of a value are part of what is declared.
        if kind != "value":
            head = at + 1
    return result
