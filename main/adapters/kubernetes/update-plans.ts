import { ok, type Result } from '../../../shared/domain/result.ts'
import type { UpdatePhase } from '../../../shared/domain/update.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { LcmReport, ReadLcmReport } from '../../ports/lcm.ts'
import type { KubernetesObject } from './answers.ts'
import { flagIn, listIn, objectIn, objectsIn, textIn } from './fields.ts'
import { FOREIGN_KINDS } from './foreign-kinds.ts'
import { listRead } from './list.ts'
import { servedResources } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { LCM_VERSION, type ResourceType } from './resource-types.ts'
import { listForeign } from './served-kinds.ts'
import type { KubernetesSession } from './session.ts'

/** LCM's status kinds (docs/domain.md A.8); discovery shows which ones a release has. */
const STATUS_KIND = /^lcm(cluster|machine)\w*status(es)?$/
const CLUSTER_LABEL = 'cluster.sigs.k8s.io/cluster-name'
const CONTROL_LABEL = 'cluster.sigs.k8s.io/control-plane'
const UPDATE_GROUP_LABEL = 'kaas.mirantis.com/update-group'
const WORKERS_STEP = 'k8s-workers-'
/** The last stage of a machine's update (docs/domain.md A.8). */
const UPGRADED = 'Machine Upgraded'

/** Reads LCM's own report of an update: ClusterUpdatePlan and its status objects, where they exist and are readable. */
export function readLcmReport(session: KubernetesSession): ReadLcmReport {
  return async signal => {
    const plans = await listedOrNone(listForeign(session, FOREIGN_KINDS.ClusterUpdatePlan, planOf, { signal }))
    if (!plans.ok) return plans
    const types = await statusTypes(session, signal)
    if (!types.ok) return types
    const statuses: StatusObject[] = []
    for (const type of types.value) {
      const listed = await listedOrNone(listRead(session, type, object => statusOf(type, object), { signal }))
      if (!listed.ok) return listed
      statuses.push(...listed.value)
    }
    const plan = planOfUpdate(plans.value)
    // Update groups name the nodes of a worker step; they matter only once a step is Completed.
    const wanted = plan?.steps.some(step => groupOf(step.id) !== null && isCompleted(step)) === true
    const machines = wanted
      ? await listedOrNone(listForeign(session, FOREIGN_KINDS.Machine, machineOf, { signal }))
      : ok([])
    return machines.ok ? ok(lcmReportOf(plans.value, plan, statuses, machines.value)) : machines
  }
}

interface Machine {
  readonly namespace: string
  readonly cluster: string
  readonly group: string
  readonly node: string
}

function machineOf(object: KubernetesObject): Machine {
  const { namespace, name, labels } = readMetadata(object)
  const cluster = labels[CLUSTER_LABEL] ?? ''
  const isControl = labels[CONTROL_LABEL] !== undefined
  return {
    namespace,
    cluster,
    // Without the label a machine belongs to the cluster's default group; control nodes to theirs (docs/domain.md A.4).
    group: labels[UPDATE_GROUP_LABEL] ?? `${cluster}-${isControl ? 'control' : 'default'}`,
    node: textIn(objectIn(objectIn(object, 'status'), 'nodeRef'), 'name') || name,
  }
}

/** Missing or unreadable kinds count as absent. */
async function listedOrNone<T>(listing: Promise<Result<readonly T[] | null>>): Promise<Result<readonly T[]>> {
  const listed = await listing
  if (listed.ok) return ok(listed.value ?? [])
  return listed.failure.code === 'not-found' || listed.failure.code === 'not-permitted' ? ok([]) : listed
}

async function statusTypes(session: KubernetesSession, signal?: AbortSignal): Promise<Result<readonly ResourceType[]>> {
  const served = await servedResources(session, LCM_VERSION, signal)
  if (!served.ok) return served.failure.code === 'not-permitted' ? ok([]) : served
  return ok(
    [...(served.value ?? [])].flatMap(([plural, { kind, namespaced }]) =>
      STATUS_KIND.test(plural) ? [{ apiVersion: LCM_VERSION, kind, plural, namespaced }] : [],
    ),
  )
}

interface UpdatePlan {
  readonly namespace: string
  readonly name: string
  readonly cluster: string
  readonly versions: string
  readonly status: string
  readonly completedAt: string
  readonly steps: readonly {
    readonly id: string
    readonly status: string
    readonly message: string
    readonly startedAt: string
    readonly completedAt: string
  }[]
}

function planOf(object: KubernetesObject): UpdatePlan {
  const { namespace, name } = readMetadata(object)
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  const steps = (parent: typeof spec) =>
    objectsIn(parent, 'steps').map(step => ({
      id: textIn(step, 'id'),
      status: textIn(step, 'status'),
      message: textIn(step, 'message'),
      startedAt: textIn(step, 'startedAt'),
      completedAt: textIn(step, 'completedAt'),
    }))
  const reported = new Map(steps(status).map(step => [step.id, step]))
  return {
    namespace,
    name: `${namespace}/${name}`,
    cluster: textIn(spec, 'cluster'),
    versions: `${textIn(spec, 'source') || '?'} → ${textIn(spec, 'target') || '?'}`,
    status: textIn(status, 'status') || 'NotStarted',
    completedAt: textIn(status, 'completedAt'),
    steps: steps(spec).map(({ id }) => ({
      id,
      status: reported.get(id)?.status || 'NotStarted',
      message: reported.get(id)?.message ?? '',
      startedAt: reported.get(id)?.startedAt ?? '',
      completedAt: reported.get(id)?.completedAt ?? '',
    })),
  }
}

interface StatusObject {
  readonly kind: string
  readonly name: string
  readonly ofMachine: boolean
  readonly stages: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly at: string
  }[]
}

function statusOf({ kind, plural }: ResourceType, object: KubernetesObject): StatusObject {
  const within = listIn(object, 'stages').length > 0 ? object : objectIn(object, 'status')
  return {
    kind,
    name: readMetadata(object).name,
    ofMachine: plural.startsWith('lcmmachine'),
    stages: objectsIn(within, 'stages').map(stage => ({
      name: textIn(stage, 'name'),
      status: textIn(stage, 'status') || (flagIn(stage, 'success') ? 'Success' : 'NotStarted'),
      message: textIn(stage, 'message'),
      at: textIn(stage, 'timestamp'),
    })),
  }
}

/** The plan in progress, else the last completed one; its times show whether it belongs to this update. */
function planOfUpdate(plans: readonly UpdatePlan[]): UpdatePlan | null {
  const running = plans.filter(({ status }) => status === 'InProgress')
  // A management cluster plans for many clusters; only a single running plan is certainly ours.
  return running.length === 1 ? (running[0] ?? null) : lastCompleted(plans)
}

function lcmReportOf(
  plans: readonly UpdatePlan[],
  plan: UpdatePlan | null,
  statuses: readonly StatusObject[],
  machines: readonly Machine[],
): LcmReport {
  const ours = plan?.status === 'InProgress' ? plan : null
  // Between two steps LCM stays in the phase of the last one.
  const step =
    ours?.steps.find(({ status }) => status === 'InProgress') ??
    ours?.steps.findLast(({ status }) => status === 'Completed')
  return {
    lines: [...plans.map(planLine), ...statuses.flatMap(statusLine)],
    phase: step === undefined ? null : phaseOfStep(step.id),
    begun: phasesBegun(plan),
    done: phasesDone(plan),
    upgraded: [
      ...(plan === null ? [] : machinesOfDoneGroups(plan, machines)),
      ...statuses.flatMap(({ ofMachine, name, stages }) => {
        const last = ofMachine ? stages.find(stage => stage.name === UPGRADED && stage.status === 'Success') : undefined
        return last === undefined ? [] : [{ machine: name, at: last.at, said: UPGRADED }]
      }),
    ],
  }
}

function lastCompleted(plans: readonly UpdatePlan[]): UpdatePlan | null {
  const over = plans.filter(({ status, completedAt }) => status === 'Completed' && completedAt !== '')
  return over.toSorted((a, b) => Date.parse(b.completedAt) - Date.parse(a.completedAt))[0] ?? null
}

/** Machines of the update groups whose step is Completed: the plan names no machines. */
function machinesOfDoneGroups(
  { namespace, cluster, steps }: UpdatePlan,
  machines: readonly Machine[],
): LcmReport['upgraded'] {
  return steps
    .filter(isCompleted)
    .flatMap(({ id, completedAt }) =>
      machines
        .filter(
          machine => machine.namespace === namespace && machine.cluster === cluster && machine.group === groupOf(id),
        )
        .map(({ node }) => ({ machine: node, at: completedAt, said: `${id} Completed` })),
    )
}

function groupOf(stepId: string): string | null {
  return stepId.startsWith(WORKERS_STEP) ? stepId.slice(WORKERS_STEP.length) : null
}

function isCompleted({ status, completedAt }: UpdatePlan['steps'][number]): boolean {
  return status === 'Completed' && completedAt !== ''
}

function phasesBegun(plan: UpdatePlan | null): LcmReport['begun'] {
  const byPhase = Map.groupBy(plan?.steps ?? [], ({ id }) => phaseOfStep(id))
  return [...byPhase].flatMap(([phase, steps]) => {
    const at = steps.flatMap(({ startedAt }) => (startedAt === '' ? [] : [startedAt])).toSorted()[0]
    return phase === null || at === undefined ? [] : [{ phase, at }]
  })
}

function phasesDone(plan: UpdatePlan | null): LcmReport['done'] {
  const byPhase = Map.groupBy(plan?.steps ?? [], ({ id }) => phaseOfStep(id))
  return [...byPhase].flatMap(([phase, steps]) => {
    const isDone = steps.every(isCompleted)
    const at = steps
      .map(({ completedAt }) => completedAt)
      .toSorted()
      .at(-1)
    return phase === null || !isDone || at === undefined ? [] : [{ phase, at }]
  })
}

function phaseOfStep(id: string): UpdatePhase | null {
  if (id === 'openstack' || id === 'ceph') return 'applications'
  if (id === 'k8s-controllers') return 'control-nodes'
  if (id.startsWith('k8s-workers')) return 'worker-nodes'
  return id === 'mcc-components' ? 'finalize' : null
}

function planLine({ name, cluster, versions, status, steps }: UpdatePlan): string {
  const reported = steps.map(step => ({ id: step.id, status: step.status, output: step.message }))
  return because('UpdatePlanStanding', { plan: name, cluster, versions, status, steps: reported }).message
}

/** The current stage, else the last finished one; objects without stages are omitted. */
function statusLine({ kind, name, stages }: StatusObject): readonly string[] {
  const stage =
    stages.find(each => each.status === 'Fail') ??
    stages.find(each => each.status === 'InProgress') ??
    stages.findLast(each => each.status === 'Success')
  if (stage === undefined) return []
  const { name: stageName, status, message: output } = stage
  return [because('UpdateStage', { kind, name, stage: stageName, status, output }).message]
}
