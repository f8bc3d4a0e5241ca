#!/bin/sh
# Opens the console in a separate window: Chromium without its bars where there is one, else the operator's browser.
for browser in chromium chromium-browser google-chrome-stable google-chrome; do
  command -v "$browser" >/dev/null 2>&1 && break
  browser=
done
[ -n "$browser" ] || exec /usr/bin/lockkeeper serve "$@"

said=$(mktemp)
/usr/bin/lockkeeper serve --no-open "$@" </dev/null >"$said" 2>&1 &
console=$!
trap 'kill "$console" 2>/dev/null; rm -f "$said"' EXIT INT TERM
address=
for _ in $(seq 300); do
  address=$(grep -o 'http://127\.0\.0\.1:[^ ]*' "$said" | head -n 1)
  [ -z "$address" ] || break
  if ! kill -0 "$console" 2>/dev/null; then
    cat "$said" >&2
    exit 1
  fi
  sleep 0.1
done
# A separate profile: the window is a process of this script, and the console ends with it.
"$browser" --app="$address" --class=lockkeeper --user-data-dir="${XDG_CACHE_HOME:-$HOME/.cache}/lockkeeper/browser" --no-first-run
