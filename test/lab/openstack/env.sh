# Shared by up.sh, down.sh, seed.sh and host.sh. Sourced, not run.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
LAB_APT_PROXY=${http_proxy:-${HTTP_PROXY:-}}   # for apt alone: the clients below talk to loopback
unset PYTHONPATH PYTHONHOME http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
for v in $(env | sed -n 's/^\(OS_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=/var/lib/lockkeeper-lab/openstack
RUN=$ROOT/run LOGD=$ROOT/log ETC=$ROOT/etc STATE=$ROOT/state
ADDR=127.0.0.1
DB_PORT=13306 MQ_PORT=5672 MQ_DIST_PORT=25672 EPMD_PORT=4369
KEYSTONE_PORT=5000 NOVA_PORT=8774 PLACEMENT_PORT=8778 NEUTRON_PORT=9696
GLANCE_PORT=9292 WATCHER_PORT=9322 CINDER_PORT=8776
PASS=oslab                             # every password of the lab
COMPUTES=${OSLAB_COMPUTES:-4}          # cmp-1 .. cmp-N; the first half is az1
TOKEN_SECONDS=${OSLAB_TOKEN_SECONDS:-3600}
WITH_CINDER=${OSLAB_CINDER:-1} WITH_NEUTRON=${OSLAB_NEUTRON:-1} WITH_WATCHER=${OSLAB_WATCHER:-1}

. "$LAB/../processes.sh"
http_ok() { # url: any answer below 500
  local c; c=$(curl -s -o /dev/null -m 10 -w '%{http_code}' "$1") && [ "$c" -ge 200 ] && [ "$c" -lt 500 ]
}
sql() { mariadb --socket="$RUN/mysql.sock" -uroot -N -e "$1"; }
db() { echo "mysql+pymysql://oslab:$PASS@$ADDR:$DB_PORT/$1?charset=utf8"; }
once() { # name command...: a step done once per installed version
  local mark=$STATE/$1; shift
  [ -e "$mark" ] && return 0
  "$@" >> "$LOGD/setup.log" 2>&1 || die "$(basename "$mark"): $*; see $LOGD/setup.log"
  touch "$mark"; say "done: $(basename "$mark")"
}
start_compute() { # number
  mkdir -p "$ROOT/computes/cmp-$1"
  start "nova-compute-$1" "$LAB/bin/nova-compute" --config-file "$ETC/nova/nova.conf" --config-file "$ETC/nova/cmp-$1.conf"
}
