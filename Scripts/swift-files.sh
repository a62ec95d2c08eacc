#!/bin/sh
# Runs a command on the package's Swift files: swift-files.sh COMMAND [ARGUMENT…]
set -eu

set -- "$@" --recursive Package.swift
for folder in Sources Plugins Tests Snippets; do
  if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
done
exec "$@"
