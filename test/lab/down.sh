#!/usr/bin/env bash
# Stops the lab, or one of its OpenStacks alone. With --wipe its data is deleted too; packages, the built Kubernetes and the Debian of the
# modern OpenStack stay. usage: down.sh [--openstack zed|modern] [--wipe]
set -uo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=/var/lib/lockkeeper-lab
usage() { sed -n 2,3p "$0" >&2; exit 2; }
only='' wipe=()
while [ $# -gt 0 ]; do
  case $1 in
    --wipe) wipe=(--wipe) ;;
    --openstack) shift; case ${1:-} in zed | modern) only=$1 ;; *) usage ;; esac ;;
    *) usage ;;
  esac
  shift
done
status=0
down_openstack() { # release data
  [ ! -d "$2" ] || LOCKKEEPER_LAB_OPENSTACK=$1 "$LAB/openstack/down.sh" "${wipe[@]}" || status=1
}
if [ -z "$only" ]; then
  for instance in "$ROOT"/kube-*; do
    [ -d "$instance" ] && { "$LAB/kubernetes/down.sh" "${instance##*/kube-}" "${wipe[@]}" || status=1; }
  done
fi
[ "$only" = modern ] || down_openstack zed "$ROOT/openstack"
[ "$only" = zed ] || down_openstack modern "$ROOT/openstack-modern"
down_ceph() { # release data
  [ ! -d "$2" ] || LOCKKEEPER_LAB_CEPH=$1 "$LAB/ceph/down.sh" "${wipe[@]}" || status=1
}
if [ -z "$only" ]; then
  down_ceph pacific "$ROOT/ceph"
  down_ceph modern "$ROOT/ceph-modern"
fi
exit $status
