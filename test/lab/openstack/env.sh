# Shared by up.sh, down.sh, seed.sh and host.sh. Sourced, not run.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
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

BEGAN=$SECONDS
say() { echo "[$(date +%H:%M:%S) +$((SECONDS - BEGAN))s] $*"; }
die() { say "FAILED: $*" >&2; exit 1; }

# A pidfile holds "pid starttime", so a reused pid is never mistaken for ours.
_starttime() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
running() { # name
  local pid start
  read -r pid start 2>/dev/null < "$RUN/$1.pid" || return 1
  [ -n "$pid" ] && [ "$(_starttime "$pid")" = "$start" ]
}
start() { # name command...
  local name=$1; shift
  running "$name" && return 0
  setsid nohup "$@" >> "$LOGD/$name.log" 2>&1 < /dev/null &
  local pid=$!
  sleep 0.1
  echo "$pid $(_starttime $pid)" > "$RUN/$name.pid"
  say "started $name (pid $pid)"
}
stop() { # name [signal]: the whole process group, which start() made ours
  local pid start i
  if running "$1"; then
    read -r pid start < "$RUN/$1.pid"
    kill -"${2:-TERM}" -- -"$pid" 2>/dev/null || kill -"${2:-TERM}" "$pid"
    for i in $(seq 100); do running "$1" || break; sleep 0.2; done
    running "$1" && kill -KILL -- -"$pid" 2>/dev/null
    kill -KILL -- -"$pid" 2>/dev/null   # workers that outlived their parent
    say "stopped $1"
  fi
  rm -f "$RUN/$1.pid"
}
wait_for() { # seconds what command...
  local end=$(( SECONDS + $1 )) what=$2; shift 2
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $end ] || die "$what not ready; see $LOGD"
    sleep 0.5
  done
}
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
