#!/bin/sh
# Measures the shared store on a PostgreSQL server of its own: bench-postgres.sh CARDFEED [OPTION...]
# Makes a cluster in a folder below results/ (or below $CLUSTERS), runs it as an ordinary user on the
# loopback address, hands the options to `cardfeed bench postgres`, then ends the server by its
# process and removes the folder.
set -eu

cardfeed=$1
shift
case $cardfeed in /*) ;; *) cardfeed=$(pwd)/$cardfeed ;; esac

# Debian keeps the server's programs out of PATH, one folder for each version; the latest one wins.
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n | tail -n 1)
[ -n "$programs" ] || programs=$(dirname "$(command -v initdb)" 2>/dev/null) || true
if [ ! -x "$programs/initdb" ]; then
  echo "error: no PostgreSQL server here. Install one, on Debian: apt-get install postgresql" >&2
  exit 1
fi

parent=${CLUSTERS:-results}
mkdir -p "$parent"
folder=$(mktemp -d "$(cd "$parent" && pwd)/postgres.XXXXXX")
server=

clean_up() {
  if [ -n "$server" ]; then
    # Fast: sessions end, nothing waits for them.
    kill -INT "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The server refuses to run as root.
ordinary=
if [ "$(id -u)" -eq 0 ]; then
  ordinary="setpriv --reuid=postgres --regid=postgres --init-groups"
  chown postgres "$folder"
  # The folders above need not be open to everybody, so the server's are reached by its own folder.
fi

cd "$folder"
# shellcheck disable=SC2086 # a list of words
$ordinary "$programs/initdb" -D "$folder/data" -U card --auth=trust --no-sync -E UTF8 \
  --locale=C.UTF-8 >"$folder/initdb.log" 2>&1 || {
  cat "$folder/initdb.log" >&2
  exit 1
}

# Sockets only, in the cluster's folder. Commits wait for the disk, as they are meant to.
# shellcheck disable=SC2086
setsid $ordinary "$programs/postgres" -D "$folder/data" -c listen_addresses= \
  -c unix_socket_directories="$folder" -c shared_buffers=4GB -c max_wal_size=16GB \
  -c min_wal_size=1GB -c checkpoint_timeout=30min -c wal_compression=on \
  >"$folder/server.log" 2>&1 </dev/null &
server=$!

tries=0
until "$programs/pg_isready" -q -h "$folder"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
    tail -n 20 "$folder/server.log" >&2
    echo "error: the server did not start; its last lines are above." >&2
    exit 1
  fi
  sleep 0.1
done

"$cardfeed" bench postgres --conninfo "host=$folder user=card dbname=postgres" --in "$folder" "$@"
