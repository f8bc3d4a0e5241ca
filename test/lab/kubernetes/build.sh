#!/usr/bin/env bash
# Builds kube-apiserver, kube-controller-manager, kube-scheduler and kubemark
# (hollow kubelets) from Debian bookworm's own `kubernetes` source package.
# ~4 minutes on 2 cores. Result: $LAB_BIN (default ~/.cache/lockkeeper-lab/kube-1.20.2-r2).
set -euo pipefail
LAB_BIN=${LAB_BIN:-$HOME/.cache/lockkeeper-lab/kube-1.20.2-r2}
[ -x "$LAB_BIN/kubemark" ] && { echo "$LAB_BIN"; exit 0; }
. "$(dirname "${BASH_SOURCE[0]}")/../packages.sh"
[ "$(id -u)" = 0 ] || { echo "Building the lab's Kubernetes needs root, to install Debian's build packages." >&2; exit 1; }
grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || { echo "The lab's Kubernetes is built from Debian 12 (bookworm) packages; this is another system." >&2; exit 1; }
echo "building Kubernetes 1.20.2 (about 4 minutes, once)" >&2
if ! grep -rqs '^Types:.*deb-src' /etc/apt/sources.list.d/; then
  uri=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  cat >/etc/apt/sources.list.d/lockkeeper-lab-src.sources <<S
Types: deb-src
URIs: ${uri:-http://deb.debian.org/debian}
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
fi
apt_try update >&2
apt_install $KUBERNETES_BUILD_PACKAGES >&2
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
# apt-get source drops its rights; the sources have to be readable for it.
chmod 755 "$W"; cd "$W"
apt_try source -qq kubernetes/bookworm >&2 || apt_try source -qq 'kubernetes=1.20*' >&2
mkdir -p "$W/gopath/src/k8s.io"; mv "$W"/kubernetes-1.20* "$W/gopath/src/k8s.io/kubernetes"
cd "$W/gopath/src/k8s.io/kubernetes"
# The vendored reflect2 1.0.1 does not fit Go >= 1.18: the API server crashes when a custom resource is written. Debian's 1.0.2 does fit.
rsync -a --delete --exclude '*_test.go' /usr/share/gocode/src/github.com/modern-go/reflect2/ vendor/github.com/modern-go/reflect2/
export GOPATH=$W/gopath GO111MODULE=off CGO_ENABLED=0 GOFLAGS= \
  KUBE_GIT_VERSION=v1.20.2 KUBE_GIT_COMMIT=debian KUBE_GIT_TREE_STATE=archive KUBE_GIT_MAJOR=1 KUBE_GIT_MINOR=20
make WHAT="cmd/kube-apiserver cmd/kube-controller-manager cmd/kube-scheduler cmd/kubemark" GOLDFLAGS="-s -w" >"$W/build.log" 2>&1 || { tail -40 "$W/build.log" >&2; exit 1; }
# The last file to arrive is the one checked above, so an interrupted copy does not count as a finished build.
mkdir -p "$LAB_BIN"; cp _output/local/bin/linux/amd64/kube-* "$LAB_BIN/"
cp _output/local/bin/linux/amd64/kubemark "$LAB_BIN/kubemark.part"; mv "$LAB_BIN/kubemark.part" "$LAB_BIN/kubemark"
echo "$LAB_BIN"
