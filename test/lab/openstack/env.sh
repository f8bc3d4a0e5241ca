# Shared by up.sh, down.sh, seed.sh, host.sh, openstack.sh and system.sh. Sourced, not run. LOCKKEEPER_LAB_OPENSTACK says which of the clouds
# is meant (zed, unless it says modern); what is different between them is in releases/.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
LAB_APT_PROXY=${http_proxy:-${HTTP_PROXY:-}}   # for apt alone: everything else talks to loopback
unset PYTHONPATH PYTHONHOME http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
for v in $(env | sed -n 's/^\(OS_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PLACE=/var/lib/lockkeeper-lab
RELEASE=${LOCKKEEPER_LAB_OPENSTACK:-zed}
ADDR=127.0.0.1
PASS=oslab                             # every password of the lab
COMPUTES=${OSLAB_COMPUTES:-4}          # cmp-1 .. cmp-N; the first half is az1
TOKEN_SECONDS=${OSLAB_TOKEN_SECONDS:-3600}
WITH_CINDER=${OSLAB_CINDER:-1} WITH_NEUTRON=${OSLAB_NEUTRON:-1} WITH_WATCHER=${OSLAB_WATCHER:-1}

. "$LAB/../processes.sh"
[ -r "$LAB/releases/$RELEASE.sh" ] || die "LOCKKEEPER_LAB_OPENSTACK is $RELEASE: zed or modern"
. "$LAB/releases/$RELEASE.sh"          # ROOT, ports, CODE, INSIDE, and what its services are started with
RUN=$ROOT/run LOGD=$ROOT/log ETC=$ROOT/etc STATE=$ROOT/state

inside() { $INSIDE "$@"; }             # runs a command where the release's packages are
run() { # name command...: one of our processes, inside
  local name=$1; shift
  start "$name" $INSIDE "$@"
}
http_ok() { # url: any answer below 500
  local c; c=$(inside curl -s -o /dev/null -m 10 -w '%{http_code}' "$1") && [ "$c" -ge 200 ] && [ "$c" -lt 500 ]
}
sql() { inside mariadb --socket="$RUN/mysql.sock" -uroot -N -e "$1"; }
db() { echo "mysql+pymysql://oslab:$PASS@$ADDR:$DB_PORT/$1?charset=utf8"; }
once() { # name command...: a step done once per installed version, inside
  local mark=$STATE/$1; shift
  [ -e "$mark" ] && return 0
  inside "$@" >> "$LOGD/setup.log" 2>&1 || die "$(basename "$mark"): $*; see $LOGD/setup.log"
  touch "$mark"; say "done: $(basename "$mark")"
}
compute_id() { # host: from 2023.2 on nova-compute starts a second time only where it finds who it was; the driver's own formula
  local id=$ROOT/computes/$1/compute_id
  mkdir -p "${id%/*}"
  [ -s "$id" ] || inside /usr/bin/python3 -c \
    'import sys, uuid; print(uuid.uuid5(uuid.NAMESPACE_DNS, sys.argv[1] + ".oslab.invalid"), end="")' "$1" > "$id"
}
start_compute() { # number
  compute_id "cmp-$1"
  run "nova-compute-$1" "$CODE/bin/nova-compute" --config-file "$ETC/nova/nova.conf" --config-file "$ETC/nova/cmp-$1.conf"
}
start_compute_as() { # host, name: a second nova-compute of a host, which reports under another name
  mkdir -p "$ROOT/computes/$2/instances"
  compute_id "$2"
  sed "s#^host = .*#host = $2#; s#computes/$1#computes/$2#" "$ETC/nova/$1.conf" > "$ETC/nova/$2.conf"
  run "nova-compute-$2" "$CODE/bin/nova-compute" --config-file "$ETC/nova/nova.conf" --config-file "$ETC/nova/$2.conf"
}
