# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that tests use and that a machine may lack, and what to install then.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VALIDATE = ROOT / "tests/unit/report/validate_json.py"
# Debian's own interpreter is the one that sees its packages.
DEBIAN = Path("/usr/bin/python3")

NO_VALIDATOR = "no schema is tested: install python3-jsonschema"
NO_TOOLKIT = ("no CUDA toolkit with nvcc and ptxas on PATH or in "
              "/usr/local/cuda: install one")
NO_HOST_COMPILER = "no g++ for nvcc: install g++"


def validate(schema, text, *flags):
    """How validate_json.py ended; None if it cannot be asked."""
    done = subprocess.run(
        [DEBIAN if DEBIAN.exists() else sys.executable, "-B", VALIDATE, *flags,
         ROOT / "docs" / schema, "-"],
        input=text, capture_output=True, text=True)
    # As it says itself.
    return None if done.returncode == 77 else done


def can_validate():
    return validate("cuda-lint-1.schema.json", "{}") is not None


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
