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
mapfile -t entry < <(read_json "$config" 'at.config.Entrypoint.join("\n")')
inside=(chroot --userspec="$user" "$place/root" "${entry[@]}")
export HOME=/home/lockkeeper
said=$("${inside[@]}" --version) && [[ $said == "lockkeeper $VERSION (commit "* ]] || die "--version: $said"
ok "it says its version"
said=$(timeout 300 "${inside[@]}" demo tour 2>&1) || die "demo tour: $said"
ok "it shows the demo's tour"
echo "$PASSED passed, 0 failed"
