#!/usr/bin/env bash
# Builds kube-apiserver, kube-controller-manager, kube-scheduler and kubemark
# (hollow kubelets) from Debian bookworm's own `kubernetes` source package.
# ~4 minutes on 2 cores. Result: $LAB_BIN (default ~/.cache/lockkeeper-lab/kube-1.20.2-r2).
set -euo pipefail
LAB_BIN=${LAB_BIN:-$HOME/.cache/lockkeeper-lab/kube-1.20.2-r2}
[ -x "$LAB_BIN/kubemark" ] && { echo "$LAB_BIN"; exit 0; }
export DEBIAN_FRONTEND=noninteractive
if ! grep -rqs '^Types:.*deb-src' /etc/apt/sources.list.d/; then
  cat >/etc/apt/sources.list.d/lockkeeper-lab-src.sources <<S
Types: deb-src
URIs: $(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
fi
apt-get update -qq
apt-get -o DPkg::Lock::Timeout=600 install -y -qq golang-go rsync dpkg-dev etcd-server etcd-client golang-github-modern-go-reflect2-dev >/dev/null
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
(cd "$W" && apt-get source -qq kubernetes/bookworm >/dev/null 2>&1 || apt-get source -qq 'kubernetes=1.20*' )
mkdir -p "$W/gopath/src/k8s.io"; mv "$W"/kubernetes-1.20* "$W/gopath/src/k8s.io/kubernetes"
cd "$W/gopath/src/k8s.io/kubernetes"
# The vendored reflect2 1.0.1 does not fit Go >= 1.18: the API server crashes when a custom resource is written. Debian's 1.0.2 does fit.
rsync -a --delete --exclude '*_test.go' /usr/share/gocode/src/github.com/modern-go/reflect2/ vendor/github.com/modern-go/reflect2/
export GOPATH=$W/gopath GO111MODULE=off CGO_ENABLED=0 GOFLAGS= \
  KUBE_GIT_VERSION=v1.20.2 KUBE_GIT_COMMIT=debian KUBE_GIT_TREE_STATE=archive KUBE_GIT_MAJOR=1 KUBE_GIT_MINOR=20
make WHAT="cmd/kube-apiserver cmd/kube-controller-manager cmd/kube-scheduler cmd/kubemark" GOLDFLAGS="-s -w" >"$W/build.log" 2>&1 || { tail -40 "$W/build.log"; exit 1; }
mkdir -p "$LAB_BIN"; cp _output/local/bin/linux/amd64/kube* "$LAB_BIN/"
echo "$LAB_BIN"
