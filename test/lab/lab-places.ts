/** Where the lab keeps what its users need (test/lab/README.md). */
export const LAB_KUBECONFIG = '/var/lib/lockkeeper-lab/kube-a/admin.kubeconfig'
/** A Kubernetes user without any rights. */
export const LAB_VIEWER_KUBECONFIG = '/var/lib/lockkeeper-lab/kube-a/viewer.kubeconfig'

type LabOpenStack = 'zed' | 'modern'

/** Which of the lab's OpenStacks the tests are played against: LOCKKEEPER_LAB_OPENSTACK says it, up.sh takes the same. */
export const LAB_OPENSTACK: LabOpenStack = labOpenStack(process.env.LOCKKEEPER_LAB_OPENSTACK ?? 'zed')

/** Its data, configuration, logs and faults. */
export const LAB_OPENSTACK_DATA = `/var/lib/lockkeeper-lab/${{ zed: 'openstack', modern: 'openstack-modern' }[LAB_OPENSTACK]}`

/** Clouds `lab` (administrator), `lab-demo` (a plain user), and `lab-manager`, `lab-reader`, `lab-service`, `lab-system` (test/lab/openstack/README.md). */
export const LAB_CLOUDS = `${LAB_OPENSTACK_DATA}/clouds.yaml`

function labOpenStack(name: string): LabOpenStack {
  if (name === 'zed' || name === 'modern') return name
  throw new Error(`LOCKKEEPER_LAB_OPENSTACK is ${name}: zed or modern.`)
}
