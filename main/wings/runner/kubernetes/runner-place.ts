import type { V1PersistentVolumeClaim, V1Pod, V1StorageClass } from '@kubernetes/client-node'
import type { KubeconfigSource } from '../../../../shared/domain/cluster.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { findingIn } from '../../../../shared/words/refusal.ts'
import type { KubernetesObject } from '../../../adapters/kubernetes/answers.ts'
import {
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textMapIn,
  textOrNullIn,
} from '../../../adapters/kubernetes/fields.ts'
import { getObject } from '../../../adapters/kubernetes/objects.ts'
import { CLAIMS, NAMESPACES, PODS, STORAGE_CLASSES } from '../../../adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'
import { silenceOf } from '../../../adapters/kubernetes/watch.ts'
import type { RunnerPlacePort, RunnerVolume } from '../ports/runner-place.ts'

interface RunnerPod {
  readonly namespace: string
  readonly name: string
  readonly dataDirectory: string
}

/** Ceph-CSI's drivers; operators such as Rook add their namespace as a prefix. */
const CEPH_DRIVER = /(^|\.)(rbd|cephfs)\.csi\.ceph\.com$/

/** Where the runner runs, by its own Kubernetes. `pod` null: not in a pod. `openSession` opens a session of another kubeconfig, which is closed after use. */
export function createRunnerPlace(options: {
  readonly session: KubernetesSession
  readonly pod: RunnerPod | null
  readonly openSession: (source: KubeconfigSource) => Promise<Result<KubernetesSession>>
}): RunnerPlacePort {
  const { session, pod, openSession } = options
  return {
    volume: async signal => (pod === null ? NO_POD : volumeOf(session, pod, signal)),
    isOwnKubernetes: async (source, signal) => {
      const own = await uidOf(session, signal)
      if (own === null) return null
      const opened = await openSession(source)
      if (!opened.ok) return null
      try {
        const other = await uidOf(opened.value, signal)
        return other === null ? null : other === own
      } finally {
        opened.value.close()
      }
    },
    isPodThere: async (name, signal) => {
      if (pod === null) return null
      const target = { type: PODS, namespace: pod.namespace, name }
      const found = await getObject(session, target, ({ metadata }) => metadata.uid, signal)
      if (found.ok) return true
      return found.failure.code === 'not-found' ? false : null
    },
  }
}

const NO_POD: RunnerVolume = {
  kind: 'unknown',
  ...silenceOf(because('RunnerNotInPod')),
}

/** A cluster's identity: the UID of a namespace that every cluster has and never recreates. */
async function uidOf(session: KubernetesSession, signal?: AbortSignal): Promise<string | null> {
  const target = { type: NAMESPACES, namespace: null, name: 'kube-system' }
  const found = await getObject(session, target, ({ metadata }) => metadata.uid, signal)
  return found.ok ? found.value : null
}

async function volumeOf(session: KubernetesSession, pod: RunnerPod, signal?: AbortSignal): Promise<RunnerVolume> {
  const { namespace, name, dataDirectory } = pod
  const claim = await getObject(
    session,
    { type: PODS, namespace, name },
    read => claimOfFolder(read, dataDirectory),
    signal,
  )
  if (!claim.ok) return { kind: 'unknown', ...silenceOf(findingIn(claim.failure)) }
  if (claim.value.kind !== 'claim') return claim.value
  const claimName = claim.value.name
  const found = await getObject(session, { type: CLAIMS, namespace, name: claimName }, storageClassOf, signal)
  if (!found.ok) return { kind: 'unknown', ...silenceOf(findingIn(found.failure)) }
  const storageClass = found.value
  if (storageClass === null)
    return { kind: 'unknown', ...silenceOf(because('ClaimWithoutClass', { claim: claimName })) }
  const target = { type: STORAGE_CLASSES, namespace: null, name: storageClass }
  const read = await getObject(session, target, driverOf, signal)
  if (!read.ok) return { kind: 'unknown', ...silenceOf(findingIn(read.failure)) }
  const { provisioner, clusterId } = read.value
  return CEPH_DRIVER.test(provisioner)
    ? { kind: 'ceph', claim: claimName, storageClass, clusterId }
    : { kind: 'other', what: provisioner }
}

function claimOfFolder(
  pod: KubernetesObject<V1Pod>,
  folder: string,
): RunnerVolume | { readonly kind: 'claim'; readonly name: string } {
  const spec = objectIn(pod, 'spec')
  const mounts = objectsIn(spec, 'containers').flatMap(container => objectsIn(container, 'volumeMounts'))
  const holds = (mount: string) => folder === mount || folder.startsWith(`${mount.replace(/\/$/, '')}/`)
  const mounted = mounts
    .filter(mount => holds(textIn(mount, 'mountPath')))
    .sort((a, b) => textIn(b, 'mountPath').length - textIn(a, 'mountPath').length)[0]
  if (mounted === undefined) return { kind: 'unknown', ...silenceOf(because('PodWithoutVolume', { folder })) }
  const volume = objectsIn(spec, 'volumes').find(each => textIn(each, 'name') === textIn(mounted, 'name'))
  const claim = volume === undefined ? null : objectOrNullIn(volume, 'persistentVolumeClaim')
  if (claim === null) return { kind: 'other', what: because('VolumeOfNode').message }
  return { kind: 'claim', name: textIn(claim, 'claimName') }
}

function storageClassOf(claim: KubernetesObject<V1PersistentVolumeClaim>): string | null {
  return textOrNullIn(objectIn(claim, 'spec'), 'storageClassName')
}

function driverOf(storageClass: KubernetesObject<V1StorageClass>): {
  readonly provisioner: string
  readonly clusterId: string
} {
  return {
    provisioner: textIn(storageClass, 'provisioner'),
    clusterId: textMapIn(storageClass, 'parameters').clusterID ?? '',
  }
}
