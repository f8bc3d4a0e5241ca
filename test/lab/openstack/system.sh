#!/bin/bash
# Makes the Debian (a folder) with the modern OpenStack's packages in it, once per machine: it is never upgraded, so that the lab stays the
# same. Safe to run again. OSLAB_MIRROR: another archive than the one of this machine's apt; a dated one gives every machine the same packages.
set -u
LOCKKEEPER_LAB_OPENSTACK=modern
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
export LAB_APT_PROXY
PACKAGES="mariadb-server-core mariadb-client-core rabbitmq-server uwsgi-core uwsgi-plugin-python3
 python3-pymysql python3-openstackclient python3-osc-placement python3-watcherclient python3-keystone
 python3-placement placement-common
 python3-nova nova-common nova-api nova-conductor nova-scheduler
 python3-glance glance-common glance-api
 python3-neutron neutron-common python3-watcher watcher-common
 python3-cinder cinder-common curl procps"
DONE=$SYSTEM/.lockkeeper-packages
[ "$(cat "$DONE" 2>/dev/null)" = "$(echo $PACKAGES)" ] && exit 0
[ "$(id -u)" = 0 ] || die "run as root"
# An unfinished folder is deleted and made again; OSLAB_DEBIAN may name any folder, and only one that this script made may be deleted.
BEGUN=$SYSTEM/.lockkeeper-begun BASE=$SYSTEM/.lockkeeper-base
[ ! -e "$SYSTEM" ] || [ -e "$BEGUN" ] || [ -e "$BASE" ] || [ -z "$(ls -A "$SYSTEM" 2>&1)" ] ||
  die "$SYSTEM is not empty, and nothing in it says that the lab made it: delete it, or name another folder (OSLAB_DEBIAN)"
mkdir -p "$SYSTEM" "$ROOT" "$LOGD"
LOG=$LOGD/system.log
apt() { # apt-get arguments..., patient with mirrors that hiccup
  local try
  for try in 1 2 3 4 5; do inside apt-get -o Acquire::Retries=3 "$@" >> "$LOG" 2>&1 < /dev/null && return 0; sleep $((try * 5)); done
  return 1
}

if [ ! -e "$BASE" ]; then
  # The script alone, unpacked for this once: another apt may hold the machine's lock for minutes, and nothing of the machine is changed.
  tool=$(mktemp -d); trap 'rm -rf "$tool"' EXIT; chmod 755 "$tool"
  (cd "$tool" && env ${LAB_APT_PROXY:+http_proxy=$LAB_APT_PROXY} apt-get -o Acquire::Retries=3 download debootstrap && dpkg-deb -x debootstrap_*.deb .) >> "$LOG" 2>&1 || die "debootstrap; see $LOG"
  # The first Debian archive that this machine's apt knows, security and third parties left out.
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(ORIGIN)' 2> /dev/null | awk '$4 == "Debian" && $3 !~ /-/ { print $1; exit }')
  mirror=${OSLAB_MIRROR:-${mirror%/}}
  [ -n "$mirror" ] || die "apt of this machine knows no Debian archive (run apt-get update, or set OSLAB_MIRROR)"
  # A bind mount within one file system looks like a folder.
  ! grep -qF " $(realpath "$SYSTEM")/" /proc/self/mounts || die "something is mounted in $SYSTEM"
  # The mark stays: an interrupted deletion or download left a folder that this script made.
  touch "$BEGUN" && find "$SYSTEM/" -xdev -mindepth 1 ! -name "${BEGUN##*/}" -delete || die "what is left in $SYSTEM cannot be deleted"
  say "fetching Debian $SUITE"
  env ${LAB_APT_PROXY:+http_proxy=$LAB_APT_PROXY} unshare --mount --propagation private \
    env DEBOOTSTRAP_DIR="$tool/usr/share/debootstrap" "$tool/usr/sbin/debootstrap" --variant=minbase --include=ca-certificates "$SUITE" "$SYSTEM" "$mirror" >> "$LOG" 2>&1 || die "debootstrap; see $LOG"
  touch "$BASE"
fi
# No service starts automatically; documentation stays out; no waiting for the disk; Python compiles what it runs, not all there is.
printf '#!/bin/sh\nexit 101\n' > "$SYSTEM/usr/sbin/policy-rc.d"; chmod 755 "$SYSTEM/usr/sbin/policy-rc.d"
printf 'force-unsafe-io\npath-exclude=/usr/share/doc/*\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/locale/*\n' \
  > "$SYSTEM/etc/dpkg/dpkg.cfg.d/lockkeeper-lab"
# A frozen mirror's signature is as good as ever, only its date has passed.
printf 'APT::Install-Recommends "false";\nAcquire::Languages "none";\nAcquire::Check-Valid-Until "false";\n' > "$SYSTEM/etc/apt/apt.conf.d/90lockkeeper-lab"
printf '127.0.0.1 localhost %s\n' "$(hostname)" > "$SYSTEM/etc/hosts"
cat /etc/resolv.conf > "$SYSTEM/etc/resolv.conf" 2> /dev/null
if [ ! -e "$SYSTEM/usr/bin/py3compile.distrib" ] && [ ! -L "$SYSTEM/usr/bin/py3compile" ]; then
  inside dpkg-divert --local --rename --divert /usr/bin/py3compile.distrib --add /usr/bin/py3compile >> "$LOG" 2>&1
  ln -s /bin/true "$SYSTEM/usr/bin/py3compile"
fi
say "installing OpenStack's packages of Debian $SUITE"
apt update || die "apt-get update; see $LOG"
apt install -y $PACKAGES || die "packages; see $LOG"
inside apt-get clean
echo $PACKAGES > "$DONE"
say "Debian $SUITE: $(du -sm "$SYSTEM" | cut -f1) MiB; $(inside dpkg-query -W -f '${Package} ${Version}, ' python3-nova python3-watcher python3-keystone python3-neutron python3-placement python3-cinder python3-glance)"
