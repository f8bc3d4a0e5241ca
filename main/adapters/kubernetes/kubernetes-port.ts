import type { CoreV1Event, V1Job, V1NodeSelectorRequirement, V1PersistentVolume } from '@kubernetes/client-node'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { BoundVolume, NodeRequirement } from '../../../shared/domain/kubernetes.ts'
import type { EventOfNode } from '../../../shared/domain/node-detail.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { JobState, KubernetesPort } from '../../ports/kubernetes.ts'
import { reviewAccess } from './access.ts'
import type { KubernetesObject } from './answers.ts'
import { annotateNode, getNode, setUnschedulable } from './cordon.ts'
import { drainNode } from './drain.ts'
import { listBudgets, listPodsOnNode, listWorkloads, planDrain } from './drain-reads.ts'
import {
  MalformedAnswer,
  neededText,
  numberIn,
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textsIn,
} from './fields.ts'
import { listForeignMaintenances } from './foreign-maintenances.ts'
import { createLeaseObserver, type LeaseObserver } from './lease-observer.ts'
import { annotateLease, createLeases, getLeaseAnnotations, isLeaseFree } from './leases.ts'
import { listRead } from './list.ts'
import type { Fields } from './model-fields.ts'
import { patchNamedObject, readNamedObject, resourceOfObject } from './named-objects.ts'
import { createObject, getObject } from './objects.ts'
import { rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import { readListedNode } from './read-node.ts'
import { readPod } from './read-pod.ts'
import { EVENTS, JOBS, NODES, PODS, VOLUMES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { listTaints, setTaint } from './taints.ts'

export function createKubernetesPort(options: {
  readonly session: KubernetesSession
  readonly leaseNamespace: string
  /** Shared by the whole process; without it this port keeps its own memory. */
  readonly leaseObserver?: LeaseObserver
  readonly clock: Clock
  readonly log: Logger
}): KubernetesPort {
  const { session, leaseNamespace, clock, log, leaseObserver = createLeaseObserver(clock) } = options
  return {
    listNodes: async signal => {
      const nodes = await listRead(session, NODES, readListedNode, { signal })
      return nodes.ok && nodes.value.length === 0 ? failed(noNodes(session.host)) : nodes
    },
    getNode: (name, signal) => getNode(session, name, signal),
    setUnschedulable: (name, unschedulable, more) => setUnschedulable(session, name, unschedulable, more),
    listTaints: (name, signal) => listTaints(session, name, signal),
    setTaint: (name, taint, wanted, signal) => setTaint(session, name, taint, wanted, signal),
    annotateNode: (name, annotations, signal) => annotateNode(session, name, annotations, signal),
    isLeaseFree: (node, signal) => isLeaseFree(session, leaseNamespace, node, signal),
    getLeaseAnnotations: (node, signal) => getLeaseAnnotations(session, leaseNamespace, node, signal),
    annotateLease: (node, annotations, signal) => annotateLease(session, leaseNamespace, node, { annotations, signal }),
    listPodsOnNode: (node, signal) => listPodsOnNode(session, node, signal),
    listPods: (namespace, signal) => listRead(session, PODS, readPod, { namespace, signal }),
    getPod: (namespace, name, signal) => getObject(session, { type: PODS, namespace, name }, readPod, signal),
    listNodeEvents: (node, limit, signal) => listNodeEvents(session, node, limit, signal),
    listBudgets: signal => listBudgets(session, signal),
    listForeignMaintenances: signal => listForeignMaintenances(session, signal),
    listBoundVolumes: async signal => {
      const volumes = await listRead(session, VOLUMES, readVolume, { signal })
      return volumes.ok ? ok(volumes.value.filter(volume => volume !== null)) : volumes
    },
    listWorkloads: (kinds, signal) => listWorkloads(session, kinds, signal),
    reviewAccess: (questions, signal) => reviewAccess(session, questions, signal),
    planDrain: (node, drainOptions, more) =>
      planDrain(session, clock, node, drainOptions, { withBudgets: true, ...more }),
    drain: (node, drainOptions, more) =>
      drainNode({ session, clock, log: log.child('drain'), node, options: drainOptions, ...more }),
    createJob: (namespace, manifest, signal) => createJob(session, namespace, manifest, signal),
    getJob: (namespace, name, signal) => getJob(session, namespace, name, signal),
    resourceOfObject: (object, signal) => resourceOfObject(session, object, signal),
    namedObject: (object, signal) => readNamedObject(session, object, signal),
    patchNamedObject: (object, change, signal) => patchNamedObject(session, object, change, signal),
    leases: createLeases({ session, namespace: leaseNamespace, clock, observer: leaseObserver }),
  }
}

/** A cluster has nodes: an empty list comes from elsewhere or is incomplete. */
function noNodes(host: string): Failure {
  return refusal('unreadable', because('ListWithoutNodes', { server: host }), { retryable: true })
}

async function createJob(
  session: KubernetesSession,
  namespace: string,
  manifest: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result<JobState>> {
  const name = rawText(rawObject(manifest.metadata).name)
  if (name === '') {
    return failed(refusal('bad-input', because('JobWithoutName')))
  }
  const created = await createObject(session, { type: JOBS, namespace, name }, manifest, jobStateOf, { signal })
  return created.ok || created.failure.code !== 'conflict' ? created : getJob(session, namespace, name, signal)
}

async function getJob(
  session: KubernetesSession,
  namespace: string,
  name: string,
  signal?: AbortSignal,
): Promise<Result<JobState>> {
  return getObject(session, { type: JOBS, namespace, name }, jobStateOf, signal)
}

function jobStateOf(object: KubernetesObject<V1Job>): JobState {
  const { namespace, name, uid } = readMetadata(object)
  const status = objectIn(object, 'status')
  const conditions = objectsIn(status, 'conditions')
  const is = (type: string) => conditions.find(condition => condition.type === type && condition.status === 'True')
  const failure = is('Failed')
  const pods = because('JobPods', {
    active: numberIn(status, 'active'),
    succeeded: numberIn(status, 'succeeded'),
    failed: numberIn(status, 'failed'),
  }).message
  return {
    namespace,
    name,
    uid,
    state: failure !== undefined ? 'failed' : is('Complete') !== undefined ? 'complete' : 'running',
    message: failure === undefined ? pods : textIn(failure, 'message') || textIn(failure, 'reason') || pods,
  }
}

/** Recent events of a node, newest first (core/v1 events; servers keep them for an hour by default). */
async function listNodeEvents(
  session: KubernetesSession,
  node: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Result<readonly EventOfNode[]>> {
  const listed = await listRead(session, EVENTS, object => readEvent(object, node), {
    query: { fieldSelector: `involvedObject.kind=Node,involvedObject.name=${node}` },
    signal,
  })
  if (!listed.ok) return listed
  return ok(listed.value.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit))
}

/** Old reporters set lastTimestamp and count, new ones eventTime and series. */
function readEvent(object: KubernetesObject<CoreV1Event>, node: string): EventOfNode {
  const about = objectIn(object, 'involvedObject')
  if (about.kind !== 'Node' || about.name !== node) throw new MalformedAnswer(because('EventsOfOtherNode', { node }))
  const series = objectIn(object, 'series')
  const times = [
    textIn(series, 'lastObservedTime'),
    ...(['lastTimestamp', 'eventTime', 'firstTimestamp'] as const).map(field => textIn(object, field)),
  ]
  return {
    at: times.find(time => time !== '') ?? readMetadata(object).createdAt,
    type: textIn(object, 'type'),
    reason: textIn(object, 'reason'),
    message: textIn(object, 'message'),
    count: numberIn(series, 'count') || numberIn(object, 'count') || 1,
    source: textIn(objectIn(object, 'source'), 'component') || textIn(object, 'reportingComponent'),
  }
}

export function readVolume(object: KubernetesObject<V1PersistentVolume>): BoundVolume | null {
  const spec = objectOrNullIn(object, 'spec')
  if (spec === null) throw new MalformedAnswer(because('SpecMissing', { object: `volume ${object.metadata.name}` }))
  const claim = objectOrNullIn(spec, 'claimRef')
  if (claim === null) return null
  const affinity = objectOrNullIn(spec, 'nodeAffinity')
  const required = affinity === null ? null : objectOrNullIn(affinity, 'required')
  return {
    name: readMetadata(object).name,
    namespace: textIn(claim, 'namespace'),
    claim: neededText(claim, 'name'),
    reach:
      required === null
        ? null
        : objectsIn(required, 'nodeSelectorTerms').map(term =>
            [...objectsIn(term, 'matchExpressions'), ...objectsIn(term, 'matchFields')].map(readRequirement),
          ),
  }
}

function readRequirement(requirement: Fields<V1NodeSelectorRequirement>): NodeRequirement {
  return {
    key: textIn(requirement, 'key'),
    operator: textIn(requirement, 'operator'),
    values: textsIn(requirement, 'values'),
  }
}
