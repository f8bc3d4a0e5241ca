#!/usr/bin/env bash
# A real Ceph on loopback: 3 mons, 1 mgr, 6 osds (memstore) on 3 CRUSH hosts osd-1..osd-3, one replicated pool. Prints ceph.conf's path.
# LOCKKEEPER_LAB_CEPH: which release (release.sh).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/release.sh"
ceph_packages >&2
export PATH=$D/bin:$PATH
C=$D/ceph.conf; K=$D/admin.keyring
FSID=$(cat $D/fsid 2>/dev/null || uuidgen | tee $D/fsid)
cat >$C <<K
[global]
fsid=$FSID
mon_host=[v2:127.0.0.1:${MONS[0]}] [v2:127.0.0.1:${MONS[1]}] [v2:127.0.0.1:${MONS[2]}]
auth_cluster_required=cephx
auth_service_required=cephx
auth_client_required=cephx
keyring=$D/\$name.keyring
admin_socket=$D/run/\$name.asok
pid_file=$D/run/\$name.pid
log_file=$D/log/\$name.log
run_dir=$D/run
public_addr=127.0.0.1
cluster_addr=127.0.0.1
ms_bind_ipv6=false
osd_pool_default_size=3
osd_pool_default_min_size=2
osd_crush_chooseleaf_type=1
osd_memory_target=939524096
mon_allow_pool_delete=true
mon_warn_on_pool_no_redundancy=false
mon_data=$D/\$name
osd_data=$D/\$name
mgr_data=$D/\$name
osd_objectstore=memstore
# A memstore writes itself down only when it is shut down slowly: an OSD that was stopped can then be started again.
osd_fast_shutdown=false
memstore_device_bytes=268435456
osd_max_object_name_len=256
osd_class_dir=/usr/lib/x86_64-linux-gnu/rados-classes
mgr_initial_modules=
[mon]
keyring=$D/\$name/keyring
K
export CEPH_ARGS="-c $C"
if [ ! -f $D/mon.a/keyring ]; then
  ceph-authtool --create-keyring $D/mon.keyring --gen-key -n mon. --cap mon 'allow *' >/dev/null
  ceph-authtool --create-keyring $D/client.admin.keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *' >/dev/null
  ceph-authtool $D/mon.keyring --import-keyring $D/client.admin.keyring >/dev/null
  monmaptool --create --clobber --fsid $FSID --addv a "[v2:127.0.0.1:${MONS[0]}]" --addv b "[v2:127.0.0.1:${MONS[1]}]" --addv c "[v2:127.0.0.1:${MONS[2]}]" $D/monmap >/dev/null
  for m in a b c; do mkdir -p $D/mon.$m; ceph-mon -i $m --mkfs --monmap $D/monmap --keyring $D/mon.keyring; done
fi
# Safe to run again: a daemon that runs holds its pid file.
alive() { [ -f $D/run/$1.pid ] && [ "$(cat "/proc/$(cat $D/run/$1.pid)/comm" 2>/dev/null)" = "ceph-${1%%.*}" ]; }
for m in a b c; do alive mon.$m || ceph-mon -i $m; done
for i in $(seq 30); do timeout 5 ceph -s >/dev/null 2>&1 && break; sleep 1; done
mkdir -p $D/mgr.x; [ -f $D/mgr.x.keyring ] || ceph auth get-or-create mgr.x mon 'allow profile mgr' osd 'allow *' mds 'allow *' -o $D/mgr.x.keyring
alive mgr.x || ceph-mgr -i x
ceph config set mon auth_allow_insecure_global_id_reclaim false 2>/dev/null || true
for o in 0 1 2 3 4 5; do h=osd-$((o/2+1)); mkdir -p $D/osd.$o
  if [ ! -f $D/osd.$o/ready ]; then
    U=$(uuidgen); S=$(ceph-authtool --gen-print-key); echo "{\"cephx_secret\": \"$S\"}" | ceph osd new $U $o -i - >/dev/null
    ceph-authtool --create-keyring $D/osd.$o.keyring --name osd.$o --add-key $S >/dev/null
    ceph-osd -i $o --mkfs --osd-uuid $U >/dev/null 2>&1
    touch $D/osd.$o/ready; fi
  alive osd.$o || ceph-osd -i $o --crush-location "root=default host=$h" >/dev/null
done
for i in $(seq 60); do [ "$(ceph osd stat -f json 2>/dev/null | python3 -c 'import json,sys;print(json.load(sys.stdin)["num_up_osds"])')" = 6 ] && break; sleep 1; done
ceph osd pool create vms 32 >/dev/null 2>&1 || true; ceph osd pool application enable vms rbd >/dev/null 2>&1 || true
ceph -s; ceph osd tree; echo $C
