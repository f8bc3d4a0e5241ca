#!/usr/bin/env bash
# Stops the lab. With --wipe its data is deleted too; packages and the built Kubernetes stay. usage: down.sh [--wipe]
set -uo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=/var/lib/lockkeeper-lab
case ${1:-} in '' | --wipe) ;; *) sed -n 2p "$0" >&2; exit 2 ;; esac
status=0
for instance in "$ROOT"/kube-*; do
  [ -d "$instance" ] && { "$LAB/kubernetes/down.sh" "${instance##*/kube-}" "$@" || status=1; }
done
[ -d "$ROOT/openstack" ] && { "$LAB/openstack/down.sh" "$@" || status=1; }
[ -d "$ROOT/ceph" ] && { "$LAB/ceph/down.sh" "$@" || status=1; }
exit $status
