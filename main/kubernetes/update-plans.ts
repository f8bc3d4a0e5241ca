import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { UpdatePhase } from '../../shared/domain/update.ts'
import type { LcmReport, ReadLcmReport } from '../lcm/ports.ts'
import { listAll } from './list.ts'
import { type RawObject, rawList, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

const PLANS = '/apis/kaas.mirantis.com/v1alpha1/clusterupdateplans'
const LCM = `/apis/${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`
/** LCM's own status kinds (docs/domain.md A.8); which of them a release has, discovery says. */
const STATUS_KIND = /^lcm(cluster|machine)\w*status(es)?$/
/** The last stage of a machine's update (docs/domain.md A.8). */
const UPGRADED = 'Machine Upgraded'

/** Reads what LCM itself says of an update: ClusterUpdatePlan and its status objects, where the cluster has them and lets us. */
export function readLcmReport(session: KubernetesSession): ReadLcmReport {
  return async signal => {
    const plans = await there(listAll(session, PLANS, {}, signal))
    if (!plans.ok) return plans
    const kinds = await statusKinds(session, signal)
    if (!kinds.ok) return kinds
    const statuses: StatusObject[] = []
    for (const plural of kinds.value) {
      const listed = await there(listAll(session, `${LCM}/${plural}`, {}, signal))
      if (!listed.ok) return listed
      statuses.push(...listed.value.map(object => statusOf(plural, object)))
    }
    return ok(reportOf(plans.value.map(planOf), statuses))
  }
}

/** What a cluster does not have, or does not show us, is not there. */
async function there(
  listing: Promise<Result<{ readonly items: readonly RawObject[] }>>,
): Promise<Result<readonly RawObject[]>> {
  const listed = await listing
  if (listed.ok) return ok(listed.value.items)
  return listed.failure.code === 'not-found' || listed.failure.code === 'not-permitted' ? ok([]) : listed
}

async function statusKinds(session: KubernetesSession, signal?: AbortSignal): Promise<Result<readonly string[]>> {
  const answer = await session.exchange({ method: 'GET', path: LCM, signal })
  if (!answer.ok) return answer
  if (answer.value.status !== 200) return ok([])
  const names = rawList(rawObject(answer.value.body).resources).map(each => rawText(rawObject(each).name))
  return ok(names.filter(name => STATUS_KIND.test(name)))
}

interface UpdatePlan {
  readonly name: string
  readonly cluster: string
  readonly versions: string
  readonly status: string
  readonly steps: readonly { readonly id: string; readonly status: string }[]
}

function planOf(object: RawObject): UpdatePlan {
  const { namespace, name } = readMetadata(object)
  const spec = rawObject(object.spec)
  const status = rawObject(object.status)
  const steps = (list: unknown) =>
    rawList(list)
      .map(rawObject)
      .map(step => ({ id: rawText(step.id), status: rawText(step.status) }))
  const told = new Map(steps(status.steps).map(step => [step.id, step.status]))
  return {
    name: `${namespace}/${name}`,
    cluster: rawText(spec.cluster),
    versions: `${rawText(spec.source) || '?'} → ${rawText(spec.target) || '?'}`,
    status: rawText(status.status) || 'NotStarted',
    steps: steps(spec.steps).map(({ id }) => ({ id, status: told.get(id) || 'NotStarted' })),
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

function statusOf(plural: string, object: RawObject): StatusObject {
  const within = rawObject(object.status)
  return {
    kind: rawText(object.kind) || plural,
    name: readMetadata(object).name,
    ofMachine: plural.startsWith('lcmmachine'),
    stages: rawList(object.stages ?? within.stages)
      .map(rawObject)
      .map(stage => ({
        name: rawText(stage.name),
        status: rawText(stage.status) || (stage.success === true ? 'Success' : 'NotStarted'),
        message: rawText(stage.message),
        at: rawText(stage.timestamp),
      })),
  }
}

function reportOf(plans: readonly UpdatePlan[], statuses: readonly StatusObject[]): LcmReport {
  const running = plans.filter(({ status }) => status === 'InProgress')
  // A management cluster plans for many clusters; which of them is ours is told only where one is under way.
  const ours = running.length === 1 ? (running[0] ?? null) : null
  const step = ours?.steps.find(({ status }) => status === 'InProgress')
  return {
    lines: [...plans.map(planLine), ...statuses.flatMap(statusLine)],
    phase: step === undefined ? null : phaseOfStep(step.id),
    upgraded: statuses.flatMap(({ ofMachine, name, stages }) => {
      const last = ofMachine ? stages.find(stage => stage.name === UPGRADED && stage.status === 'Success') : undefined
      return last === undefined ? [] : [{ machine: name, at: last.at }]
    }),
  }
}

/** Steps of a ClusterUpdatePlan as phases (docs/domain.md A.8). */
function phaseOfStep(id: string): UpdatePhase | null {
  if (id === 'openstack' || id === 'ceph') return 'applications'
  if (id === 'k8s-controllers') return 'control-nodes'
  if (id.startsWith('k8s-workers')) return 'worker-nodes'
  return id === 'mcc-components' ? 'finalize' : null
}

function planLine({ name, cluster, versions, status, steps }: UpdatePlan): string {
  const told = steps.map(step => `${step.id} ${step.status}`).join(', ')
  return `ClusterUpdatePlan ${name} of ${cluster || 'no cluster'} (${versions}): ${status}${told === '' ? '' : `; ${told}`}`
}

/** The stage it is in, else the last one it left behind; an object that says nothing is left out. */
function statusLine({ kind, name, stages }: StatusObject): readonly string[] {
  const stage =
    stages.find(each => each.status === 'Fail') ??
    stages.find(each => each.status === 'InProgress') ??
    stages.findLast(each => each.status === 'Success')
  if (stage === undefined) return []
  return [`${kind} ${name}: ${stage.name} ${stage.status}${stage.message === '' ? '' : `: ${stage.message}`}`]
}
