#!/bin/sh
# Measures this program beside others on the same files, one after the other on this machine:
# bench-peers.sh CARDFEED FOLDER [GRAPH_ROWS [OPTION...]]
# FOLDER gets an environment of Python with the other programs, from PyPI, and the files; both are kept. The
# table of ratios goes to standard output, what was printed on the way to FOLDER/peers.json. OPTIONs
# are those of bench-peers.py, such as --small.
set -eu

cardfeed=$1
folder=$2
rows=${3:-200000}
shift "$(($# < 3 ? $# : 3))"

mkdir -p "$folder"
python=$folder/environment/bin/python
if [ ! -x "$python" ]; then
  echo "making an environment with numpy, scipy, implicit, faiss and hnswlib" >&2
  if ! python3 -m venv "$folder/environment" ||
    ! "$folder/environment/bin/pip" -q install numpy scipy implicit faiss-cpu hnswlib; then
    rm -rf "$folder/environment"
    echo "error: there is no environment; it needs Python 3 with venv, a C++ compiler and PyPI." >&2
    exit 1
  fi
fi

# One thread each, whatever a library would take.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$python" "$(dirname "$0")/bench-peers.py" --graph-rows "$rows" "$@" "$folder/inputs" \
  >"$folder/peers.json.new"
mv "$folder/peers.json.new" "$folder/peers.json"
"$cardfeed" bench perf --inputs "$folder/inputs" --peers "$folder/peers.json" --graph-rows "$rows"
