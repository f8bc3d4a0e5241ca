#!/usr/bin/env bash
# What takes long the first time and starts nothing: installs Debian's packages, Ceph's and Prometheus' too, and builds Kubernetes. `up.sh` does what is missing.
set -euo pipefail
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$LAB/packages.sh"
apt_install python3 $KUBERNETES_PACKAGES $KUBERNETES_BUILD_PACKAGES $OPENSTACK_PACKAGES $CEPH_PACKAGES $SIGNALS_PACKAGES
"$LAB/kubernetes/build.sh"
