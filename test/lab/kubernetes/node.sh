#!/usr/bin/env bash
# A machine that Kubernetes hears nothing of, and hears again: its kubelet stands still, with all it started.
#   node.sh silent cmp-3 [cluster]      Ready becomes Unknown after 16 s
#   node.sh heard cmp-3 [cluster]
# The keeper may end what stands still: the loop that started it starts it again once it goes on.
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
