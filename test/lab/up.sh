#!/usr/bin/env bash
# Brings up the whole lab: Kubernetes and OpenStack, each with its workloads. Safe to run again; quick when it is up already.
# usage: up.sh [--openstack zed|modern|both]   without it: what LOCKKEEPER_LAB_OPENSTACK says, else zed; which Kubernetes, LOCKKEEPER_LAB_KUBERNETES: a or b, else a
# The first time on a machine takes about 10 minutes: it installs Debian packages and builds Kubernetes from Debian's source. The modern
# OpenStack takes as long again: it has a separate Debian.
set -euo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=/var/lib/lockkeeper-lab
[ "$(uname -s)" = Linux ] || { echo "The lab runs on Debian 12 only." >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "The lab installs packages and keeps its data in $ROOT: run this as root." >&2; exit 1; }
which=${LOCKKEEPER_LAB_OPENSTACK:-zed}
[ "${1:-}" != --openstack ] || { which=${2:-}; shift 2 || true; }
case $#$which in 0zed | 0modern) clouds=$which ;; 0both) clouds='zed modern' ;; *) sed -n 3p "$0" >&2; exit 2 ;; esac
cluster=${LOCKKEEPER_LAB_KUBERNETES:-a}
case $cluster in a) port=16443 ;; b) port=17443 ;; *) echo "LOCKKEEPER_LAB_KUBERNETES is $cluster: a or b" >&2; exit 2 ;; esac
mkdir -p "$ROOT"
exec 9>"$ROOT/lab.lock"
flock 9
once() { # mark command...: things that are seeded once and then belong to the users of the lab
  local mark=$1
  shift
  [ -e "$mark" ] && return 0
  "$@"
  touch "$mark"
}
data_of() { case $1 in zed) echo "$ROOT/openstack" ;; modern) echo "$ROOT/openstack-modern" ;; esac; }
command -v python3 >/dev/null || (. "$LAB/packages.sh" && apt_install python3)
kubeconfig=$ROOT/kube-$cluster/admin.kubeconfig
"$LAB/kubernetes/up.sh" "$cluster" "$port"
once "$ROOT/kube-$cluster/seeded" "$LAB/kubernetes/seed.sh" "$kubeconfig"
for release in $clouds; do
  export LOCKKEEPER_LAB_OPENSTACK=$release
  "$LAB/openstack/up.sh"
  once "$(data_of $release)/seeded" "$LAB/openstack/seed.sh"
done
echo
echo "The lab is up:"
echo "  export KUBECONFIG=$kubeconfig"
for release in $clouds; do echo "  export OS_CLIENT_CONFIG_FILE=$(data_of $release)/clouds.yaml OS_CLOUD=lab   # $release"; done
