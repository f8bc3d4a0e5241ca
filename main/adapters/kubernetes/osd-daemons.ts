import type { V1Deployment } from '@kubernetes/client-node'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { OsdDaemonsPort } from '../../ports/ceph.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { MalformedAnswer, numberIn, objectIn } from './fields.ts'
import { listRead } from './list.ts'
import type { Written } from './model-fields.ts'
import { patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { DEPLOYMENTS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** Rook's label on an OSD's Deployment: the OSD number. */
const OSD_LABEL = 'ceph-osd-id'

/** An annotation on a scaled-down Deployment: its earlier replica count. */
const REPLICAS_ANNOTATION = 'lockkeeper.dev/replicas-before'

/** How often a write that conflicts with another writer is repeated. */
const ROUNDS = 5

interface Daemon {
  readonly id: number
  readonly name: string
  readonly uid: Uid
  readonly resourceVersion: ResourceVersion
  readonly replicas: number
  readonly ready: number
  readonly replicasBefore: number | null
}

/** Rook's OSD Deployments (label `ceph-osd-id`) in a namespace: scales them to 0 and back. */
export function createOsdDaemons(options: {
  readonly session: KubernetesSession
  readonly namespace: string
}): OsdDaemonsPort {
  const { session, namespace } = options

  async function list(signal?: AbortSignal): Promise<Result<readonly Daemon[]>> {
    return listRead(session, DEPLOYMENTS, readDaemon, { namespace, query: { labelSelector: OSD_LABEL }, signal })
  }

  async function scale(id: number, running: boolean, signal?: AbortSignal): Promise<Result<void>> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const daemons = await list(signal)
      if (!daemons.ok) return daemons
      const daemon = daemons.value.find(each => each.id === id)
      if (daemon === undefined) return failed(missingOsds([id], namespace))
      if (daemon.replicas > 0 === running) return ok(undefined)
      const annotation = running ? null : String(daemon.replicas)
      const replicas = running ? Math.max(1, daemon.replicasBefore ?? 1) : 0
      const { name, uid, resourceVersion } = daemon
      const body = {
        metadata: { resourceVersion, annotations: { [REPLICAS_ANNOTATION]: annotation } },
        spec: { replicas },
      } satisfies Written<V1Deployment>
      const target = { type: DEPLOYMENTS, namespace, name }
      const written = await patchObject(
        session,
        target,
        { kind: 'merge', body, uid },
        object => {
          if (readDaemon(object).replicas !== replicas) throw new MalformedAnswer(because('ReplicasNotAsWritten'))
        },
        signal,
      )
      if (written.ok) return ok(undefined)
      if (written.failure.code !== 'conflict') return written
    }
    return failed(
      refusal('conflict', because('OsdDeploymentContended', { osd: id }), {
        target: `namespace/${namespace}`,
      }),
    )
  }

  return {
    running: async (ids, signal) => {
      const daemons = await list(signal)
      if (!daemons.ok) return daemons
      return ok(
        daemons.value
          .filter(({ id, replicas, ready }) => ids.includes(id) && replicas > 0 && ready > 0)
          .map(({ id }) => id),
      )
    },
    setRunning: async (ids, running, signal) => {
      const daemons = await list(signal)
      if (!daemons.ok) return daemons
      const missing = ids.filter(id => !daemons.value.some(daemon => daemon.id === id))
      // All or nothing: a missing OSD stops the whole change.
      if (missing.length > 0) return failed(missingOsds(missing, namespace))
      for (const id of ids) {
        const scaled = await scale(id, running, signal)
        if (!scaled.ok) return scaled
      }
      return ok(undefined)
    },
  }
}

function readDaemon(object: KubernetesObject<V1Deployment>): Daemon {
  const { name, uid, labels, annotations, resourceVersion } = readMetadata(object)
  if (labels[OSD_LABEL] === undefined) {
    throw new MalformedAnswer(because('DeploymentNotOfOsd', { deployment: name, label: OSD_LABEL }))
  }
  const before = annotations[REPLICAS_ANNOTATION]
  return {
    // A label that is not a number matches no OSD.
    id: Number(labels[OSD_LABEL]),
    name,
    uid,
    resourceVersion,
    replicas: numberIn(objectIn(object, 'spec'), 'replicas', 1),
    ready: numberIn(objectIn(object, 'status'), 'readyReplicas'),
    replicasBefore: before === undefined ? null : Number(before) || null,
  }
}

function missingOsds(ids: readonly number[], namespace: string) {
  return refusal('not-found', because('OsdDeploymentsMissing', { namespace, osds: ids, label: OSD_LABEL }), {
    target: `namespace/${namespace}`,
  })
}
