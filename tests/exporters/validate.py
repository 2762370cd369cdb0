#!/usr/bin/env python3
"""validate.py SCHEMA FILE...: one line per file, "valid" or "invalid: PATH: why".

Exit code 0 if all files could be checked, whatever the answers; 2 if not.
"""
import json
import sys

import jsonschema


def main(schema_file, *files):
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for file in files:
        with open(file, encoding="utf-8") as stream:
            document = json.load(stream)
        errors = sorted(validator.iter_errors(document), key=lambda e: list(map(str, e.path)))
        if errors:
            print(f"invalid: {errors[0].json_path}: {errors[0].message}")
        else:
            print("valid")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError, TypeError, jsonschema.SchemaError) as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        sys.exit(2)
