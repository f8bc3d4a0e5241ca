#!/usr/bin/env bash
# Stops a machine as Kubernetes sees it, and lets it run again: its kubelet is paused, with everything it started.
#   node.sh silent cmp-3 [cluster]      Ready becomes Unknown after 16 s
#   node.sh heard cmp-3 [cluster]
# The keeper may end a paused process: the loop that started it starts it again when it runs again.
set -euo pipefail
NAME=${3:-a}
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
node=${2:?node}
running "kubelet-$node" || die "no kubelet of $node runs"
read -r pid _ < "$RUN/kubelet-$node.pid"
case $1 in
  silent) kill -STOP -- -"$pid" ;;
  heard) kill -CONT -- -"$pid" ;;
  *) sed -n '2,6p' "$0"; exit 2 ;;
esac
