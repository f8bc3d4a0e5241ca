import type { Clock } from '../../../platform/clock/clock.ts'
import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { KubernetesSimulator } from '../kubernetes/kubernetes-simulator.ts'
import { type JsonObject, listAt, recordAt, textAt } from '../kubernetes/store/json.ts'
import type { StoredObject } from '../kubernetes/store/kubernetes-object.ts'
import { PROJECT_NAMESPACE } from '../scenarios/demo-mosk-definitions.ts'
import { OPENSTACK_NAMESPACE } from '../scenarios/scenario-objects.ts'

const KIND = 'HelmBundle'
const DEPLOYMENT = 'OpenStackDeploymentStatus'

/** Update time of an application at speed 1; unlisted ones take as long as the fastest. */
const UPDATE_MS: Readonly<Record<string, number>> = { openstack: 90_000, ceph: 45_000 }
const OTHERS_MS = 45_000

/** Plays the operators that update MOSK's applications: they deploy a HelmBundle's new chart version, and OpenStack and Ceph then run it. Each call makes one pass. */
export function createBundleOperator(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  ceph: Pick<CephSimulator, 'upgrade'>,
  speed: number,
): () => void {
  const since = new Map<string, number>()
  return () => {
    for (const bundle of kubernetes.objects.list(KIND, PROJECT_NAMESPACE)) {
      const { name } = bundle.metadata
      const wanted = textAt(listAt(bundle, 'spec', 'releases')[0], 'version') ?? ''
      if (textAt(bundle, 'status', 'releaseStatuses', name, 'version') === wanted) continue
      const begun = since.get(name)
      if (begun === undefined) {
        since.set(name, clock.now())
        report(kubernetes, bundle, { status: 'DEPLOYING', success: false })
        if (name === 'openstack') reportDeployment(kubernetes, { state: 'APPLYING' })
      } else if (clock.now() - begun >= (UPDATE_MS[name] ?? OTHERS_MS) / speed) {
        since.delete(name)
        report(kubernetes, bundle, { status: 'DEPLOYED', success: true, version: wanted })
        if (name === 'openstack')
          reportDeployment(kubernetes, { state: 'APPLIED', controller_version: wanted, release: wanted })
        if (name === 'ceph') ceph.upgrade()
      }
    }
  }
}

function report(
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  { metadata: { name } }: StoredObject,
  news: JsonObject,
) {
  kubernetes.objects.change(KIND, PROJECT_NAMESPACE, name, current => {
    const before = recordAt(current, 'status', 'releaseStatuses', name)
    return { ...current, status: { releaseStatuses: { [name]: { ...before, ...news } } } }
  })
}

function reportDeployment(kubernetes: Pick<KubernetesSimulator, 'objects'>, news: JsonObject): void {
  const [deployment] = kubernetes.objects.list(DEPLOYMENT, OPENSTACK_NAMESPACE)
  if (deployment === undefined) return
  kubernetes.objects.change(DEPLOYMENT, OPENSTACK_NAMESPACE, deployment.metadata.name, current => {
    const status = recordAt(current, 'status')
    return { ...current, status: { ...status, osdpl: { ...recordAt(status, 'osdpl'), ...news } } }
  })
}
