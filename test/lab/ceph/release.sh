# Which of the lab's Cephs is meant: LOCKKEEPER_LAB_CEPH says pacific (16.2, Debian 12's packages, without it) or modern (the newest of Debian sid,
# in the Debian that the modern OpenStack has). Sourced by up.sh and down.sh; sets D (its data) and MONS (the ports of its mons).
RELEASE=${LOCKKEEPER_LAB_CEPH:-pacific}
case $RELEASE in
  pacific) D=/var/lib/lockkeeper-lab/ceph MONS=(13300 13301 13302) ;;
  modern) D=/var/lib/lockkeeper-lab/ceph-modern MONS=(23300 23301 23302) ;;
  *) echo "LOCKKEEPER_LAB_CEPH is $RELEASE: pacific or modern" >&2; exit 2 ;;
esac
ceph_packages() { # installs what is missing; afterwards the release's commands come first in PATH
  local here openstack system name
  here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  . "$here/../packages.sh"
  mkdir -p "$D"/{run,log,bin}
  if [ "$RELEASE" = pacific ]; then
    apt_install $CEPH_PACKAGES
    return
  fi
  apt_install uuid-runtime
  openstack=$here/../openstack
  "$openstack/system.sh"
  system=$(LOCKKEEPER_LAB_OPENSTACK=modern; . "$openstack/env.sh" && echo "$SYSTEM")
  inside() { OSLAB_SYSTEM=$system OSLAB_DATA=$D OSLAB_CODE=$openstack LAB_APT_PROXY=${LAB_APT_PROXY:-} "$openstack/bin/inside" "$@"; }
  # Before the first of them a list of packages that is as old as that Debian: nothing in it is upgraded.
  for name in ceph-mon ceph-mgr ceph-osd ceph-common; do
    inside dpkg-query -W -f='${db:Status-Status}' "$name" 2> /dev/null | grep -qx installed ||
      inside apt-get -o Acquire::Retries=3 install -y --no-upgrade "$name" < /dev/null || return 1
  done
  for name in ceph ceph-authtool ceph-mgr ceph-mon ceph-osd monmaptool; do
    cat > "$D/bin/$name" <<WRAP
#!/bin/sh
export OSLAB_SYSTEM='$system' OSLAB_DATA='$D' OSLAB_CODE='$openstack'
exec '$openstack/bin/inside' env CEPH_ARGS="\$CEPH_ARGS" $name "\$@"
WRAP
    chmod 755 "$D/bin/$name"
  done
}
