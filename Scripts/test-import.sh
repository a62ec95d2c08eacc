#!/bin/sh
# Builds a package that imports this one by path, as a server project would, and runs it.
set -eu

scratch=$(pwd)/.build-import
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT

swift build --package-path Tests/ImportProbe --scratch-path "$scratch"
"$scratch/debug/ImportProbe" "$database/cards.db"
