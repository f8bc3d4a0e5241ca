#!/usr/bin/env bash
# Builds the API server of custom resources of the newest Kubernetes (apiextensions-apiserver) from Debian sid's own source packages, in the Debian of the
# modern OpenStack (test/lab/openstack/system.sh), which is not changed: packages go into a layer above it. About 10 minutes on one core, once.
# Prints the program. Nothing is started.
set -euo pipefail
OUT=${LAB_DEFINITIONS_BIN:-$HOME/.cache/lockkeeper-lab/apiextensions-newest}
[ -x "$OUT/apiextensions-apiserver" ] && { echo "$OUT/apiextensions-apiserver"; exit 0; }
SID=$HOME/.cache/lockkeeper-lab/debian-sid
[ "$(id -u)" = 0 ] || { echo "Building it needs root, for a chroot." >&2; exit 1; }
[ -d "$SID/usr" ] || { echo "$SID is missing: LOCKKEEPER_LAB_OPENSTACK=modern test/lab/prepare.sh makes it." >&2; exit 1; }
W=$(mktemp -d /var/tmp/lockkeeper-newest.XXXXXX)
mkdir "$W/upper" "$W/work" "$W/root"
clean() {
  umount "$W/root/proc" 2>/dev/null || true
  umount "$W/root" 2>/dev/null || true
  rm -rf "$W"
}
trap clean EXIT
mount -t overlay overlay -o "lowerdir=$SID,upperdir=$W/upper,workdir=$W/work" "$W/root"
mount -t proc proc "$W/root/proc"
printf '#!/bin/sh\nexit 101\n' >"$W/root/usr/sbin/policy-rc.d"
chmod 755 "$W/root/usr/sbin/policy-rc.d"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive ${LAB_APT_PROXY:+http_proxy=$LAB_APT_PROXY} nice -n 15 chroot "$W/root" "$@"; }
inside apt-get -o Acquire::Retries=3 update >&2
inside apt-get -o Acquire::Retries=3 install -y --no-install-recommends golang-go golang-k8s-apiextensions-apiserver-dev >&2
inside env GO111MODULE=off GOPATH=/usr/share/gocode CGO_ENABLED=0 GOFLAGS= \
  go build -p 1 -ldflags='-s -w' -o /root/apiextensions-apiserver k8s.io/apiextensions-apiserver >&2
mkdir -p "$OUT"
cp "$W/root/root/apiextensions-apiserver" "$OUT/part"
mv "$OUT/part" "$OUT/apiextensions-apiserver"
echo "$OUT/apiextensions-apiserver"
