# Shared by up.sh and down.sh of one instance. Sourced; wants NAME.
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
D=/var/lib/lockkeeper-lab/kube-$NAME
RUN=$D/run LOGD=$D/log LAB_CWD=$D/pki
. "$LAB/../processes.sh"
