const LAB = '/var/lib/lockkeeper-lab'
const LAB_KUBERNETES = oneOf(['a', 'b'], 'LOCKKEEPER_LAB_KUBERNETES')

/** The context of its kubeconfigs. */
export const LAB_CONTEXT = `lab-${LAB_KUBERNETES}`
/**
 * Where the lab keeps the files of its users (test/lab/README.md); LOCKKEEPER_LAB_KUBERNETES selects the Kubernetes,
 * also in up.sh.
 */
export const LAB_KUBECONFIG = `${LAB}/kube-${LAB_KUBERNETES}/admin.kubeconfig`
/** A Kubernetes user without any rights. */
export const LAB_VIEWER_KUBECONFIG = `${LAB}/kube-${LAB_KUBERNETES}/viewer.kubeconfig`

/** Which of the lab's OpenStacks the tests are played against: LOCKKEEPER_LAB_OPENSTACK says it, up.sh takes the same. */
export const LAB_OPENSTACK = oneOf(['zed', 'modern'], 'LOCKKEEPER_LAB_OPENSTACK')

/** Its data, configuration, logs and faults. */
export const LAB_OPENSTACK_DATA = `${LAB}/${{ zed: 'openstack', modern: 'openstack-modern' }[LAB_OPENSTACK]}`
export const LAB_OPENSTACK_LOGS = `${LAB_OPENSTACK_DATA}/log`

/** Clouds `lab` (administrator), `lab-demo` (a plain user), and `lab-manager`, `lab-reader`, `lab-service`, `lab-system` (test/lab/openstack/README.md). */
export const LAB_CLOUDS = `${LAB_OPENSTACK_DATA}/clouds.yaml`

/** The first is taken where the setting says nothing. */
function oneOf<Name extends string>(names: readonly [Name, ...Name[]], setting: string): Name {
  const said = process.env[setting] ?? names[0]
  const name = names.find(candidate => candidate === said)
  if (name === undefined) throw new Error(`${setting} is ${said}: ${names.join(' or ')}.`)
  return name
}
