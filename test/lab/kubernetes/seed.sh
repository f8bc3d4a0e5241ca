#!/usr/bin/env bash
# Workloads as an OpenStack-on-Kubernetes cloud has them. usage: seed.sh [kubeconfig]
set -euo pipefail
export KUBECONFIG=${1:-/var/lib/lockkeeper-lab/kube-a/admin.kubeconfig}
python3 - <<'P' | kubectl apply -f - >/dev/null
import json
out=[{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"openstack"}}]
C=[{"name":"c","image":"lab/none"}]
def wl(kind,name,app,comp,n,sel,extra=None,vols=None,pdb=None):
    labels={"application":app,"component":comp}
    pod={"metadata":{"labels":labels},"spec":{"nodeSelector":sel,"containers":C,"terminationGracePeriodSeconds":1,**({"volumes":vols} if vols else {})}}
    apart={"labelSelector":{"matchLabels":labels},"topologyKey":"kubernetes.io/hostname"}
    # Replicas of a quorum service never share a node: two that did would hold that node for ever, as no drain of it keeps the quorum.
    spread={"requiredDuringSchedulingIgnoredDuringExecution":[apart]} if kind=="StatefulSet" else {"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":apart}]}
    if kind!="DaemonSet" and n>1: pod["spec"]["affinity"]={"podAntiAffinity":spread}
    spec={"selector":{"matchLabels":labels},"template":pod}
    if kind!="DaemonSet": spec["replicas"]=n
    if kind=="StatefulSet": spec["serviceName"]=name
    out.append({"apiVersion":"apps/v1","kind":kind,"metadata":{"name":name,"namespace":"openstack","labels":labels},"spec":spec})
    if pdb is not None: out.append({"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":name,"namespace":"openstack"},"spec":{"minAvailable":pdb,"selector":{"matchLabels":labels}}})
ctl={"openstack-control-plane":"enabled"}; cmp={"openstack-compute-node":"enabled"}
wl("Deployment","keystone-api","keystone","api",3,ctl,pdb=2)
wl("Deployment","nova-api-osapi","nova","os-api",3,ctl,pdb=2)
wl("Deployment","neutron-server","neutron","server",3,ctl,pdb=2)
wl("Deployment","horizon","horizon","server",1,ctl)
wl("StatefulSet","mariadb-server","mariadb","server",3,ctl,pdb=2)
wl("StatefulSet","openstack-rabbitmq-rabbitmq","rabbitmq","server",1,ctl)
wl("StatefulSet","etcd-etcd","etcd","server",3,ctl,pdb=2)
wl("Deployment","memcached-memcached","memcached","server",3,ctl,vols=[{"name":"scratch","emptyDir":{}}])
wl("DaemonSet","nova-compute-default","nova","compute",0,cmp)
wl("DaemonSet","libvirt-libvirt-default","libvirt","libvirt",0,cmp)
wl("DaemonSet","neutron-ovs-agent-default","neutron","neutron-ovs-agent",0,cmp)
out.append({"apiVersion":"v1","kind":"Pod","metadata":{"name":"debug-shell","namespace":"openstack"},"spec":{"nodeName":"ctl-2","containers":C,"terminationGracePeriodSeconds":1}})
out.append({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"image-cache","namespace":"openstack","labels":{"application":"glance","component":"cache"}},"spec":{"replicas":2,"selector":{"matchLabels":{"component":"cache"}},"template":{"metadata":{"labels":{"component":"cache"}},"spec":{"containers":C,"terminationGracePeriodSeconds":1,"nodeSelector":cmp}}}})
print(json.dumps({"apiVersion":"v1","kind":"List","items":out}))
P
for i in $(seq 60); do p=$(kubectl -n openstack get pods --no-headers | grep -vcw Running || true); [ "$p" = 0 ] && break; sleep 1; done
kubectl -n openstack get pods -o wide --no-headers | awk '{print $1,$2,$3,$7}' | column -t | head -40
