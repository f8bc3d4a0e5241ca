# What the lab needs of Debian, and installing it with patience. Sourced.
KUBERNETES_PACKAGES="etcd-server etcd-client openssl"
# Any kubectl will do, and Debian's cannot be installed beside Google's.
command -v kubectl >/dev/null || KUBERNETES_PACKAGES="kubernetes-client $KUBERNETES_PACKAGES"
KUBERNETES_BUILD_PACKAGES="golang-go make rsync dpkg-dev golang-github-modern-go-reflect2-dev"
OPENSTACK_PACKAGES="mariadb-server-core mariadb-client-core rabbitmq-server uwsgi-core uwsgi-plugin-python3
 python3-pymysql python3-openstackclient python3-keystone
 python3-placement placement-common
 python3-nova nova-common nova-api nova-conductor nova-scheduler
 python3-glance glance-common glance-api
 python3-neutron neutron-common python3-watcher watcher-common
 python3-cinder cinder-common curl jq procps"
SIGNALS_PACKAGES="prometheus prometheus-alertmanager"
CEPH_PACKAGES="ceph-mon ceph-mgr ceph-osd ceph-common uuid-runtime"
apt_try() { # apt-get arguments...: five attempts, for mirrors that hiccup and for another apt that holds the lock
  local attempt log
  log=$(mktemp)
  for attempt in 1 2 3 4 5; do
    if env ${LAB_APT_PROXY:+http_proxy=$LAB_APT_PROXY https_proxy=$LAB_APT_PROXY} DEBIAN_FRONTEND=noninteractive DEBIAN_PRIORITY=critical \
      apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" > "$log" 2>&1 < /dev/null; then
      rm -f "$log"
      return 0
    fi
    echo "apt-get $1: attempt $attempt failed: $(tail -n 1 "$log")" >&2
    sleep $((attempt * 5))
  done
  cat "$log" >&2
  rm -f "$log"
  return 1
}
apt_install() { # packages...: installs those that are missing; no service starts automatically
  local package missing= policy=/usr/sbin/policy-rc.d made_policy= ok=0
  for package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  [ "$(id -u)" = 0 ] || { echo "These packages are missing and only root can install them:$missing" >&2; return 1; }
  echo "installing:$missing"
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' > $policy
    chmod 755 $policy
    made_policy=1
  fi
  apt_try update && apt_try install -y --no-install-recommends $missing || ok=1
  [ -n "$made_policy" ] && rm -f $policy
  return $ok
}
