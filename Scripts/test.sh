#!/bin/sh
# Builds in debug with every trait switched on and runs all tests, or those that the arguments of
# `swift test` choose. The count is the last line.
set -eu

# XCTest would print a count of its own, which is 0: all tests are written with Swift Testing.
options="--scratch-path .build --enable-all-traits --disable-xctest"
# shellcheck disable=SC2086 # a list of words
swift build --build-tests $options
# shellcheck disable=SC2086
exec Scripts/watch-tests.sh --skip-build $options "$@"
