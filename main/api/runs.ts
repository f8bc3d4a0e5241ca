import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type InstanceChoice, needsReason } from '../../shared/domain/instance-choice.ts'
import { type CheckedPlan, type Plan, takesOut } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { migrationsOf } from '../../shared/domain/run-progress.ts'
import { mayStillHeed, stepOfInstance } from '../../shared/domain/step-of-instance.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import type { AskedControl } from '../ports/other-drivers.ts'
import { completeOptions, makePlan } from '../procedures/plans/node/make-plan.ts'
import { watchedWords } from '../procedures/steps/general/node-lease.ts'
import { whyNotHere } from '../runs/handed-over.ts'
import { createEstimateKeeper } from '../windows/kept-estimate.ts'
import { createForecast, planGone } from '../windows/plan-forecast.ts'
import { windowOfRun } from '../windows/window-of-run.ts'
import { whyCommandBlocks, whyCommandContinues, whyNotAnswered } from './command-work.ts'
import { whyNotTyped } from './confirm-typed.ts'
import { awaySinceEntered, ranWhenEntered } from './node-past.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'
import { endUndone, findUndoable, planUndo, whyNotResumed } from './undo.ts'

type RunHandlers = Pick<
  Handlers,
  | 'plan.make'
  | 'plan.undo'
  | 'plan.forecast'
  | 'run.start'
  | 'run.resume'
  | 'run.pause'
  | 'run.pause-after-node'
  | 'run.skip-node'
  | 'run.unpause'
  | 'run.abort'
  | 'run.detach'
  | 'run.answer'
  | 'run.decide'
  | 'run.list'
  | 'run.show'
>

/** Requests about plans and runs. The operator confirms the shown plan, which is kept by its id (shown-plans.ts). */
export function runHandlers(
  services: Pick<
    ApiServices,
    'clock' | 'clusters' | 'commands' | 'emit' | 'log' | 'newId' | 'others' | 'plans' | 'runs' | 'windows' | 'worlds'
  >,
): RunHandlers {
  const { others, runs, worlds, plans } = services
  const forecast = createForecast(services)
  const keepEstimate = createEstimateKeeper(services)

  const summary = (runId: string): Result<RunSummary> => {
    const found = runs.view(runId)
    return found.ok ? ok(found.value.summary) : found
  }

  /** A run's current state; for one handed over, checks first whether it was refused. */
  const viewAsSettled = async (given: string) => {
    const found = runs.view(given)
    if (!found.ok || found.value.view.handedTo === null) return found
    await others.settle(found.value.view.id)
    return runs.view(given)
  }

  /** Sends a control to the runner of a run; null: no runner drives it. */
  const remote = (given: string, control: AskedControl): Promise<Result<void>> | null => {
    const own = runs.view(given)
    // A runner may use any run id: this console's own runs take precedence.
    if (own.ok && own.value.summary.runner === undefined) {
      const elsewhere = control.control === 'resume' ? null : whyNotHere(own.value.view)
      return elsewhere === null ? null : Promise.resolve(failed(elsewhere))
    }
    const run = others.find(given)
    return run === null ? null : others.askDriver(run, control, `${runs.driver.operator}@${runs.driver.machine}`)
  }

  return {
    'plan.make': async ({ cluster, node, kind, choices }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
      // The plan and its checks describe the same moment.
      const command = await whyCommandContinues({ cluster, node }, services)
      if (command !== null) return failed(command)
      const { world } = readCluster(connected.value.world, services.clock)
      // The checks of an entry need all nodes and pods; requested early, these answers serve them too.
      if (takesOut(kind)) void Promise.all([world.kubernetes.listNodes(), world.kubernetes.listPods(null)])
      // In a whole maintenance the run itself records them.
      const isKnown = kind === 'home' || (kind === 'leave' && choices.home === true)
      const away = isKnown ? awaySinceEntered(node, cluster, runs, { mayBeBack: kind === 'home' }) : null
      if (away?.ok === false) return away
      const plan = await makePlan(
        {
          id: services.newId(),
          kind,
          node,
          madeAt: isoNow(services.clock),
          options: completeOptions(choices, world.cluster),
        },
        world,
        {
          ran: kind === 'leave' ? ranWhenEntered(node, cluster, runs) : null,
          ...(away === null ? {} : { away: away.value }),
        },
      )
      if (!plan.ok) return plan
      for (const words of await watchedWords(node, world)) services.emit('plan.watches', { cluster, node, words })
      const checked: CheckedPlan = await runs.check(plan.value, world)
      plans.keep(checked.plan)
      return ok(checked)
    },
    'plan.undo': async ({ runId, node, choices, instancesStay }) => {
      await viewAsSettled(runId)
      const found = findUndoable(runId, node ?? null, runs)
      if (!found.ok) return found
      const connected = await worlds.open(found.value.view.plan.cluster)
      if (!connected.ok) return connected
      if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
      const command = await whyCommandContinues(
        { cluster: found.value.view.plan.cluster, node: found.value.node },
        services,
      )
      if (command !== null) return failed(command)
      const { world } = readCluster(connected.value.world, services.clock)
      const plan = await planUndo(found.value, { ...choices, home: instancesStay !== true }, world, services)
      if (!plan.ok) return plan
      const checked: CheckedPlan = await runs.check(plan.value, world)
      plans.keep(checked.plan)
      return ok(checked)
    },
    'plan.forecast': async ({ planId }) => {
      const plan = plans.find(planId)
      return plan === null ? planGone(planId) : forecast(plan)
    },
    'run.start': async ({ planId, typedCluster, windowId, outsideWindow }) => {
      const shown = plans.find(planId)
      if (shown === null) return planGone(planId)
      const cluster = services.clusters.get(shown.cluster)
      if (!cluster.ok) return cluster
      const untyped = whyNotTyped(shown, cluster.value.production, typedCluster)
      if (untyped !== null) return failed(untyped)
      const command = await whyCommandBlocks(shown, services)
      if (command !== null) return failed(command)
      const window = windowOfRun(shown, { windowId, outsideWindow }, services)
      if (!window.ok) return window
      const plan: Plan = { ...shown, window: window.value }
      plans.forget(planId)
      const connected = await worlds.open(plan.cluster)
      if (!connected.ok) {
        plans.keep(shown)
        return connected
      }
      const ended = endUndone(plan, runs)
      if (!ended.ok) {
        plans.keep(shown)
        return ended
      }
      if (window.value?.kind === 'in') await keepEstimate(plan, window.value.id)
      const started = await runs.start(plan, connected.value.world)
      // The journal may still contain the run, for resuming: its recommendation stays.
      if (!started.ok) return started
      if (window.value?.kind === 'in') {
        services.emit('window.changed', { id: window.value.id, cluster: plan.cluster })
      }
      return summary(started.value.runId)
    },
    'run.resume': async ({ runId }) => {
      const asked = await remote(runId, { control: 'resume', reason: '' })
      if (asked !== null) return asked.ok ? summary(runId) : asked
      const found = runs.view(runId)
      if (!found.ok) return found
      if (runs.active(found.value.view.id) !== null) return summary(found.value.view.id)
      const refused = whyNotResumed(found.value.view, runs) ?? (await others.whyNotTakenBack(found.value.view))
      if (refused !== null) return failed(refused)
      const connected = await worlds.open(found.value.view.plan.cluster)
      if (!connected.ok) return connected
      const { id, handedTo } = found.value.view
      const takesBack = handedTo === null ? {} : { takesBack: found.value.events.at(-1)?.seq ?? 0 }
      const resumed = await runs.resume(id, connected.value.world, takesBack)
      if (resumed.ok || handedTo === null) return resumed.ok ? summary(resumed.value.runId) : resumed
      // The runner may have refused it meanwhile: then there is nothing to withdraw.
      const now = runs.view(id)
      if (!now.ok || now.value.view.handedTo !== null) return resumed
      const again = await runs.resume(id, connected.value.world)
      return again.ok ? summary(again.value.runId) : again
    },
    'run.pause': async ({ runId }) =>
      controlled((await remote(runId, { control: 'pause', reason: '' })) ?? runs.request(runId, { kind: 'pause' })),
    'run.pause-after-node': async ({ runId }) =>
      controlled(
        (await remote(runId, { control: 'pause-after-node', reason: '' })) ??
          runs.request(runId, { kind: 'pause-after-node' }),
      ),
    'run.skip-node': async ({ runId, node, reason }) => {
      const found = runs.view(runId)
      if (!found.ok) return found
      const refused = whyNotSkipped(found.value.view, node)
      return refused === null
        ? controlled(
            (await remote(runId, { control: 'skip-node', node, reason })) ??
              runs.request(runId, { kind: 'skip-lane', lane: node, reason }),
          )
        : failed(refused)
    },
    'run.unpause': async ({ runId }) =>
      controlled((await remote(runId, { control: 'unpause', reason: '' })) ?? runs.request(runId, { kind: 'unpause' })),
    'run.abort': async ({ runId, reason }) => {
      const far = await remote(runId, { control: 'abort', reason })
      if (far !== null) return far.ok ? summary(runId) : far
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
      return asked.ok ? summary(runId) : asked
    },
    'run.detach': async ({ runId }) => {
      // Nobody here drives it, so an observer just leaves.
      const known = runs.view(runId)
      if (others.find(runId) !== null && known.ok && known.value.summary.runner !== undefined) {
        services.emit('run.rested', { runId, state: 'unheard', outcome: null })
        return summary(runId)
      }
      const active = runs.active(runId)
      if (active === null)
        return failed(refusal('not-found', because('NotDrivenHere', { run: runId }), { target: `run/${runId}` }))
      active.detach()
      return summary(runId)
    },
    'run.answer': async ({ runId, gateId, choice, reason }) => {
      const found = runs.view(runId)
      if (!found.ok) return found
      const refused = await whyNotAnswered(found.value.view, { gateId, choice, reason }, services.commands)
      return refused === null
        ? controlled(
            (await remote(runId, { control: 'answer', gateId, choice, reason })) ??
              runs.request(runId, { kind: 'answer', gateId, choice, reason }),
          )
        : failed(refused)
    },
    'run.decide': async ({ runId, instanceId, choice, reason }) => {
      const found = runs.view(runId)
      if (!found.ok) return found
      const refused = whyNotDecided(found.value.view, instanceId, choice, reason)
      return refused === null
        ? controlled(
            (await remote(runId, { control: 'decide-instance', instanceId, choice, reason })) ??
              runs.request(runId, { kind: 'decide-instance', instanceId, choice, reason }),
          )
        : failed(refused)
    },
    'run.list': async filter => {
      others.begin()
      const listed = runs.list(filter)
      return listed.ok ? ok([...listed.value]) : listed
    },
    'run.show': async ({ runId }) => {
      others.begin()
      const found = await viewAsSettled(runId)
      if (!found.ok) return found
      return ok({ summary: found.value.summary, events: [...found.value.events] })
    },
  }
}

function whyNotSkipped({ id, steps }: RunView, node: string): Failure | null {
  const own = steps.filter(({ step }) => step.lane?.name === node)
  const target = `run/${id}`
  if (own.length === 0) return refusal('not-found', because('RunWithoutNode', { run: id, node }), { target })
  const begun = own.find(step => step.attempts > 0 || step.state === 'waiting')
  if (begun === undefined) return null
  return refusal('conflict', because('NodeWasBegun', { node, step: begun.step.title }), { target })
}

function whyNotDecided(view: RunView, instanceId: string, choice: InstanceChoice, reason: string): Failure | null {
  const target = `server/${instanceId}`
  if (needsReason(choice) && reason.trim() === '') {
    return refusal('bad-input', because('SayWhyDecided', { choice }), { target })
  }
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

function controlled(answer: Result<void>): Result<Record<string, never>> {
  return answer.ok ? ok({}) : answer
}
