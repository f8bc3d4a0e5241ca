/** Where the lab keeps what its users need (test/lab/README.md). */
export const LAB_KUBECONFIG = '/var/lib/lockkeeper-lab/kube-a/admin.kubeconfig'
/** A Kubernetes user without any rights. */
export const LAB_VIEWER_KUBECONFIG = '/var/lib/lockkeeper-lab/kube-a/viewer.kubeconfig'
/** Clouds `lab` (administrator) and `lab-demo` (a plain user). */
export const LAB_CLOUDS = '/var/lib/lockkeeper-lab/openstack/clouds.yaml'
