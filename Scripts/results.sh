#!/bin/sh
# Rewrites datasets/RESULTS.md, or datasets/SEARCHES.md: results.sh CARDFEED [DATA [searches]]
# DATA is the folder of recorded data; experiments that need it are left out without it. Predictions
# that were made elsewhere, in DATA/../reference/{dating,quiz}/pred, are compared with if they are there, and those
# in REFERENCES, another folder, such as that of predict-fsrs-rs.py.
# `searches` runs what was tried on the way to the models of the experiments, and takes far longer.
set -eu

cardfeed=$1
data=${2:-}
folder=${3:-experiments}
case $folder in
  experiments) out=datasets/RESULTS.md ;;
  searches) out=datasets/SEARCHES.md ;;
  *)
    echo "error: results.sh makes experiments or searches, not $folder." >&2
    exit 64
    ;;
esac

set --
for experiment in datasets/"$folder"/*.json; do
  if [ -z "$data" ] && grep -q '"speed-dating"' "$experiment"; then
    echo "left out, since there is no folder of recorded data: $experiment" >&2
  elif grep -qE '"(student-answers|test-answers|reviews)"' "$experiment" && [ ! -d "$data/quiz" ]; then
    echo "left out, since there is no folder of recorded answers: $experiment" >&2
  elif grep -q '"use": "swipes"' "$experiment" && [ ! -d "$data/product" ]; then
    echo "left out, since there is no folder of recorded swipes: $experiment" >&2
  elif { grep -q '"purchase-rows"' "$experiment" && [ ! -e "$data/product/cj_purchase/test.csv" ]; } ||
    { grep -q '"bandit-tapes"' "$experiment" && [ ! -d "$data/product/tapes" ]; } ||
    { grep -q '"rated-lists"' "$experiment" && [ ! -e "$data/product/ml100k_genres.csv" ]; }; then
    echo "left out, since a table of it is missing in $data/product: $experiment" >&2
  else
    set -- "$@" "$experiment"
  fi
done
if [ -z "$data" ] && [ -e "$out" ]; then
  echo "error: without recorded data $out would lose figures." >&2
  echo "Name their folder with DATA=DIR (datasets/README.md says where they come from)" >&2
  exit 1
fi
if [ -n "$data" ]; then
  set -- "$@" --data "$data"
  references=$(mktemp -d)
  trap 'rm -r "$references"' EXIT
  for file in "$data"/../reference/dating/pred/*.csv "$data"/../reference/quiz/pred/*.csv \
    ${REFERENCES:+"$REFERENCES"/*.csv}; do
    if [ -e "$file" ]; then cp "$file" "$references"; fi
  done
  if [ "$folder" = experiments ] && [ -n "$(ls "$references")" ]; then
    set -- "$@" --references "$references"
  fi
fi

"$cardfeed" bench results "$@" --threads "$(getconf _NPROCESSORS_ONLN)" --out "$out"
if [ "$folder" = searches ]; then exit 0; fi

{
  printf '\n## Speed of lists for everybody\n\n`cardfeed bench market`: one thread, milliseconds, one market of each size and not the mean of several.\n\n```text\n'
  "$cardfeed" bench market 2>/dev/null
  printf '```\n'
} >> "$out"
{
  printf '\n## Speed of memory models\n\n`cardfeed bench memory`: one thread, generated answers of one learner.\n\n```text\n'
  "$cardfeed" bench memory 2>/dev/null
  printf '```\n'
} >> "$out"
