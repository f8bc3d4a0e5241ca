#!/usr/bin/env bash
# Kills hollow kubelets that no longer report, or that lost their containers, so that they start again: kubemark's fake runtime
# deadlocks now and then while it removes containers, and one that starts on a busy machine may take each container for ended for ever
# (both seen). A node that is lost in the middle of a test says nothing about what is tested.
# usage: kubelet-keeper.sh KUBECONFIG PID_FILES
set -uo pipefail
export KUBECONFIG=$1
lost_nodes() { kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' 2>/dev/null | awk '$2 == "Unknown" { print $1 }'; }
# A container of the fake runtime does nothing, so none crashes.
crashing_nodes() { kubectl get pods -A -o jsonpath='{range .items[*]}{.spec.nodeName}{" "}{.status.containerStatuses[*].state.waiting.reason}{"\n"}{end}' 2>/dev/null | awk '$2 == "CrashLoopBackOff" { print $1 }' | sort -u; }
round=0
while sleep 5; do
  round=$((round + 1))
  # A kubelet that was started again needs some seconds to say so of its pods.
  for node in $(lost_nodes; [ $((round % 6)) != 0 ] || crashing_nodes); do
    pid= start=
    { read -r pid start < "$2/kubelet-$node.pid"; } 2>/dev/null || continue
    # The pid file names the loop that starts it; a node without one was stopped on purpose.
    [ -n "$pid" ] && pkill -KILL -P "$pid" && echo "$(date +%T) $node was lost: its kubelet is started again"
  done
done
