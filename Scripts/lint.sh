#!/bin/sh
# Checks what the compiler does not: format, banned words, long files, paths of one machine, and
# the scripts' syntax. Reports everything it finds and fails if anything but a long file was found.
set -u

failures=0

# fail TITLE FINDINGS: reports the findings, if there are any.
fail() {
  if [ -n "$2" ]; then
    printf 'error: %s\n%s\n' "$1" "$2" >&2
    failures=$((failures + 1))
  fi
}

# swift_lines PATTERN FOLDER…: lines of Swift files that match, those with nothing but a comment
# left out.
swift_lines() {
  pattern=$1
  shift
  grep -rnE --include='*.swift' -e "$pattern" "$@" 2>/dev/null | grep -vE '^[^:]*:[0-9]+: *//'
}

Scripts/swift-files.sh swift format lint --strict --parallel || failures=$((failures + 1))

# A concurrent writer makes this lock 30 times slower than a pthread mutex on Linux, and the thread
# sanitizer reports races in it that are none.
fail "Synchronization.Mutex is banned: use the engine's Lock." \
  "$(swift_lines '(^|[^A-Za-z0-9_])Mutex *[<(]|Synchronization\.Mutex' Sources Plugins Tests)"

for folder in Sources/CardFeedStack Sources/CardFeed Sources/CardFeedAnki Sources/CardFeedCalendar \
  Sources/CardFeedConfiguration Sources/CardFeedEventSinks Sources/CardFeedSQLite Sources/CardFeedVectorFiles Plugins; do
  fail "$folder must do without Foundation." \
    "$(swift_lines '^ *([a-z@_]+ +)*import +([a-z]+ +)?Foundation' "$folder")"
done

fail "try with an exclamation mark is banned: throw, or trap with a sentence." \
  "$(swift_lines '(^|[^A-Za-z0-9_])try!' Sources Plugins Tests)"

fail "Do it, or leave the note out:" \
  "$(grep -rnwE 'T[O]DO|FI[X]ME' Sources Plugins Tests Scripts .ci Makefile Package.swift)"

for script in Scripts/*.sh; do
  fail "$script is not a POSIX shell script:" "$(sh -n "$script" 2>&1)"
  [ -x "$script" ] || fail "$script cannot be run:" "chmod +x $script"
done
fail ".ci/run is not a bash script:" "$(bash -n .ci/run 2>&1)"
[ -x .ci/run ] || fail ".ci/run cannot be run:" "chmod +x .ci/run"

# Another machine has the checkout elsewhere. A short path such as /src could be anybody's.
here=$(pwd -P)
case $here in
  /*/*)
    escaped=$(printf '%s' "$here" | sed 's/[].[*^$\/(){}+?|]/\\&/g')
    # Owned by somebody else, as in a container, git would refuse to look at the checkout.
    if command -v git >/dev/null 2>&1 &&
      git -c safe.directory="$here" rev-parse --git-dir >/dev/null 2>&1; then
      fail "These files name the folder of this checkout:" \
        "$(git -c safe.directory="$here" grep -nIE \
          "(^|[^A-Za-z0-9_.~-])$escaped(\$|[^A-Za-z0-9_.-])" 2>&1)"
    else
      echo "note: no git checkout, so tracked files were not searched for its path" >&2
    fi
    ;;
esac

find Sources Plugins Tests -name '*.swift' -exec awk '
  END { if (NR > 500) printf "warning: %s: %d lines; a file past 400 is usually two\n", FILENAME, NR }
' {} \; >&2

if [ "$failures" -gt 0 ]; then
  echo "lint: $failures checks failed" >&2
  exit 1
fi
echo "lint: clean"
