#!/usr/bin/env bash
# Brings up the whole lab: Kubernetes and OpenStack, each with its workloads. Safe to run again; quick when it is up already.
# The first time on a machine takes about 10 minutes: it installs Debian packages and builds Kubernetes from Debian's source.
set -euo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=/var/lib/lockkeeper-lab
[ "$(uname -s)" = Linux ] || { echo "The lab runs on Debian 12 only." >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "The lab installs packages and keeps its data in $ROOT: run this as root." >&2; exit 1; }
mkdir -p "$ROOT"
exec 9>"$ROOT/lab.lock"
flock 9
once() { # mark command...: what is seeded once and then belongs to whoever works on the lab
  local mark=$1
  shift
  [ -e "$mark" ] && return 0
  "$@"
  touch "$mark"
}
command -v python3 >/dev/null || (. "$LAB/packages.sh" && apt_install python3)
kubeconfig=$ROOT/kube-a/admin.kubeconfig clouds=$ROOT/openstack/clouds.yaml
"$LAB/kubernetes/up.sh" a
once "$ROOT/kube-a/seeded" "$LAB/kubernetes/seed.sh" "$kubeconfig"
"$LAB/openstack/up.sh"
once "$ROOT/openstack/seeded" "$LAB/openstack/seed.sh"
echo
echo "The lab is up:"
echo "  export KUBECONFIG=$kubeconfig"
echo "  export OS_CLIENT_CONFIG_FILE=$clouds OS_CLOUD=lab"
