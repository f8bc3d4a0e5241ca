#!/usr/bin/env bash
# The npm tarball, installed into an empty prefix without a network, and used.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
tarball=$HOUSE/dist/lockkeeper-$VERSION.tgz
built "$tarball" package:npm
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
size=$(stat -c %s "$tarball")
[ "$size" -lt 3500000 ] || die "the tarball has $size bytes, 3.5 MB are allowed"
ok "the tarball has $size bytes"
inside=$(tar -tzf "$tarball")
! grep -E '\.tsx?$|/test/|/node_modules/|\.map$' <<< "$inside" || die "sources, tests or packages are in the tarball"
ok "no sources, no tests, no packages are in it"
for paper in LICENSE THIRD-PARTY-NOTICES.txt sbom.cdx.json; do
  grep -qx "package/$paper" <<< "$inside" || die "$paper is not in the tarball"
done
ok "licence, notices and bill of materials are in it"
holds "it is installed" npm install --global --offline --no-audit --no-fund --prefix "$place/prefix" "$tarball"
export HOME=$place/home
mkdir "$HOME"
says "it says its version" "^lockkeeper $VERSION \(commit " "$place/prefix/bin/lockkeeper" --version
says "it shows the demo's tour" "." "$place/prefix/bin/lockkeeper" demo tour
echo "$PASSED passed, 0 failed"
