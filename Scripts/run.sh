#!/bin/sh
# Shows what the package does: run.sh CARDFEED
# Runs an experiment, then puts cards into a new SQLite store and deals a hand from it.
set -eu

cardfeed=$1

show() {
  printf '\n$ cardfeed'
  printf ' %s' "$@"
  printf '\n'
  "$cardfeed" "$@"
}

show bench run datasets/experiments/generated-dating.json --threads 2

# The store that dating-feed.json names; a hand of an earlier run would be dealt again.
rm -f results/dating.db results/dating.db-wal results/dating.db-shm
show dataset make generated-dating --out results/generated
show swipe --config datasets/examples/dating-feed.json --recorded \
  --cards results/generated/dating/cards.jsonl --from results/generated/dating/swipes.jsonl
show deal --config datasets/examples/dating-feed.json --viewer p0001
