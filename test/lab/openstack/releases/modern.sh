# A modern OpenStack (2026.2, of Debian sid's packages) in a separate Debian, a folder; system.sh makes it. Sourced by env.sh.
ROOT=$PLACE/openstack-modern           # data, configuration, logs, pid files
SUITE=${OSLAB_SUITE:-sid}              # the Debian the packages come from
SYSTEM=${OSLAB_DEBIAN:-$HOME/.cache/lockkeeper-lab/debian-$SUITE}   # that Debian: made once per machine, as the lab's Kubernetes is built once
CODE=/lab INSIDE=$LAB/bin/inside
export OSLAB_SYSTEM=$SYSTEM OSLAB_DATA=$ROOT OSLAB_CODE=$LAB
NET=127.0.2                            # addresses of the computes
DB_PORT=23306 MQ_PORT=15692 MQ_DIST_PORT=15693 EPMD_PORT=14369 MQ_NODE=oslab2026@localhost
KEYSTONE_PORT=25000 NOVA_PORT=28774 PLACEMENT_PORT=28778 NEUTRON_PORT=29696
GLANCE_PORT=29292 WATCHER_PORT=29322 CINDER_PORT=28776
CINDER_ENDPOINT="block-storage:cinder:$CINDER_PORT/v3"
SERVICE_TOKENS_REQUIRED=true
packages() {
  local of=$STATE/suite
  [ ! -e "$of" ] || [ "$(cat "$of")" = "$SUITE" ] || die "the data in $ROOT is of $(cat "$of"): delete it with down.sh --wipe first"
  "$LAB/system.sh" || die "no Debian $SUITE"
  echo "$SUITE" > "$of"
}
shared() { # file service: where the packages have it, seen from inside
  local d
  for d in etc usr/share; do
    d=$(cd "$SYSTEM" && find "$d" -name "$1" -path "*$2*" 2> /dev/null | head -n 1)
    [ -n "$d" ] && { echo "/$d"; return; }
  done
  die "no $1 in $SYSTEM"
}
wsgi() { # name port module|script arguments-of-the-module env...: every API is a WSGI module now, none has its own server
  local name=$1 port=$2 app="--module $3:application" arguments=$4
  [[ $3 != /* ]] || app="--wsgi-file $3"
  shift 4
  run "$name" env "$@" uwsgi --plugins python3 --http-socket $ADDR:$port $app --pyargv "$arguments" --master \
    --processes 1 --threads 4 --enable-threads --lazy-apps --need-app --die-on-term --buffer-size 65535 \
    --procname-prefix "$name " --log-format '%(addr) "%(method) %(uri) %(proto)" status: %(status) len: %(rsize) time: %(secs)' \
    --add-header "Connection: close"
}
or_script() { # module script: of 2025.1 (trixie) some have the script alone
  if [ -e "$SYSTEM/usr/lib/python3/dist-packages/${1//.//}.py" ]; then echo "$1"; else echo "/usr/bin/$2"; fi
}
api() { # service: its API, and the processes beside it
  case $1 in
    keystone) wsgi keystone $KEYSTONE_PORT keystone.wsgi.api "" OS_KEYSTONE_CONFIG_DIR="$ETC/keystone" ;;
    placement) wsgi placement $PLACEMENT_PORT placement.wsgi.api "" OS_PLACEMENT_CONFIG_DIR="$ETC/placement" ;;
    nova) wsgi nova-api $NOVA_PORT nova.wsgi.osapi_compute "" OS_NOVA_CONFIG_DIR="$ETC/nova" \
      OS_NOVA_CONFIG_FILES="$(shared api-paste.ini nova);nova.conf;nova-db.conf" ;;
    glance) wsgi glance-api $GLANCE_PORT "$(or_script glance.wsgi.api glance-wsgi-api)" "" OS_GLANCE_CONFIG_DIR="$ETC/glance" ;;
    neutron)
      wsgi neutron-api $NEUTRON_PORT neutron.wsgi.api "" OS_NEUTRON_CONFIG_DIR="$ETC/neutron" OS_NEUTRON_CONFIG_FILES="neutron.conf;ml2.ini"
      run neutron-rpc-server neutron-rpc-server $NN   # agents report to it
      run neutron-periodic-workers neutron-periodic-workers $NN ;;
    cinder) wsgi cinder-api $CINDER_PORT cinder.wsgi.api "$C" ;;
    watcher) wsgi watcher-api $WATCHER_PORT "$(or_script watcher.wsgi.api watcher-api-wsgi)" "$W" ;;
  esac
}
watcher_clients() { # Watcher's own configuration of whom it asks; [nova_client] is of older releases
  local service
  for service in nova cinder placement keystone; do client $service watcher; done | sed '/^\[nova\]/a api_version = 2.96'
}
