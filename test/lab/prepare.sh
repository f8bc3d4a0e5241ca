#!/usr/bin/env bash
# What takes long the first time and starts nothing: installs Debian's packages and builds Kubernetes. `up.sh` does what is missing.
# usage: prepare.sh [contracts]   contracts: without Ceph and Prometheus, which the contracts that `.ci/run` plays do not need
set -euo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$LAB/packages.sh"
packages="python3 $KUBERNETES_PACKAGES $KUBERNETES_BUILD_PACKAGES $OPENSTACK_PACKAGES"
[ "${1:-}" = contracts ] || packages+=" $CEPH_PACKAGES $SIGNALS_PACKAGES"
apt_install $packages
"$LAB/kubernetes/build.sh"
