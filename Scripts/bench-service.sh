#!/bin/sh
# Measures the service over HTTP: bench-service.sh CARDFEED [OPTION...], --help has the options.
# Serves a deck in SQLite from a folder below results/ on a free loopback port, sends it hands and
# swipes by wrk, measures `cardfeed bench store` in turns with the swipes, stops the server by its
# process and checks its store.
set -eu

usage() {
  cat <<'TEXT'
usage: bench-service.sh CARDFEED [OPTION...]

  --seconds NUMBER      how long each kind of hands is asked for (default: 5)
  --rounds NUMBER       turns of swipes and of 'cardfeed bench store' (default: 5)
  --round-seconds NUMBER
                        how long the swipes of a turn go on (default: 2)
  --connections NUMBER  connections of wrk (default: 64)
  --viewers NUMBER      viewers whose swipes take turns (default: 8000)
  --at-least PERCENT    the share of durable swipes over HTTP that is asked for (default: 50)
  --in DIR              the folder whose disk is measured (default: results)

The exit status is 1 if a request was not answered with 2xx, if the store has a problem or lacks an
acknowledged swipe, or if the share is smaller than is asked for.
TEXT
}

seconds=5
rounds=5
round_seconds=2
connections=64
viewers=8000
share=50
parent=results
cardfeed=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --seconds | --rounds | --round-seconds | --connections | --viewers | --at-least)
      case ${2:-} in
        '' | *[!0-9]* | 0 | 0[0-9]*)
          echo "error: $1 needs a whole number from 1 on, found '${2:-}'." >&2
          exit 64
          ;;
      esac
      ;;
  esac
  case $1 in
    --seconds) seconds=$2 ;;
    --rounds) rounds=$2 ;;
    --round-seconds) round_seconds=$2 ;;
    --connections) connections=$2 ;;
    --viewers) viewers=$2 ;;
    --at-least) share=$2 ;;
    --in) parent=${2:?"--in needs a folder"} ;;
    -*) echo "error: unknown option '$1'; --help lists them." >&2; exit 64 ;;
    *)
      [ -z "$cardfeed" ] || { echo "error: '$1' is one argument too many." >&2; exit 64; }
      cardfeed=$1
      shift
      continue
      ;;
  esac
  shift 2
done
[ -n "$cardfeed" ] || { usage >&2; exit 64; }
if ! command -v wrk >/dev/null 2>&1; then
  echo "error: no 'wrk' in PATH. Install it, on Debian: apt-get install wrk" >&2
  exit 1
fi

scripts=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$parent"
folder=$(mktemp -d "$(cd "$parent" && pwd)/service.XXXXXX")
server=

clean_up() {
  if [ -n "$server" ]; then
    kill -INT "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# A hand has cards enough for all swipes of a turn, at a rate that no machine reaches so far.
cards=$((round_seconds * 50000 / viewers + 2))
card=1
while [ "$card" -le "$cards" ]; do
  printf '{"id":"card-%d","prompt":"Question %d?","answer":"Answer %d","skills":["all"],"order":%d}\n' \
    "$card" "$card" "$card" "$card"
  card=$((card + 1))
done >"$folder/cards.ndjson"
cat >"$folder/feed.json" <<TEXT
{
  "version": 1, "deck": "quiz", "store": { "use": "sqlite", "path": "$folder/cards.db" },
  "hand": { "size": $cards, "refillBelow": 1 }, "sessions": $((2 * viewers + 1000)),
  "sources": [{ "use": "all" }], "ranking": { "use": "source-order" }
}
TEXT
"$cardfeed" deal --config "$folder/feed.json" --viewer nobody --cards "$folder/cards.ndjson" \
  >/dev/null 2>"$folder/deal.log" || { cat "$folder/deal.log" >&2; exit 1; }

"$cardfeed" serve --config "$folder/feed.json" --port 0 >"$folder/server.log" 2>&1 </dev/null &
server=$!
tries=0
until grep -q '^serving on ' "$folder/server.log"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
    cat "$folder/server.log" >&2
    echo "error: the server did not start; what it said is above." >&2
    exit 1
  fi
  sleep 0.1
done
url=$(sed -n 's/^serving on //p' "$folder/server.log")

# Processor time of the server so far, in microseconds.
processor() {
  awk -v hertz="$(getconf CLK_TCK)" '{ printf "%.0f", ($14 + $15) * 1e6 / hertz }' "/proc/$server/stat"
}
memory() { awk '/^VmRSS:/ { printf "%.0f", $2 / 1024 }' "/proc/$server/status"; }

# Requests, microseconds, errors, and the latency's median and p99 of one run of wrk, which are added
# to the sums.
requests=0
errors=0
load() {
  PREFIX=$2 VIEWERS=$3 START=${5:-0} wrk -t1 -c"$connections" -d"$4" -s "$scripts/$1.lua" "$url" \
    >"$folder/wrk.out" 2>&1 || { cat "$folder/wrk.out" >&2; exit 1; }
  result=$(sed -n 's/^RESULT //p' "$folder/wrk.out")
  [ -n "$result" ] || { cat "$folder/wrk.out" >&2; exit 1; }
  # shellcheck disable=SC2086 # five numbers
  set -- $result
  count=$1 microseconds=$2 failed=$3 median=$4 p99=$5
  requests=$((requests + count))
  errors=$((errors + failed))
}
rate() { echo "$count $microseconds" | awk '{ printf "%.0f", $1 * 1e6 / $2 }'; }
row() { printf '%-44s %10s  %s\n' "$1" "$2" "$3"; }
milliseconds() { echo "$1" | awk '{ printf "%.2f", $1 / 1000 }'; }

row measured value unit
row -------- ----- ----
row "resident memory before" "$(memory)" MB

load bench-service-hands w 200 1
for many in 1 200; do
  load bench-service-hands w "$many" "$seconds"
  row "warm hands, viewers in turn: $many" "$(rate)" 1/s
  row "  median" "$(milliseconds "$median")" ms
  row "  p99" "$(milliseconds "$p99")" ms
done

round=1
swipes=0
dealt=200
while [ "$round" -le "$rounds" ]; do
  # The hands of this turn's viewers, each dealt once; what wrk asked for last may not be answered.
  done=0
  while [ "$done" -lt $((viewers + connections)) ]; do
    load bench-service-hands "r$round-" "$viewers" 1 "$done"
    done=$((done + (count > connections ? count - connections : 0)))
  done
  dealt=$((dealt + viewers))
  before=$(processor)
  load bench-service-swipes "r$round-" "$viewers" "$round_seconds"
  spent=$((($(processor) - before) / (count > 0 ? count : 1)))
  swipes=$((swipes + count - failed))
  # 1 is what it says of its own ratio.
  "$cardfeed" bench store --in "$folder" --format csv >"$folder/store.csv" || [ $? -eq 1 ]
  direct=$(awk -F, '/^"?durable swipes/ { print $(NF - 1) }' "$folder/store.csv" | tr -d '"')
  echo "$(rate) $direct $median $p99 $spent"
  round=$((round + 1))
done >"$folder/turns"

# The median of a column of the turns.
middle() {
  awk -v column="$1" '{ print $column }' "$folder/turns" | sort -n |
    awk '{ of[NR] = $1 } END { print NR % 2 ? of[(NR + 1) / 2] : (of[NR / 2] + of[NR / 2 + 1]) / 2 }'
}
awk '{ print $1, $2, $3, $4, $5, 100 * $1 / $2 }' "$folder/turns" >"$folder/shares"
mv "$folder/shares" "$folder/turns"
reached=$(middle 6)
row "durable swipes over HTTP, median of turns" "$(printf '%.0f' "$(middle 1)")" 1/s
row "  median" "$(milliseconds "$(middle 3)")" ms
row "  p99" "$(milliseconds "$(middle 4)")" ms
row "  processor time of one, in the server" "$(printf '%.0f' "$(middle 5)")" µs
row "durable swipes in process, median of turns" "$(printf '%.0f' "$(middle 2)")" 1/s
row "share over HTTP, median of turns" "$(printf '%.0f' "$reached")" %
row "resident memory after" "$(memory)" MB
row "requests" "$requests" ""
row "  of them not answered with 2xx" "$errors" ""

kill -INT "$server"
status=0
wait "$server" || status=$?
server=
if [ "$status" -ne 0 ]; then
  cat "$folder/server.log" >&2
  echo "error: the server ended with the status $status; what it said is above." >&2
  exit 1
fi

status=0
if ! "$cardfeed" store check --config "$folder/feed.json" >"$folder/check.txt"; then
  cat "$folder/check.txt" >&2
  status=1
fi
events=$(sed -n 's/^\([0-9]*\) events, .*/\1/p' "$folder/check.txt")
problems=$(sed -n 's/^.* events, \([0-9]*\) problem.*/\1/p' "$folder/check.txt")
row "acknowledged swipes" "$swipes" ""
row "hands dealt" "$dealt" ""
row "events in the store, two for each swipe" "$events" ""
row "problems in the store" "$problems" ""

fail() {
  echo "error: $1" >&2
  status=1
}
[ "$errors" -eq 0 ] || fail "$errors requests were not answered with 2xx."
# A good answer is a swipe and a match. What was under way when wrk stopped may be in the store without
# having been acknowledged.
[ "$events" -ge $((2 * swipes + dealt)) ] || fail "the store lacks acknowledged events."
echo "$reached $share" | awk '{ exit $1 < $2 }' ||
  fail "durable swipes over HTTP reach less than $share % of those in process."
exit "$status"
