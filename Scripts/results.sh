#!/bin/sh
# Rewrites datasets/RESULTS.md: results.sh CARDFEED [DATA]
# DATA is the folder of recorded data; experiments that need it are left out without it. Predictions
# that were made elsewhere, in DATA/../reference/dating/pred, are compared with if they are there.
set -eu

cardfeed=$1
data=${2:-}

set --
for experiment in datasets/experiments/*.json; do
  if [ -z "$data" ] && grep -q '"speed-dating"' "$experiment"; then
    echo "left out, since there is no folder of recorded data: $experiment" >&2
  elif grep -qE '"(student-answers|test-answers|reviews)"' "$experiment" && [ ! -d "$data/quiz" ]; then
    echo "left out, since there is no folder of recorded answers: $experiment" >&2
  else
    set -- "$@" "$experiment"
  fi
done
if [ -z "$data" ] && [ -e datasets/RESULTS.md ]; then
  echo "error: without recorded data datasets/RESULTS.md would lose figures." >&2
  echo "Name their folder: make results DATA=DIR (datasets/README.md says where they come from)" >&2
  exit 1
fi
if [ -n "$data" ]; then
  set -- "$@" --data "$data"
  references=$data/../reference/dating/pred
  if [ -d "$references" ]; then set -- "$@" --references "$references"; fi
fi

"$cardfeed" bench results "$@" --threads "$(getconf _NPROCESSORS_ONLN)" --out datasets/RESULTS.md

{
  printf '\n## Speed of lists for everybody\n\n`cardfeed bench market`: one thread, milliseconds, one market of each size and not the mean of several.\n\n```text\n'
  "$cardfeed" bench market 2>/dev/null
  printf '```\n'
} >> datasets/RESULTS.md
{
  printf '\n## Speed of memory models\n\n`cardfeed bench memory`: one thread, generated answers of one learner.\n\n```text\n'
  "$cardfeed" bench memory 2>/dev/null
  printf '```\n'
} >> datasets/RESULTS.md
