#!/bin/sh
# Runs `swift test` with the given arguments and passes its output on line by line. A run that has
# not ended after CARDFEED_TEST_MINUTES (30) is ended here, and says first which tests had not
# finished and, where gdb is there, where the threads stand.
set -eu

limit=$((${CARDFEED_TEST_MINUTES:-30} * 60))
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Into a pipe or a file the tests would write whole blocks, and the last one not at all.
lines=
if command -v stdbuf >/dev/null; then lines='stdbuf -oL'; fi

# shellcheck disable=SC2086 # nothing or words
$lines swift test "$@" >"$log" 2>&1 </dev/null &
run=$!
tail -n +1 -f --pid="$run" "$log" &
reader=$!

# The processes under one process, itself last.
family() {
  for child in $(ps -o pid= --ppid "$1"); do family "$child"; done
  echo "$1"
}

unfinished() {
  sed -n 's/^[^ ]* Test \(.*\) started\.$/\1/p' "$log" | sort >"$log.started"
  sed -n 's/^[^ ]* Test \(.*\) \(passed\|failed\|skipped\).*/\1/p' "$log" |
    sed 's/ with [0-9]* test cases\{0,1\}$//' | sort >"$log.ended"
  comm -23 "$log.started" "$log.ended"
  rm -f "$log.started" "$log.ended"
}

seconds=0
while kill -0 "$run" 2>/dev/null; do
  sleep 1
  seconds=$((seconds + 1))
  if [ "$seconds" -ge "$limit" ]; then
    echo "error: the tests did not end in $limit s. Not finished:" >&2
    unfinished >&2
    for process in $(family "$run"); do
      if command -v gdb >/dev/null && grep -q PackageTests "/proc/$process/cmdline"; then
        timeout 120 gdb -p "$process" -batch -ex 'thread apply all bt 25' 2>/dev/null |
          grep -E '^(Thread|#)' | cut -c1-160 >&2 || true
      fi
    done
    # shellcheck disable=SC2046 # a list of numbers
    kill -KILL $(family "$run") 2>/dev/null || true
    wait "$reader" || true
    exit 1
  fi
done
status=0
wait "$run" || status=$?
wait "$reader" || true
exit "$status"
