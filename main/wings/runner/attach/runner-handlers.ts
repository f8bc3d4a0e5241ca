import type { RequestInput, RequestOutput, SubmittedRun } from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { isSameJson } from '../../../../shared/domain/is-same-json.ts'
import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunSpec,
  RUNNER_GROUP,
  readableStatus,
} from '../../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Handlers } from '../../../api/serve.ts'
import type { ApiServices } from '../../../api/services.ts'
import type { OtherDrivers } from '../../../ports/other-drivers.ts'
import { whyNotTyped } from '../../../run-control/confirm-typed.ts'
import { codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import { planGone } from '../../../windows/plan-forecast.ts'
import { windowOfRun } from '../../../windows/window-of-run.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import { askedRunOf, askedRuns } from './asked-runs.ts'
import type { Attached } from './attached.ts'
import { controlAnswer } from './control-answer.ts'
import { handOver } from './hand-over.ts'
import { askerOf } from './remote-control.ts'
import { runOfPlan } from './run-of-plan.ts'
import type { RunnerPlace } from './runner-place.ts'

export type RunnerHandlers = Pick<
  Handlers,
  | 'attach.describe'
  | 'attach.stretch'
  | 'runner.list'
  | 'runner.offer'
  | 'runner.submit'
  | 'runner.submitted'
  | 'runner.hand-over'
  | 'runner.asked'
  | 'runner.withdraw'
>

type RunnerServices = Pick<
  ApiServices,
  'clock' | 'clusters' | 'installation' | 'journal' | 'newId' | 'plans' | 'runs' | 'windows'
> & {
  readonly attached: Omit<Attached, 'mirrored' | 'close'>
  readonly settleHandOvers: OtherDrivers['settle']
}

/** Requests about runners in clusters: their descriptions, and runs that a console gives them. */
export function runnerHandlers(services: RunnerServices): RunnerHandlers {
  const { attached, clusters, journal } = services
  return {
    'attach.describe': async () => describe(services),
    'attach.stretch': async ({ after, limit }) => journal.stretches.after(after, limit),
    'runner.list': async ({ cluster }) => {
      const known = cluster === null ? ok(null) : clusters.get(cluster)
      return known.ok ? ok([...(await attached.runners(cluster))]) : known
    },
    'runner.offer': async ({ cluster }) => {
      const known = clusters.get(cluster)
      if (!known.ok) return known
      const where = await findOffer(cluster, services)
      if (!where.ok)
        return ok({ kind: 'not-offered', why: where.failure.message, ...codedOf(codedTextOf(where.failure)) })
      const { pod, as, proved } = where.value
      return ok({ kind: 'offered', by: pod.by, namespace: pod.namespace, runner: pod.name, as, proved })
    },
    'runner.submit': wish => submit(wish, services),
    'runner.hand-over': async wish => {
      const handed = await handOver(wish, services, cluster => findOffer(cluster, services))
      return handed.ok ? ok(submittedRun(handed.value.place, handed.value.run, attached)) : handed
    },
    'runner.submitted': async ({ by, namespace, object }) => {
      const world = await attached.worldOf({ by, namespace })
      if (!world.ok) return world
      const run = await objectNamed(object, world.value.maintenanceRuns(namespace), { by, namespace })
      return run.ok ? ok(submittedRun({ by, namespace }, run.value, attached)) : run
    },
    'runner.asked': async wanted => {
      const known = wanted.cluster === null ? ok(null) : clusters.get(wanted.cluster)
      await services.settleHandOvers(null)
      const reports = (runId: string, object: string) => reportsHandOver(runId, object, services)
      return known.ok ? ok(await askedRuns(wanted, { attached, clock: services.clock, reports })) : known
    },
    'runner.withdraw': wish => withdraw(wish, services),
  }
}

function describe({ clusters, journal, installation, runs }: RunnerServices): Result<RequestOutput<'attach.describe'>> {
  const known = clusters.list()
  if (!known.ok) return known
  const ends = journal.stretches.ends()
  if (!ends.ok) return ends
  return ok({
    version: installation.version,
    machine: runs.driver.machine,
    clouds: known.value.map(({ name }) => name),
    first: ends.value?.first ?? null,
    head: ends.value?.head ?? null,
  })
}

/** The runner that takes plans of a cloud, and the operator's name there; a failure says why there is none. */
async function findOffer(cluster: string, { attached }: RunnerServices) {
  const found = await attached.runnerOf(cluster)
  if (!found.ok) return found
  const { pod, world } = found.value
  const { by, namespace } = pod
  const objects = world.maintenanceRuns(namespace)
  const question = { verb: 'create', group: RUNNER_GROUP, resource: 'maintenanceruns', namespace }
  const [may, as, proved] = await Promise.all([
    world.kubernetes.reviewAccess([question]),
    objects.whoAmI(),
    objects.provesUsersSince(),
  ])
  if (!may.ok) return may
  if (may.value.some(({ allowed }) => !allowed)) {
    const why = because('MayNotCreateRuns', { namespace, by })
    return failed(refusal('not-permitted', why, { target: `cluster/${cluster}` }))
  }
  if (!as.ok) return as
  return ok({ pod, objects, as: as.value, proved: proved.ok && proved.value !== null })
}

async function submit(
  { planId, typedCluster, windowId, outsideWindow, ...asked }: RequestInput<'runner.submit'>,
  services: RunnerServices,
): Promise<Result<SubmittedRun>> {
  const { clusters, plans, attached } = services
  const shown = plans.find(planId)
  if (shown === null) return planGone(planId)
  const cluster = clusters.get(shown.cluster)
  if (!cluster.ok) return cluster
  const refused = whyNotTyped(shown, cluster.value.production, typedCluster)
  if (refused !== null) return failed(refused)
  const window = windowOfRun(shown, { windowId, outsideWindow, production: cluster.value.production }, services)
  if (!window.ok) return window
  const plan: Plan = { ...shown, window: window.value }
  const where = await findOffer(plan.cluster, services)
  if (!where.ok) return where
  const { pod, objects } = where.value
  const as = await askerOf({ objects, ownWord: ownWordOf(services) })
  if (!as.ok) return as
  const run = runOfPlan(plan, as.value, asked)
  if (!run.ok) return run
  const made = await objects.createRun(run.value)
  // An earlier attempt with a lost answer may have created it: its content shows that it is the requested object.
  const there = made.ok || made.failure.code !== 'conflict' ? made : await findSubmitted(objects, run.value, made)
  if (!there.ok) return there
  plans.forget(planId)
  return ok(submittedRun(pod, there.value, attached))
}

async function withdraw(
  { by, namespace, object, reason }: RequestInput<'runner.withdraw'>,
  services: RunnerServices,
): Promise<Result<RequestOutput<'runner.withdraw'>>> {
  const { attached, newId, clock } = services
  const world = await attached.worldOf({ by, namespace })
  if (!world.ok) return world
  const objects = world.value.maintenanceRuns(namespace)
  const run = await objectNamed(object, objects, { by, namespace })
  if (!run.ok) return run
  const refused = whyNotWithdrawn(run.value)
  if (refused !== null) return failed(refused)
  const who = await askerOf({ objects, ownWord: ownWordOf(services) })
  if (!who.ok) return who
  const name = `abort-${newId()}`
  const made = await objects.createControl({ name, spec: { run: object, control: 'abort', by: who.value, reason } })
  if (!made.ok) return made
  const answer = await controlAnswer(name, `maintenancerun/${object}`, { objects, clock })
  return answer.ok ? ok({ message: answer.value }) : answer
}

/** Whether this object no longer hands the run over, or a runner reports the run. Runs of imported journals do not count. */
function reportsHandOver(runId: string, object: string, { journal, runs }: RunnerServices): boolean {
  if (journal.row(runId) === null || journal.care.isImported(runId)) return false
  const found = runs.view(runId)
  if (!found.ok) return false
  return found.value.summary.runner !== undefined || found.value.view.handedTo?.object !== object
}

/** The operator's name if the API server does not name them. */
function ownWordOf({ runs }: RunnerServices): string {
  return `${runs.driver.operator}@${runs.driver.machine}`
}

function submittedRun(place: RunnerPlace, run: MaintenanceRun, attached: Pick<Attached, 'find'>): SubmittedRun {
  const asked = askedRunOf(run, place, attached)
  const { by, namespace, object, phase, message, runId, mirrored, over } = asked
  return { by, namespace, object, phase: phase ?? 'Pending', message, ...codedOf(asked), runId, mirrored, over }
}

/** The existing MaintenanceRun of that name, from an earlier attempt. A failure if its content differs. */
async function findSubmitted(
  objects: MaintenanceRunsPort,
  { name, spec }: { readonly name: string; readonly spec: MaintenanceRunSpec },
  refused: Extract<Result<MaintenanceRun>, { ok: false }>,
): Promise<Result<MaintenanceRun>> {
  const run = await objects.run(name)
  if (!run.ok || run.value === null) return refused
  const there = run.value.spec
  if ('unreadable' in there) return refused
  const differs = ASKED.filter(field => !isSameJson(there[field], spec[field]))
  if (differs.length === 0) return ok(run.value)
  return failed(
    refusal(
      'conflict',
      because('PlanAskedOtherwise', { object: name, confirmedBy: there.confirmedBy, fields: differs }),
      { target: `maintenancerun/${name}` },
    ),
  )
}

const ASKED = ['plan', 'confirmedBy', 'startAfter', 'notAfter', 'answers', 'resumePolicy', 'campaign'] as const

async function objectNamed(
  object: string,
  objects: MaintenanceRunsPort,
  { by, namespace }: RunnerPlace,
): Promise<Result<MaintenanceRun>> {
  const run = await objects.run(object)
  if (!run.ok) return run
  if (run.value !== null) return ok(run.value)
  const why = because('RunObjectNotThere', { object, namespace, by })
  return failed(refusal('not-found', why, { target: `maintenancerun/${object}` }))
}

/** Why a MaintenanceRun cannot be withdrawn; null when it can. Only the runner can say what it has done with it since. */
function whyNotWithdrawn(run: MaintenanceRun): Failure | null {
  const { name } = run
  const status = readableStatus(run)
  if (status === null) return null
  const target = { target: `maintenancerun/${name}` }
  if (status.runId !== null) {
    const why = because('RunObjectBegun', { object: name, run: status.runId, phase: status.phase })
    return refusal('conflict', why, target)
  }
  return isFinalPhase(status.phase)
    ? refusal('conflict', because('RunObjectOver', { object: name, phase: status.phase, said: status.message }), target)
    : null
}
