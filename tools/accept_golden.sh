#!/bin/sh
# tools/accept_golden.sh [BINARY]: renews the files of tests/golden; review the difference.
set -eu
root="$(cd "$(dirname "$0")/.." && pwd)"
binary="${1:-$root/build/release/cli/tracewright}"
cd "$root/tests/golden"
tab="$(printf '\t')"
while IFS="$tab" read -r file arguments; do
  # shellcheck disable=SC2086  # the words of a command line, without blanks or quotes in them
  "$binary" $arguments >"$file.new" </dev/null
  mv "$file.new" "$file"
done <commands.tsv
git --no-pager diff --stat -- .
