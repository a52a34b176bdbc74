#!/usr/bin/python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks JSON files against a JSON Schema, of the draft that it names itself;
2020-12 if it names none.

    validate_json.py [--strict] [--expect-invalid] SCHEMA FILE...
    validate_json.py --serve

A FILE of `-` is standard input. With --strict, members that the schema does
not name are errors too: readers must bear them, our own writer must not make
them. Exit code: 0 all files are valid (with --expect-invalid: none is), 1 not
so, 2 a file or the schema cannot be used, 77 the Debian package
python3-jsonschema is missing.

To start takes longer than to validate. With --serve, a line of standard input
is a run, a JSON list of its arguments and of its standard input; the line that
answers it is a list of its exit code and of what it says.
"""
import argparse
import contextlib
import functools
import io
import json
import sys

try:
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
except ImportError:
    print("validate_json.py: install the package python3-jsonschema",
          file=sys.stderr)
    sys.exit(77)  # What CTest counts as skipped.


def closed(schema):
    """The schema, with every object that names its members closed."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    # The parts of if/then/else name members without `type`: they stay open.
    if schema.get("type") == "object" and "properties" in schema:
        out["additionalProperties"] = False
    return out


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def refuse_duplicates(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return out


def load(path, stdin):
    # Python's reader takes NaN and repeated members; JSON has neither.
    stream = stdin if path == "-" else open(path, "rb")
    with stream:
        return json.loads(stream.read().decode("utf-8"),
                          parse_constant=refuse_constant,
                          object_pairs_hook=refuse_duplicates)


def innermost(error):
    """What is wrong inside the alternatives of a oneOf, if that is clearer."""
    while error.context:
        # "is not null" says least of all.
        error = max(error.context, key=lambda each: (
            len(each.absolute_path), each.validator != "type"))
    return error


@functools.lru_cache(maxsize=None)
def validator_of(path, strict):
    schema = load(path, None)
    draft = validator_for(schema, default=Draft202012Validator)
    draft.check_schema(schema)
    return draft(closed(schema) if strict else schema)


def run(arguments, stdin):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--expect-invalid", action="store_true")
    parser.add_argument("schema")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args(arguments)

    try:
        validator = validator_of(args.schema, args.strict)
    except (OSError, ValueError, SchemaError) as error:
        print(f"{args.schema}: {error}", file=sys.stderr)
        return 2

    status = 0
    for path in args.files:
        try:
            errors = [innermost(e)
                      for e in validator.iter_errors(load(path, stdin))]
        except OSError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        except ValueError as error:
            print(f"{path}: not JSON: {error}", file=sys.stderr)
            return 2
        for error in errors[:20]:
            print(f"{path}: {error.json_path}: {error.message[:500]}",
                  file=sys.stderr)
        if bool(errors) != args.expect_invalid:
            status = 1
            if args.expect_invalid:
                print(f"{path}: valid, and should not be", file=sys.stderr)
    return status


def serve():
    for line in sys.stdin:
        arguments, text = json.loads(line)
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = run(arguments, io.BytesIO(text.encode("utf-8")))
        print(json.dumps([code, said.getvalue()]), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(run(sys.argv[1:], sys.stdin.buffer))
