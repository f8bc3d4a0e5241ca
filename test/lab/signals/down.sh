#!/usr/bin/env bash
# Stops what up.sh started, by its pid files, and deletes its data.
# usage: down.sh [DIRECTORY]
set -euo pipefail
DIR=${1:-${TMPDIR:-/tmp}/lockkeeper-lab-signals}
for name in alertmanager prometheus; do
  [ -e "$DIR/$name.pid" ] || continue
  pid=$(cat "$DIR/$name.pid")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 120); do kill -0 "$pid" 2>/dev/null || continue 2; sleep 0.25; done
  # Else its port is taken, and the next one ends at once. A pid of before a restart of the machine may be anybody's.
  case $(cat "/proc/$pid/comm" 2>/dev/null) in prometheus*) kill -9 "$pid" 2>/dev/null || true ;; esac
done
rm -rf "$DIR" "$DIR.policy"
