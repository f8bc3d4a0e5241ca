#!/usr/bin/env bash
# The packages, made twice from one commit, the second time in another folder, at another time of day, under another umask, and
# compared byte by byte.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$HOUSE" log -1 --format=%ct)}
# The copy is not a repository: both get the commit in a variable.
LOCKKEEPER_COMMIT=${LOCKKEEPER_COMMIT:-$(git -C "$HOUSE" rev-parse --short=12 HEAD)}
export LOCKKEEPER_COMMIT
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
made=("lockkeeper-$VERSION.tgz" "lockkeeper_${VERSION}_amd64.deb" "lockkeeper-$VERSION.oci.tar" "lockkeeper-runner-$VERSION.tgz")

copied() { # folder: what is in the repository, and the packages it needs
  mkdir "$1"
  git -C "$HOUSE" ls-files -z | tar --create --directory "$HOUSE" --null --files-from - | tar --extract --directory "$1"
  cp --archive --link "$HOUSE/node_modules" "$1/node_modules" 2>/dev/null || {
    rm -rf "$1/node_modules"
    cp --archive "$HOUSE/node_modules" "$1/node_modules"
  }
}
packed() { # folder, name
  (cd "$1" && rm -rf out dist && npm run package:npm && node packaging/deb.ts && node packaging/oci.ts && node packaging/helm.ts) >"$place/$2.log" 2>&1 || die "$2: $(tail -3 "$place/$2.log")"
}
copied "$place/first"
copied "$place/a-second-time"
packed "$place/first" "made once"
(umask 077 && TZ=Pacific/Auckland packed "$place/a-second-time" "made again")
differing=0
for name in "${made[@]}"; do
  if cmp "$place/first/dist/$name" "$place/a-second-time/dist/$name"; then
    ok "$name is the same, byte by byte: $(sha256sum <"$place/first/dist/$name" | cut -c 1-16)"
  else
    differing=1
    echo "$name differs" >&2
  fi
done
[ -z "${LOCKKEEPER_KEEP:-}" ] || { trap - EXIT && echo "kept: $place"; }
[ "$differing" = 0 ] || die "what differs is to be mended, or named in docs/packages.md"
echo "$PASSED passed, 0 failed"
