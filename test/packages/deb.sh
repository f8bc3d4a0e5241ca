#!/usr/bin/env bash
# The .deb in a clean Debian (a folder, made once a machine with debootstrap): installed, used, upgraded under a run, removed, purged. Needs root.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
deb=$HOUSE/dist/lockkeeper_${VERSION}_amd64.deb
cache=${LOCKKEEPER_PACKAGES_CACHE:-/var/cache/lockkeeper-packages}
built "$deb" package:deb
[ "$(id -u)" = 0 ] || die "run as root: a Debian is made, and entered"

if [ ! -d "$cache/base" ]; then
  echo "fetching a Debian, once on this machine"
  mkdir -p "$cache"
  tool=$(mktemp -d)
  (cd "$tool" && apt-get download debootstrap >/dev/null && dpkg-deb -x debootstrap_*.deb .) || die "debootstrap cannot be fetched"
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(ORIGIN)' 2> /dev/null | awk '$4 == "Debian" && $3 !~ /-/ { print $1, $3; exit }')
  [ -n "$mirror" ] || die "apt of this machine knows no Debian archive: run apt-get update"
  rm -rf "$cache/base.new"
  unshare --mount --propagation private env DEBOOTSTRAP_DIR="$tool/usr/share/debootstrap" "$tool/usr/sbin/debootstrap" \
    --variant=minbase --include=ca-certificates,curl "${mirror#* }" "$cache/base.new" "${mirror% *}" > "$cache/debootstrap.log" 2>&1 || die "debootstrap; see $cache/debootstrap.log"
  rm -rf "$tool"
  mv "$cache/base.new" "$cache/base"
fi

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a --reflink=auto "$cache/base/." "$root/"
cp "$deb" "$root/new.deb"
# The version before: the same, but for its number and for a part that only it has.
older=$(mktemp -d)
dpkg-deb -R "$deb" "$older"
sed -i 's/^Version: .*/Version: 0.0.9/' "$older/DEBIAN/control"
echo 'export {}' > "$older/usr/lib/lockkeeper/out/cli/of-the-older-version.mjs"
dpkg-deb --root-owner-group -Znone --build "$older" "$root/older.deb" > /dev/null
rm -rf "$older"
# In the place of Chromium: what opens the address as a page does, and is closed.
cat > "$root/usr/local/bin/chromium" <<'CHROMIUM'
#!/bin/sh
for word; do case $word in --app=*) address=${word#--app=} ;; esac; done
curl --silent --show-error --fail "$address" | grep -q '<div id="root">' || exit 1
origin=${address%%/enter*}
key=$(curl --silent --fail --request POST --header "Origin: $origin" --header "Authorization: Bearer ${address#*token=}" "$origin/enter" | sed 's/.*"key":"\([^"]*\)".*/\1/')
curl --silent --fail --header "Authorization: Bearer $key" "$origin/session" >/dev/null && echo opened > /tmp/opened
CHROMIUM
chmod 755 "$root/usr/local/bin/chromium"
cat > "$root/inside.sh" <<'INSIDE'
. /words.sh
export HOME=/root DEBIAN_FRONTEND=noninteractive PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
mount -t proc proc /proc
holds "the version before is installed" dpkg -i /older.deb
says "it shows the demo's tour" . lockkeeper demo tour
lockkeeper enter demo-plain cmp-01 --demo --yes --data-dir /root/kept > /tmp/run.log 2>&1 &
run=$!
for _ in $(seq 600); do
  grep -q . /tmp/run.log 2>/dev/null && [ -d /root/kept ] && break
  sleep 0.1
done
kill -0 "$run" || die "no run is under way: $(cat /tmp/run.log)"
says "it is upgraded under a run, and says so" "a console is running" dpkg -i /new.deb
[ -e /usr/lib/lockkeeper/out/cli/of-the-older-version.mjs ] || die "the running console lost a part of its version"
ok "the running console keeps the parts of its version"
wait "$run" || die "the run ended with $?: $(tail -5 /tmp/run.log)"
ok "the run ends as it should"
says "it says its version" "^lockkeeper $VERSION " lockkeeper --version
says "its bill of materials has its Node" "pkg:generic/node@$(/usr/lib/lockkeeper/node --version | cut -c 2-)\"" cat /usr/share/doc/lockkeeper/sbom.cdx.json
says "the run is in the journal, read by the new version" "cmp-01" lockkeeper runs --data-dir /root/kept
says "the manual page is there" "^.TH LOCKKEEPER" zcat /usr/share/man/man1/lockkeeper.1.gz
says "bash completes commands" "^resume" bash -c '. /usr/share/bash-completion/completions/lockkeeper; COMP_WORDS=(lockkeeper run re); COMP_CWORD=2; _lockkeeper; printf "%s\n" "${COMPREPLY[@]}"'
id=$(lockkeeper runs --data-dir /root/kept -o json | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' | head -n 1)
says "bash completes runs" "^$id" bash -c '. /usr/share/bash-completion/completions/lockkeeper; COMP_WORDS=(lockkeeper --data-dir /root/kept run show ""); COMP_CWORD=5; _lockkeeper; printf "%s\n" "${COMPREPLY[@]}"'
holds "the desktop entry opens the console in a window" /usr/lib/lockkeeper/bin/open-console --demo
[ "$(cat /tmp/opened)" = opened ] || die "the console's page was not opened"
ok "the page was entered as a browser does"
holds "it is removed" dpkg -r lockkeeper
[ ! -e /usr/lib/lockkeeper ] || die "left behind: $(find /usr/lib/lockkeeper | head)"
ok "nothing of the program is left"
says "it is purged, and says that data stays" "stay where they are" dpkg -P lockkeeper
[ -d /root/kept ] || die "the data is gone"
ok "the data is there"
echo "$PASSED passed, 0 failed"
INSIDE
sed '/^HOUSE=/d; /^export PATH=/d; /^VERSION=/d' "$(dirname "${BASH_SOURCE[0]}")/words.sh" > "$root/words.sh"
unshare --mount --pid --fork --propagation private chroot "$root" env -i VERSION="$VERSION" bash /inside.sh
