#!/usr/bin/python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a YAML file as JSON.

    yaml_to_json.py FILE

Only `true` and `false` are truth values, as in YAML 1.2: the key `on` of a
workflow is a word. A key that stands twice in one mapping is an error. Exit
code: 0, 1 it is not YAML, 77 the Debian package python3-yaml is missing.
"""
import json
import sys

try:
    import yaml
except ImportError:
    print("yaml_to_json.py: install the package python3-yaml",
          file=sys.stderr)
    sys.exit(77)


class Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers
                if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
        for first, resolvers in
        yaml.SafeLoader.yaml_implicit_resolvers.items()}

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        try:
            document = yaml.load(stream, Loader)
        except yaml.YAMLError as error:
            print(f"{sys.argv[1]}: {error}", file=sys.stderr)
            return 1
    json.dump(document, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
