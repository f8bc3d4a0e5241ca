#!/usr/bin/env bash
# Kills hollow kubelets that no longer report, so that they start again: kubemark's fake runtime deadlocks now and then while it removes
# containers (seen 2026-11-21), and a node that is lost in the middle of a test says nothing about what is tested.
# usage: kubelet-keeper.sh KUBECONFIG PID_FILES
set -uo pipefail
export KUBECONFIG=$1
lost_nodes() { kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' 2>/dev/null | awk '$2 == "Unknown" { print $1 }'; }
while sleep 5; do
  for node in $(lost_nodes); do
    pid= start=
    { read -r pid start < "$2/kubelet-$node.pid"; } 2>/dev/null || continue
    # The pid file names the loop that starts it; a node without one was stopped on purpose.
    [ -n "$pid" ] && pkill -KILL -P "$pid" && echo "$(date +%T) $node was lost: its kubelet is started again"
  done
done
