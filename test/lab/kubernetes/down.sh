#!/usr/bin/env bash
# Stops what up.sh started (by pid file and start time). usage: down.sh [instance-name] [--wipe]
set -uo pipefail
NAME=a wipe=
for word; do case $word in --wipe) wipe=1 ;; *) NAME=$word ;; esac; done
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
# Nodes and controllers first, the store last: nobody mourns a lost connection in its log.
for n in $(process_names); do case $n in etcd | apiserver) ;; *) stop "$n" & ;; esac; done
wait
stop apiserver
stop etcd
if [ -n "$wipe" ]; then rm -rf "$D"; say "$D deleted"; fi
say "Kubernetes ($NAME) is down"
