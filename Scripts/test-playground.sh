#!/bin/sh
# Tests the playground in a headless Chromium against a service of its own:
# test-playground.sh CARDFEED [--screenshots DIR] [NAME...]
# Left out, with a message, where Chromium, its driver or Python is missing and cannot be installed.
set -eu

cardfeed=$1
shift
if ! timeout 300 Scripts/install-missing.sh browser; then
  echo "skipped: no Chromium with its driver here, and none can be installed"
  exit 0
fi
status=0
# Python would leave its byte code beside the tests.
python3 -B Tests/Playground/playground_test.py --cardfeed "$cardfeed" "$@" || status=$?
# What the tests say when they are left out.
[ "$status" -eq 77 ] && exit 0
exit "$status"
