#!/bin/sh
# Makes sure that the toolchain and the system libraries of the package are there, with the argument
# `traits` also the libraries of its traits, and with `tests` whatever tests need; with `browser` only
# what the tests of the page need, with `wrk` the program that sends requests when the service is
# measured. Installs Debian packages only when they are missing, and says what to do when it cannot.
set -eu

if ! command -v swift >/dev/null 2>&1; then
  echo "error: no 'swift' in PATH. Install Swift 6.2 or later: https://www.swift.org/install" >&2
  exit 1
fi

missing=
if [ "${1:-}" = browser ]; then
  command -v python3 >/dev/null 2>&1 || missing="$missing python3"
  command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
    command -v google-chrome >/dev/null 2>&1 || missing="$missing chromium"
  command -v chromedriver >/dev/null 2>&1 || missing="$missing chromium-driver"
else
  command -v pkg-config >/dev/null 2>&1 || missing="$missing pkg-config"
  if [ -n "$missing" ] || ! pkg-config --exists sqlite3 libmicrohttpd libzip libzstd zlib; then
    # Without pkg-config nobody can tell; asking for an installed package costs nothing.
    missing="$missing libsqlite3-dev libmicrohttpd-dev libzip-dev libzstd-dev zlib1g-dev"
  fi
fi
if [ "${1:-}" = tests ]; then
  # The JSON Schema of configurations is held against a validator that others wrote.
  python3 -c 'import jsonschema' >/dev/null 2>&1 || missing="$missing python3 python3-jsonschema"
fi
case ${1:-} in
  traits | tests)
    if [ -n "$missing" ] || ! pkg-config --exists libpq; then missing="$missing libpq-dev"; fi
    if [ -n "$missing" ] || ! pkg-config --exists openblas; then
      missing="$missing libopenblas-dev"
    fi
    if [ -n "$missing" ] || ! pkg-config --exists xgboost; then
      missing="$missing libxgboost-dev"
    fi
    # Headers only, without a .pc file.
    if [ -n "$missing" ] || [ ! -e /usr/include/hnswlib/hnswlib.h ]; then
      missing="$missing libhnswlib-dev"
    fi
    ;;
esac
if [ "${1:-}" = tests ]; then
  # Debian keeps the server's programs out of PATH, one folder for each version.
  server=$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null || command -v initdb || true)
  [ -n "$server" ] || missing="$missing postgresql"
  # Two hosts on one machine, which only root can make; without them that test is skipped.
  if [ "$(id -u)" -eq 0 ] && ! command -v ip >/dev/null 2>&1; then missing="$missing iproute2"; fi
fi
if [ "${1:-}" = wrk ]; then
  command -v wrk >/dev/null 2>&1 || missing="$missing wrk"
fi
[ -n "$missing" ] || exit 0

give_up() {
  echo "error: $1" >&2
  echo "Install these yourself, then repeat the command:$missing" >&2
  echo "(Debian's names; elsewhere: pkg-config, and SQLite 3, libmicrohttpd 0.9.75, libzip and libzstd" >&2
  echo "with their headers and sqlite3.pc, libmicrohttpd.pc, libzip.pc, libzstd.pc, zlib.pc; for traits and tests also libpq with its header" >&2
  echo "and libpq.pc, OpenBLAS with LAPACK, its header and openblas.pc, XGBoost 1.7 with its header" >&2
  echo "and xgboost.pc, hnswlib 0.6 with its headers, and a PostgreSQL server.)" >&2
  exit 1
}

command -v apt-get >/dev/null 2>&1 || give_up "packages are missing and there is no apt-get."

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    # Without a terminal nobody could type a password, so it must not be asked for.
    if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
  fi
}

if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
  give_up "packages are missing, and installing them needs root or sudo."
fi

echo "Installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT

install_packages() {
  # shellcheck disable=SC2086 # a list of words
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing </dev/null >"$log" 2>&1
}

# The lists of a fresh machine are empty or old: fetch them only if it does not work without.
if ! install_packages; then
  if ! as_root apt-get update -q </dev/null >"$log" 2>&1 || ! install_packages; then
    tail -n 20 "$log" >&2
    give_up "apt-get could not install them; its last lines are above."
  fi
fi
