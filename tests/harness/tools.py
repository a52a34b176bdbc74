# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that tests use and that a machine may lack, and what to install then.
"""

import atexit
import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VALIDATE = ROOT / "tests/unit/report/validate_json.py"
# Debian's own interpreter is the one that sees its packages.
DEBIAN = Path("/usr/bin/python3")

# How a program in Python begins that a test writes: one that runs often should
# not read what a machine's site-packages load by themselves.
PYTHON_SCRIPT = f"#!{sys.executable} -IS\n"

NO_VALIDATOR = "no schema is tested: install python3-jsonschema"
NO_TOOLKIT = ("no CUDA toolkit with nvcc and ptxas on PATH or in "
              "/usr/local/cuda: install one")
NO_HOST_COMPILER = "no g++ for nvcc: install g++"


@functools.lru_cache(maxsize=None)
def _validator():
    """One for all that a test program validates."""
    process = subprocess.Popen(
        [DEBIAN if DEBIAN.exists() else sys.executable, "-B", VALIDATE,
         "--serve"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True)

    def end():
        process.communicate()
    atexit.register(end)
    return process


def validate(schema, text, *flags):
    """How validate_json.py ends; None if it cannot be asked."""
    process = _validator()
    arguments = [*flags, str(ROOT / "docs" / schema), "-"]
    try:
        process.stdin.write(json.dumps([arguments, text]) + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        pass
    answer = process.stdout.readline()
    if not answer:
        # As it says itself.
        assert process.wait() == 77, "validate_json.py broke down"
        return None
    code, said = json.loads(answer)
    return subprocess.CompletedProcess(arguments, code, "", said)


def can_validate():
    return validate("cuda-lint-1.schema.json", "{}") is not None


def known_compilers(build, new):
    """Options with which CMake takes what it found out of the compilers in the
    folder `build` for the folder `new`: to look again takes seconds."""
    file, = Path(build).glob("CMakeFiles/*/CMakeCUDACompiler.cmake")
    shutil.copytree(file.parent, Path(new) / "CMakeFiles" / file.parent.name)
    return ["-DCMAKE_PLATFORM_INFO_INITIALIZED=1"]


def toolkit():
    """The folder of the toolkit that the program finds without CUDA_PATH, if
    its compilers are there, too; else None."""
    nvcc = shutil.which("nvcc")
    for folder in ([Path(nvcc).resolve().parent.parent] if nvcc else []) + [
            Path("/usr/local/cuda")]:
        if all((folder / file).exists() for file in (
                "include/cuda_runtime.h", "bin/nvcc", "bin/ptxas")):
            return folder.resolve()
    return None


def why_no_nvcc():
    """Empty if nvcc can be run."""
    if toolkit() is None:
        return NO_TOOLKIT
    return "" if shutil.which("g++") else NO_HOST_COMPILER
