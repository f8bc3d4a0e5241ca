import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type InstanceChoice, needsReason } from '../../shared/domain/instance-choice.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { migrationsOf } from '../../shared/domain/run-progress.ts'
import { mayStillHeed, stepOfInstance } from '../../shared/domain/step-of-instance.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { AskedControl } from '../ports/other-drivers.ts'
import type { RunRequest } from '../runs/run-service.ts'
import { whyNotAnswered } from './command-work.ts'
import type { ControlServices } from './control-services.ts'
import { askRunner, summaryOf } from './run-elsewhere.ts'

type Services = Pick<ControlServices, 'clusters' | 'others' | 'runs'>
/** What an operator asks of a run and its driver carries out; leaving it concerns this console alone. */
type Asked = Exclude<RunRequest, { readonly kind: 'detach' }>

/** Sends a request to the process that drives a run: a runner, this console or another one. */
export async function askRun(runId: string, asked: Asked, services: Services): Promise<Result<void>> {
  return (await askRunner(runId, controlOf(asked), services)) ?? services.runs.request(runId, asked)
}

/** A request in the words of a MaintenanceRunControl. */
function controlOf(asked: Asked): AskedControl {
  switch (asked.kind) {
    case 'skip-lane':
      return { control: 'skip-node', node: asked.lane, reason: asked.reason }
    case 'abort':
      return { control: 'abort', reason: asked.reason }
    case 'answer':
    case 'decide-instance': {
      const { kind: control, ...rest } = asked
      return { control, ...rest }
    }
    default:
      return { control: asked.kind, reason: '' }
  }
}

/** Leaves out a node of a run over many, unless its work has begun. */
export async function skipNode(
  { runId, node, reason }: { readonly runId: string; readonly node: string; readonly reason: string },
  services: Services,
): Promise<Result<void>> {
  const found = services.runs.view(runId)
  if (!found.ok) return found
  const refused = whyNotSkipped(found.value.view, node) ?? whyReasonMissing(found.value.view, reason, services)
  return refused === null ? askRun(runId, { kind: 'skip-lane', lane: node, reason }, services) : failed(refused)
}

export async function answerRun(
  { runId, ...answer }: { readonly runId: string } & Omit<Extract<Asked, { kind: 'answer' }>, 'kind'>,
  services: Services & Pick<ControlServices, 'commands'>,
): Promise<Result<void>> {
  const found = services.runs.view(runId)
  if (!found.ok) return found
  const { view } = found.value
  const unsaid = answer.choice === 'skip' ? whyReasonMissing(view, answer.reason, services) : null
  const refused = (await whyNotAnswered(view, answer, services.commands)) ?? unsaid
  return refused === null ? askRun(runId, { kind: 'answer', ...answer }, services) : failed(refused)
}

/** Chooses what a run does about one instance. */
export async function chooseForInstance(
  { runId, ...chosen }: { readonly runId: string } & Omit<Extract<Asked, { kind: 'decide-instance' }>, 'kind'>,
  services: Services,
): Promise<Result<void>> {
  const found = services.runs.view(runId)
  if (!found.ok) return found
  const { view } = found.value
  const unsaid = needsReason(chosen.choice) ? whyReasonMissing(view, chosen.reason, services) : null
  const refused = unsaid ?? whyNotChosen(view, chosen)
  return refused === null ? askRun(runId, { kind: 'decide-instance', ...chosen }, services) : failed(refused)
}

/** Stops a run for good: by its driver, or here where it has none. */
export async function abortRun(
  { runId, reason }: { readonly runId: string; readonly reason: string },
  services: Services,
): Promise<Result<RunSummary>> {
  const { runs } = services
  const far = await askRunner(runId, { control: 'abort', reason }, services)
  if (far !== null) return far.ok ? summaryOf(runId, runs) : far
  const found = runs.view(runId)
  if (!found.ok) return found
  const { id, state } = found.value.view
  if (state.kind === 'finished') {
    const why = because('NothingToAbort', { run: id, outcome: state.outcome })
    return failed(refusal('conflict', why, { target: `run/${id}` }))
  }
  const asked = found.value.interrupted
    ? runs.abortUndriven(runId, reason)
    : runs.request(runId, { kind: 'abort', reason })
  return asked.ok ? summaryOf(runId, runs) : asked
}

/** Leaves a run that this console drives, to be resumed. A run of a runner continues there; only this console stops following it. */
export function detachRun(runId: string, services: Services & Pick<ControlServices, 'emit'>): Result<RunSummary> {
  const { others, runs } = services
  const known = runs.view(runId)
  if (others.find(runId) !== null && known.ok && known.value.summary.runner !== undefined) {
    services.emit('run.rested', { runId, state: 'unheard', outcome: null })
    return summaryOf(runId, runs)
  }
  const active = runs.active(runId)
  if (active === null) {
    return failed(refusal('not-found', because('NotDrivenHere', { run: runId }), { target: `run/${runId}` }))
  }
  active.detach()
  return summaryOf(runId, runs)
}

/** On a production cloud, work that is left undone needs a reason. Stopping a run never does. */
function whyReasonMissing({ id, plan }: RunView, reason: string, { clusters }: Services): Failure | null {
  const cluster = clusters.get(plan.cluster)
  if (reason.trim() !== '' || !cluster.ok || !cluster.value.production) return null
  return refusal('bad-input', because('SayWhyOnProduction', { cluster: plan.cluster }), { target: `run/${id}` })
}

function whyNotSkipped({ id, steps }: RunView, node: string): Failure | null {
  const own = steps.filter(({ step }) => step.lane?.name === node)
  const target = `run/${id}`
  if (own.length === 0) return refusal('not-found', because('RunWithoutNode', { run: id, node }), { target })
  const begun = own.find(step => step.attempts > 0 || step.state === 'waiting')
  if (begun === undefined) return null
  return refusal('conflict', because('NodeWasBegun', { node, step: begun.step.title }), { target })
}

function whyNotChosen(
  view: RunView,
  { instanceId, choice }: { readonly instanceId: string; readonly choice: InstanceChoice },
): Failure | null {
  const target = `server/${instanceId}`
  const found = stepOfInstance(view, instanceId)
  if (found === null) {
    return refusal('not-found', because('NoStepHeedsDecision', { run: view.id, instance: instanceId }), { target })
  }
  if (view.state.kind !== 'finished' && mayStillHeed(found.step)) {
    const isCold = migrationsOf(found.step).some(({ subject, isCold: cold }) => subject === target && cold)
    if (choice !== 'force-complete' || !isCold) return null
    return refusal('conflict', because('InstanceMovesCold', { instance: found.name }), { target })
  }
  return refusal('conflict', because('InstanceIsThrough', { run: view.id, instance: found.name }), { target })
}
