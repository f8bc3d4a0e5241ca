#!/usr/bin/env bash
# Stops what up.sh started, by pid file and name; LOCKKEEPER_LAB_CEPH: which release. usage: down.sh [--wipe]
set -u
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"
for file in "$D"/run/*.pid; do
  [ -f "$file" ] || continue
  pid=$(cat "$file")
  case $(cat "/proc/$pid/comm" 2>/dev/null) in ceph-*) kill "$pid" ;; esac
done
for i in $(seq 50); do
  left=
  for file in "$D"/run/*.pid; do [ -f "$file" ] && grep -qs '^ceph-' "/proc/$(cat "$file")/comm" && left=1; done
  [ -z "$left" ] && break
  sleep 0.2
done
if [ "${1:-}" = --wipe ]; then rm -rf "$D"; fi
