#!/bin/sh
# Builds the reference of every library module into docs/site/, with a page that links them. Every
# warning of the documentation compiler is an error.
#
# DOCS_BASE is the path the site will be served under, for instance "cardfeed" for
# https://example.org/cardfeed/; without it the site expects to be at the root.
set -eu

base=${DOCS_BASE:+${DOCS_BASE%/}/}
scratch=.build-docs
site=docs/site
graphs=$scratch/graphs

command -v docc >/dev/null 2>&1 || {
  echo "error: no 'docc' in PATH; it comes with the Swift toolchain, beside 'swift'." >&2
  exit 1
}

# The symbols of a module that is gone would stay.
rm -rf "$graphs" "$site" "$scratch"/*/symbolgraph
log=$scratch/symbol-graph.log
mkdir -p "$scratch"
# The command also wants the graphs of test runners, which no build makes, and fails for them alone;
# whether a module's graph is missing is checked below.
swift package --scratch-path "$scratch" --enable-all-traits dump-symbol-graph \
  --minimum-access-level public --skip-synthesized-members >"$log" 2>&1 || true
for folder in Sources/CardFeed* Plugins/*/; do
  module=$(basename "$folder")
  case $folder in Plugins/*) module=CardFeed$module ;; esac
  set -- "$scratch"/*/symbolgraph/"$module".symbols.json
  [ -e "$1" ] || { cat "$log"; echo "error: $module has no symbol graph." >&2; exit 1; }
done
mkdir -p "$graphs" "$site"

modules=
for graph in "$scratch"/*/symbolgraph/CardFeed*.symbols.json; do
  module=$(basename "$graph" .symbols.json)
  # "A@B" holds A's extensions of B and goes with A; the rest are tests and their runner.
  folder=Sources/$module
  [ -d "$folder" ] || folder=Plugins/${module#CardFeed}
  [ -d "$folder" ] || continue
  modules="$modules $module"
done
[ -n "$modules" ] || { echo "error: no module has a symbol graph." >&2; exit 1; }

failed=
for module in $modules; do
  echo "docs: $module"
  mkdir "$graphs/$module"
  cp "$scratch"/*/symbolgraph/"$module".symbols.json "$graphs/$module"
  for extensions in "$scratch"/*/symbolgraph/"$module"@*.symbols.json; do
    if [ -e "$extensions" ]; then cp "$extensions" "$graphs/$module"; fi
  done
  folder=Sources/$module
  [ -d "$folder" ] || folder=Plugins/${module#CardFeed}
  # A module may have articles beside its sources; it need not.
  set --
  if [ -d "$folder/$module.docc" ]; then set -- "$folder/$module.docc"; fi
  docc convert "$@" --additional-symbol-graph-dir "$graphs/$module" --output-dir "$site/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --fallback-default-module-kind Module --hosting-base-path "$base$module" \
    --transform-for-static-hosting --warnings-as-errors || failed="$failed $module"
done
if [ -n "$failed" ]; then
  echo "error: the documentation has warnings, shown above, in:$failed" >&2
  exit 1
fi

{
  cat <<'HTML'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>CardFeed reference</title>
<style>body { font: 1.1rem/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }</style>
<h1>CardFeed reference</h1>
<ul>
HTML
  for module in $modules; do
    page=$(printf '%s' "$module" | tr '[:upper:]' '[:lower:]')
    printf '<li><a href="%s/documentation/%s/">%s</a></li>\n' "$module" "$page" "$module"
  done
  printf '</ul>\n</html>\n'
} >"$site/index.html"

echo "docs: $site/index.html (its pages need a server: python3 -m http.server -d $site)"
