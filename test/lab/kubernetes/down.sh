#!/usr/bin/env bash
# Stops what up.sh started (by pidfile). usage: down.sh [instance-name] [--wipe]
D=/var/lib/lockkeeper-lab/kube-${1:-a}
for p in "$D"/run/*.pid; do [ -f "$p" ] && kill "$(cat "$p")" 2>/dev/null; rm -f "$p"; done
[ "${2:-}" = --wipe ] && { sleep 2; rm -rf "$D"; }
true
