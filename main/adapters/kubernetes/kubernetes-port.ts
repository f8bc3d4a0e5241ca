import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Logger } from '../../log/logger.ts'
import type { KubernetesPort } from '../../ports/kubernetes.ts'
import { reviewAccess } from './access.ts'
import { annotateNode, getNode, setUnschedulable } from './cordon.ts'
import { drainNode } from './drain.ts'
import { listBudgets, listPodsOnNode, listWorkloads, planDrain } from './drain-reads.ts'
import { createJob, getJob } from './jobs.ts'
import { createLeaseObserver, type LeaseObserver } from './lease-observer.ts'
import { annotateLease, createLeases, getLeaseAnnotations } from './leases.ts'
import { listRead } from './list.ts'
import { listNodeEvents } from './node-events.ts'
import { getObject } from './objects.ts'
import { readNode } from './read-node.ts'
import { readPod } from './read-pod.ts'
import { readVolume } from './read-volume.ts'
import { NODES, PODS, VOLUMES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** What the procedures need of Kubernetes, over one session; every call asks the API server afresh (main/ports). */
export function createKubernetesPort(options: {
  readonly session: KubernetesSession
  readonly leaseNamespace: string
  /** Of the whole process; without one, this port remembers what it sees by itself. */
  readonly leaseObserver?: LeaseObserver
  readonly clock: Clock
  readonly log: Logger
}): KubernetesPort {
  const { session, leaseNamespace, clock, log, leaseObserver = createLeaseObserver(clock) } = options
  return {
    listNodes: async signal => {
      const nodes = await listRead(session, NODES, readNode, { signal })
      return nodes.ok && nodes.value.length === 0 ? failed(noNodes(session.host)) : nodes
    },
    getNode: (name, signal) => getNode(session, name, signal),
    setUnschedulable: (name, unschedulable, signal, gate) =>
      setUnschedulable(session, name, unschedulable, { signal, gate }),
    annotateNode: (name, annotations, signal) => annotateNode(session, name, annotations, signal),
    getLeaseAnnotations: (node, signal) => getLeaseAnnotations(session, leaseNamespace, node, signal),
    annotateLease: (node, annotations, signal) => annotateLease(session, leaseNamespace, node, { annotations, signal }),
    listPodsOnNode: (node, signal) => listPodsOnNode(session, node, signal),
    listPods: (namespace, signal) => listRead(session, PODS, readPod, { namespace, signal }),
    getPod: (namespace, name, signal) => getObject(session, { type: PODS, namespace, name }, readPod, signal),
    listNodeEvents: (node, limit, signal) => listNodeEvents(session, node, limit, signal),
    listBudgets: signal => listBudgets(session, signal),
    listBoundVolumes: async signal => {
      const volumes = await listRead(session, VOLUMES, readVolume, { signal })
      return volumes.ok ? ok(volumes.value.filter(volume => volume !== null)) : volumes
    },
    listWorkloads: (kinds, signal) => listWorkloads(session, kinds, signal),
    reviewAccess: (questions, signal) => reviewAccess(session, questions, signal),
    planDrain: (node, drainOptions, { dryRun, signal }) =>
      planDrain(session, clock, node, drainOptions, { dryRun, withBudgets: true, signal }),
    drain: (node, drainOptions, more) =>
      drainNode({ session, clock, log: log.child('drain'), node, options: drainOptions, ...more }),
    createJob: (namespace, manifest, signal) => createJob(session, namespace, manifest, signal),
    getJob: (namespace, name, signal) => getJob(session, namespace, name, signal),
    leases: createLeases({ session, namespace: leaseNamespace, clock, observer: leaseObserver }),
  }
}

/** A cluster that anything is maintained on has nodes: a list of none is not its own, or not whole. */
function noNodes(host: string): Failure {
  return failure(
    'unreadable',
    `${host} lists no node at all, and a cluster has some. Is that its API server, and does its list come whole?`,
    { retryable: true },
  )
}
