#!/usr/bin/env bash
# Starts a real Kubernetes control plane on loopback: etcd, kube-apiserver (RBAC on),
# controller-manager, scheduler and hollow kubelets (kubemark). Prints the admin kubeconfig.
# Safe to run again: what runs is left alone, what does not is started; when all of it runs, nothing is touched.
# usage: up.sh [instance-name] [api-port] "node:role,role[:label=value...]" ...
set -euo pipefail
NAME=${1:-a}; PORT=${2:-16443}; shift $(( $# < 2 ? $# : 2 ))
NODES=("$@"); [ ${#NODES[@]} -gt 0 ] || NODES=(ctl-1:control ctl-2:control ctl-3:control cmp-1:compute cmp-2:compute cmp-3:compute cmp-4:compute osd-1:storage osd-2:storage osd-3:storage)
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. "$LAB/../packages.sh"
mkdir -p "$D"/{pki,run,log,etcd}
exec 8>"$D/up.lock"; flock 8
export KUBECONFIG="$D/admin.kubeconfig"

ready() { # everything runs, and the API server says so too
  local n
  for n in etcd apiserver kcm sched "${NODES[@]}"; do
    case $n in *:*) n=kubelet-${n%%:*} ;; esac
    running "$n" || return 1
  done
  kubectl get --raw /readyz >/dev/null 2>&1
}
command -v kubectl >/dev/null || apt_install $KUBERNETES_PACKAGES
ready && { echo "$D/admin.kubeconfig"; exit 0; }
command -v etcd >/dev/null && command -v openssl >/dev/null || apt_install $KUBERNETES_PACKAGES
BIN=$("$LAB/build.sh" | tail -1)

cd "$D/pki"
if [ ! -f ready ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 365 -subj /CN=lab-$NAME-ca >/dev/null 2>&1
  openssl genrsa -out sa.key 2048 2>/dev/null; openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
  cert() { # file CN O
    openssl req -newkey rsa:2048 -nodes -keyout $1.key -out $1.csr -subj "/O=$3/CN=$2" >/dev/null 2>&1
    openssl x509 -req -in $1.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -out $1.crt \
      -extfile <(printf "subjectAltName=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,IP:127.0.0.1,IP:10.96.0.1\n") >/dev/null 2>&1; }
  cert apiserver kube-apiserver lab; cert admin admin system:masters
  cert kcm system:kube-controller-manager lab; cert sched system:kube-scheduler lab
  cert viewer viewer lab:viewers
  touch ready
fi
kc() { cat >"$D/$1.kubeconfig.new" <<K
apiVersion: v1
kind: Config
clusters: [{name: lab-$NAME, cluster: {server: "https://127.0.0.1:$PORT", certificate-authority-data: $(base64 -w0 ca.crt)}}]
users: [{name: $1, user: {client-certificate-data: $(base64 -w0 $1.crt), client-key-data: $(base64 -w0 $1.key)}}]
contexts: [{name: lab-$NAME, context: {cluster: lab-$NAME, user: $1}}]
current-context: lab-$NAME
K
  mv "$D/$1.kubeconfig.new" "$D/$1.kubeconfig"
}
for u in admin kcm sched viewer; do kc $u; done
EP=$((PORT+1)); PP=$((PORT+2))
start etcd etcd --data-dir "$D/etcd" --listen-client-urls http://127.0.0.1:$EP --advertise-client-urls http://127.0.0.1:$EP \
  --listen-peer-urls http://127.0.0.1:$PP --initial-advertise-peer-urls http://127.0.0.1:$PP --initial-cluster default=http://127.0.0.1:$PP --unsafe-no-fsync
start apiserver "$BIN/kube-apiserver" --etcd-servers=http://127.0.0.1:$EP --bind-address=127.0.0.1 --secure-port=$PORT --advertise-address=127.0.0.1 \
  --tls-cert-file=apiserver.crt --tls-private-key-file=apiserver.key --client-ca-file=ca.crt --service-account-key-file=sa.pub \
  --service-account-signing-key-file=sa.key --service-account-issuer=https://kubernetes.default --api-audiences=api \
  --service-cluster-ip-range=10.96.0.0/16 --authorization-mode=Node,RBAC --allow-privileged=true --endpoint-reconciler-type=none \
  --disable-admission-plugins=ServiceAccount --kubelet-preferred-address-types=InternalIP
wait_for 120 "the API server on port $PORT" kubectl get --raw /readyz
start kcm "$BIN/kube-controller-manager" --kubeconfig="$D/kcm.kubeconfig" --authentication-kubeconfig="$D/kcm.kubeconfig" --authorization-kubeconfig="$D/kcm.kubeconfig" \
  --bind-address=127.0.0.1 --secure-port=$((PORT+3)) --port=0 --leader-elect=false --service-account-private-key-file=sa.key --root-ca-file=ca.crt \
  --cluster-signing-cert-file=ca.crt --cluster-signing-key-file=ca.key --use-service-account-credentials=true --node-monitor-grace-period=16s --pod-eviction-timeout=30s
start sched "$BIN/kube-scheduler" --kubeconfig="$D/sched.kubeconfig" --authentication-kubeconfig="$D/sched.kubeconfig" --authorization-kubeconfig="$D/sched.kubeconfig" \
  --bind-address=127.0.0.1 --secure-port=$((PORT+4)) --port=0 --leader-elect=false
: >"$D/labels"
i=0; for n in "${NODES[@]}"; do IFS=: read -r node roles rest <<<"$n"; i=$((i+1)); L="kubernetes.io/os=linux"
  for r in ${roles//,/ }; do case $r in
    control) L+=",node-role.kubernetes.io/control-plane=,node-role.kubernetes.io/master=,openstack-control-plane=enabled";;
    compute) L+=",openstack-compute-node=enabled,openvswitch=enabled";;
    gateway) L+=",openstack-gateway=enabled,openvswitch=enabled";;
    storage) L+=",role=ceph-osd-node,ceph_role_osd=true";; esac; done
  if [ -n "${rest:-}" ]; then L+=",${rest}"; fi
  # A node whose kubelet runs has its labels; somebody may be trying other ones on it.
  running "kubelet-$node" && continue
  # In a loop, because a kubelet that hangs is killed by the keeper below.
  start kubelet-$node bash -c 'while :; do "$@"; sleep 1; done' kubelet "$BIN/kubemark" --morph=kubelet --name=$node --kubeconfig="$D/admin.kubeconfig" --kubelet-port=$((PORT+100+i)) --kubelet-read-only-port=0 --node-labels="kubernetes.io/os=linux" --v=1
  echo "$node $L" >>"$D/labels"; done
nodes_ready() { [ "$(kubectl get nodes --no-headers 2>/dev/null | grep -cw Ready)" -ge ${#NODES[@]} ]; }
wait_for 120 "every node" nodes_ready
start kubelet-keeper "$LAB/kubelet-keeper.sh" "$D/admin.kubeconfig" "$RUN"
while read -r node L; do kubectl label node $node --overwrite ${L//,/ } >/dev/null; done <"$D/labels"
kubectl get nodes
say "Kubernetes is up"
echo "$D/admin.kubeconfig"
