# OpenStack Zed, of Debian 12's packages, on the machine itself. Sourced by env.sh.
ROOT=$PLACE/openstack                  # data, configuration, logs, pid files
CODE=$LAB INSIDE=
NET=127.0.1                            # addresses of the computes
DB_PORT=13306 MQ_PORT=5672 MQ_DIST_PORT=25672 EPMD_PORT=4369 MQ_NODE=oslab@localhost
KEYSTONE_PORT=5000 NOVA_PORT=8774 PLACEMENT_PORT=8778 NEUTRON_PORT=9696
GLANCE_PORT=9292 WATCHER_PORT=9322 CINDER_PORT=8776
CINDER_ENDPOINT="volumev3:cinder:$CINDER_PORT/v3/%(project_id)s"
SERVICE_TOKENS_REQUIRED=false
packages() {
  . "$LAB/../packages.sh"
  apt_install $OPENSTACK_PACKAGES || die "packages are missing"
}
shared() { echo "/etc/$2/$1"; }        # file service: where the packages have it
wsgi() { # name port file env...
  local name=$1 port=$2 file=$3; shift 3
  run "$name" env "$@" uwsgi --plugins python3 --http-socket $ADDR:$port --wsgi-file "$file" --master \
    --processes 2 --threads 2 --enable-threads --lazy-apps --need-app --die-on-term --buffer-size 65535 \
    --procname-prefix "$name " --disable-logging --thunder-lock --add-header "Connection: close"
}
api() { # service: its API, and the processes beside it
  case $1 in
    keystone) wsgi keystone $KEYSTONE_PORT /usr/bin/keystone-wsgi-public OS_KEYSTONE_CONFIG_DIR="$ETC/keystone" ;;
    placement) wsgi placement $PLACEMENT_PORT /usr/bin/placement-api OS_PLACEMENT_CONFIG_DIR="$ETC/placement" ;;
    nova) run nova-api nova-api $N ;;
    glance) run glance-api glance-api --config-file "$ETC/glance/glance-api.conf" ;;
    neutron) run neutron-server neutron-server $NN ;;
    cinder) run cinder-api "$CODE/bin/cinder" api $C ;;
    watcher) run watcher-api watcher-api $W ;;
  esac
}
watcher_clients() { # Watcher's own configuration of whom it asks
  client watcher_clients_auth watcher | grep -v '^region_name'
  printf '[nova_client]\napi_version = 2.56\n'
  printf 'region_name = RegionOne\n[%s]\n' glance_client cinder_client neutron_client placement_client
  printf 'region_name = RegionOne\n'
}
