import type { SimulatedCluster } from '../simulated-cluster.ts'
import { listAt, numberAt, recordAt, textAt } from '../store/json.ts'
import type { Stored } from '../store/models.ts'
import { timestamp } from '../store/timestamp.ts'
import type { Reconcile } from './control-loop.ts'
import {
  controlledBy,
  createControlled,
  deleteControlled,
  isActive,
  livingObjects,
  podFromTemplate,
  readyCount,
  withCondition,
  writeStatus,
} from './controlled.ts'
import { recordEvent } from './record-event.ts'

/** Runs the pods of each Job until enough have succeeded, or more than its backoffLimit have failed (kubernetes job controller). */
export function createJobController(cluster: SimulatedCluster): Reconcile {
  return () => {
    for (const job of livingObjects(cluster, 'Job')) reconcileJob(cluster, job)
  }
}

function reconcileJob(cluster: SimulatedCluster, job: Stored<'Job'>): void {
  if (endOf(job) !== null) return
  const pods = controlledBy(cluster, job, 'Pod')
  const active = pods.filter(isActive)
  const inPhase = (phase: string) => pods.filter(pod => textAt(pod, 'status', 'phase') === phase).length
  const succeeded = inPhase('Succeeded')
  const failed = inPhase('Failed')
  const completions = numberAt(job, 'spec', 'completions') ?? 1
  const limit = numberAt(job, 'spec', 'backoffLimit') ?? 6
  const conditions = listAt(job, 'status', 'conditions')
  const status = {
    startTime: textAt(job, 'status', 'startTime') ?? timestamp(cluster.clock.now()),
    succeeded,
    failed,
    ready: readyCount(active),
    terminating: 0,
    uncountedTerminatedPods: {},
  }
  if (succeeded >= completions) {
    const completed = withCondition(cluster, conditions, { type: 'Complete', status: 'True' })
    const completionTime = timestamp(cluster.clock.now())
    writeStatus(cluster, 'Job', job, { ...status, completionTime, conditions: completed })
    report(cluster, job, 'Normal', 'Completed', 'Job completed')
    return
  }
  if (failed > limit) {
    const message = 'Job has reached the specified backoff limit'
    const reason = 'BackoffLimitExceeded'
    writeStatus(cluster, 'Job', job, {
      ...status,
      conditions: withCondition(cluster, conditions, { type: 'Failed', status: 'True', reason, message }),
    })
    for (const pod of active) deleteControlled(cluster, 'Pod', pod)
    report(cluster, job, 'Warning', reason, message)
    return
  }
  const wanted = Math.min(numberAt(job, 'spec', 'parallelism') ?? 1, completions - succeeded)
  for (let missing = wanted - active.length; missing > 0; missing -= 1) startPod(cluster, job)
  const running = controlledBy(cluster, job, 'Pod').filter(isActive)
  writeStatus(cluster, 'Job', job, { ...status, active: running.length, conditions })
}

function startPod(cluster: SimulatedCluster, job: Stored<'Job'>): void {
  const { name, uid } = job.metadata
  const template = podFromTemplate(recordAt(job, 'spec', 'template'))
  const labels = { 'controller-uid': uid, 'job-name': name }
  const qualified = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name }
  createControlled(
    cluster,
    job,
    'Pod',
    {
      ...template.metadata,
      generateName: `${name}-`,
      labels: { ...template.metadata.labels, ...labels, ...qualified },
    },
    { spec: template.spec },
  )
}

/** Returns how a Job ended; null while it runs. */
function endOf(job: Stored<'Job'>): 'Complete' | 'Failed' | null {
  const types = listAt(job, 'status', 'conditions').map(one => textAt(one, 'type'))
  if (types.includes('Complete')) return 'Complete'
  return types.includes('Failed') ? 'Failed' : null
}

function report(
  cluster: SimulatedCluster,
  job: Stored<'Job'>,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  recordEvent(cluster, job, { type, reason, message, component: 'job-controller' })
}
