#!/usr/bin/env bash
D=/var/lib/lockkeeper-lab/ceph; for p in $D/run/*.pid; do [ -f "$p" ] && kill "$(cat "$p")" 2>/dev/null; done; sleep 2; [ "${1:-}" = --wipe ] && rm -rf $D; true
