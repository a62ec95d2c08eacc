#!/bin/sh
# Runs the tests whose name contains "Concurrency" under the thread sanitizer, which fails the run
# if it sees a data race. The count is the last line.
set -eu

log=$(mktemp)
trap 'rm -f "$log" "$log.status"' EXIT

# A pipe hides the status of its first part, and plain sh has no pipefail.
{
  Scripts/watch-tests.sh --sanitize=thread --scratch-path .build-tsan --enable-all-traits --disable-xctest \
    --filter Concurrency 2>&1 && echo 0 >"$log.status" || echo 1 >"$log.status"
} | tee "$log"

if [ "$(cat "$log.status")" -ne 0 ]; then exit 1; fi
if ! grep -q 'Test run with [1-9]' "$log"; then
  echo "error: no test has Concurrency in its name, so nothing was checked." >&2
  exit 1
fi
