#!/usr/bin/env bash
# The OCI image, unpacked and run from its root file system, as its user. Needs root.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
image=$HOUSE/dist/lockkeeper-$VERSION.oci.tar
built "$image" package:oci
[ "$(id -u)" = 0 ] || die "run as root: its root file system is entered"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/layout" "$place/root"
tar -xf "$image" -C "$place/layout"
size=$(stat -c %s "$image")
[ "$size" -lt 50000000 ] || die "the image has $size bytes, 50 MB are allowed"
ok "the image has $size bytes"
for file in "$place"/layout/blobs/sha256/*; do
  [ "$(sha256sum < "$file")" = "${file##*/}  -" ] || die "${file##*/} is not what its name says"
done
ok "every part is what its name says"
read_json() { node -p "const at = JSON.parse(require('fs').readFileSync(process.argv[1])); $2" "$1"; }
blob() { echo "$place/layout/blobs/${1/://}"; }
manifest=$(blob "$(read_json "$place/layout/index.json" 'at.manifests[0].digest')")
config=$(blob "$(read_json "$manifest" 'at.config.digest')")
layer=$(blob "$(read_json "$manifest" 'at.layers[0].digest')")
tar -xzf "$layer" -C "$place/root" --numeric-owner
[ "sha256:$(gunzip < "$layer" | sha256sum | cut -d' ' -f1)" = "$(read_json "$config" 'at.rootfs.diff_ids[0]')" ] || die "the layer is not what its configuration says"
ok "the layer is what its configuration says"
user=$(read_json "$config" 'at.config.User')
[ "${user%%:*}" -gt 0 ] || die "it runs as root"
ok "it runs as user $user"
[ -z "$(find "$place/root" -name '*sh' -path '*bin*' -o -name busybox)" ] || die "there is a shell in it"
ok "no shell is in it"
bill=$place/root/usr/lib/lockkeeper/sbom.cdx.json
version=$("$place/root/usr/lib/lockkeeper/node" --version)
grep -q "\"pkg:generic/node@${version#v}\"" "$bill" || die "Node ${version#v} is not in the bill of materials"
libraries=$(cd "$place/root" && find . -name '*.so*' -type f -not -path '*/lockkeeper/*' -printf '/%P\n')
[ -n "$libraries" ] || die "no library is in it"
for library in $libraries; do
  owner=$(dpkg-query -S "*/$(basename "$(realpath "$library")")" | head -n 1 | cut -d: -f 1)
  grep -q "\"$owner@$(dpkg-query -W -f '${Version}' "$owner" | head -n 1)\"" "$bill" || die "$library of $owner is not in the bill of materials"
  [ -s "$place/root/usr/share/doc/$owner/copyright" ] || die "$owner has no copyright in it"
done
ok "Node and its $(wc -w <<< "$libraries") libraries are in the bill of materials"
for text in $(grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$place/root/usr/share/doc"); do
  [ -s "$place/root$text" ] || die "$text, which a copyright names, is not in it"
done
ok "the licences that their copyrights name are in it"
mapfile -t entry < <(read_json "$config" 'at.config.Entrypoint.join("\n")')
inside=(chroot --userspec="$user" "$place/root" "${entry[@]}")
export HOME=/home/lockkeeper
said=$("${inside[@]}" --version) && [[ $said == "lockkeeper $VERSION (commit "* ]] || die "--version: $said"
ok "it says its version"
said=$(timeout 300 "${inside[@]}" demo tour 2>&1) || die "demo tour: $said"
ok "it shows the demo's tour"

# As a runner: the root file system cannot be written to, the user owns his volume alone, and another Kubernetes answers on loopback.
node=$HOUSE/node_modules/.bin/node
mkdir "$place/data" && chown "${user%%:*}" "$place/data" && chmod 700 "$place/data"
mkdir -p "$place/read-only"
mount --bind "$place/root" "$place/read-only" && mount -o remount,bind,ro "$place/read-only"
mount -t tmpfs -o size=16m,mode=1777 tmpfs "$place/read-only/tmp"
mount --bind "$place/data" "$place/read-only/home/lockkeeper"
trap 'kill "${management:-}" "${runner:-}" 2> /dev/null; sleep 1; umount "$place/read-only/home/lockkeeper" "$place/read-only/tmp" "$place/read-only"; rm -rf "$place"' EXIT
"$node" --disable-warning=ExperimentalWarning "$HOUSE/test/packages/runner-management.ts" "$place/data/kubeconfig" > "$place/phases" &
management=$!
for _ in $(seq 100); do [ -s "$place/data/kubeconfig" ] && break; sleep 0.2; done
port=$("$node" --disable-warning=ExperimentalWarning --input-type=module \
  --eval "import { freePort } from '$HOUSE/test/fixtures/free-port.ts'; console.log(await freePort())")
LOCKKEEPER_ATTACH_PORT=0 chroot --userspec="$user" "$place/read-only" "${entry[@]}" runner run --namespace lockkeeper --kubeconfig /home/lockkeeper/kubeconfig \
  --data-dir /home/lockkeeper/data --secrets-dir /tmp/clouds --port "$port" > "$place/log" 2>&1 &
runner=$!
for _ in $(seq 150); do [ "$(curl -s "http://127.0.0.1:$port/readyz")" = ok ] && break; sleep 0.2; done
[ "$(curl -s "http://127.0.0.1:$port/readyz")" = ok ] || die "the runner is not ready: $(cat "$place/log")"
ok "it runs as a runner, from a root file system that cannot be written to"
[ "$(stat -c %u "/proc/$runner")" = "${user%%:*}" ] || die "the runner runs as another user"
ok "the runner runs as user $user"
curl -s "http://127.0.0.1:$port/metrics" | grep -q '^lockkeeper_ready 1' || die "no metrics"
ok "its metrics are told"
for _ in $(seq 100); do grep -q Refused "$place/phases" && break; sleep 0.2; done
grep -q Refused "$place/phases" || die "a MaintenanceRun of another text was not refused: $(cat "$place/log")"
ok "it refuses a MaintenanceRun whose plan was not confirmed"
kill -TERM "$runner" && wait "$runner" || die "it did not end in order: $(tail -3 "$place/log")"
ok "it ends in order"
echo "$PASSED passed, 0 failed"
