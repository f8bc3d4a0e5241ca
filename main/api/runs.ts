import { inPieces } from '../../shared/domain/pieces.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { planNode, planUndoOfRun } from '../run-control/plan-run.ts'
import { resumeRun } from '../run-control/resume-run.ts'
import { viewSettled } from '../run-control/run-elsewhere.ts'
import { startRun } from '../run-control/start-run.ts'
import { abortRun, answerRun, askRun, chooseForInstance, detachRun, skipNode } from '../run-control/steer-run.ts'
import { createEstimateKeeper } from '../windows/kept-estimate.ts'
import { createForecast, planGone } from '../windows/plan-forecast.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

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

/** Requests about plans and runs. main/run-control has the rules. */
export function runHandlers(
  services: Pick<
    ApiServices,
    'clock' | 'clusters' | 'commands' | 'emit' | 'log' | 'newId' | 'others' | 'plans' | 'runs' | 'windows' | 'worlds'
  >,
): RunHandlers {
  const { others, runs, plans } = services
  const forecast = createForecast(services)
  const starting = { ...services, keepEstimate: createEstimateKeeper(services) }
  return {
    'plan.make': wish => planNode(wish, services),
    'plan.undo': wish => planUndoOfRun(wish, services),
    'plan.forecast': async ({ planId, returning = [] }) => {
      const plan = plans.find(planId)
      return plan === null ? planGone(planId) : forecast(plan, returning)
    },
    'run.start': confirmation => startRun(confirmation, starting),
    'run.resume': ({ runId }) => resumeRun(runId, services),
    'run.pause': async ({ runId }) => answered(await askRun(runId, { kind: 'pause' }, services)),
    'run.pause-after-node': async ({ runId }) => answered(await askRun(runId, { kind: 'pause-after-node' }, services)),
    'run.skip-node': async wish => answered(await skipNode(wish, services)),
    'run.unpause': async ({ runId }) => answered(await askRun(runId, { kind: 'unpause' }, services)),
    'run.abort': wish => abortRun(wish, services),
    'run.detach': async ({ runId }) => detachRun(runId, services),
    'run.answer': async answer => answered(await answerRun(answer, services)),
    'run.decide': async chosen => answered(await chooseForInstance(chosen, services)),
    'run.list': async filter => {
      others.begin()
      const listed = runs.list(filter)
      return listed.ok ? ok([...listed.value]) : listed
    },
    'run.show': async ({ runId }) => {
      others.begin()
      await inPieces(runs.readAhead(runId), services.clock)
      const found = await viewSettled(runId, services)
      return found.ok ? ok({ summary: found.value.summary, events: [...found.value.events] }) : found
    },
  }
}

function answered(answer: Result<void>): Result<Record<string, never>> {
  return answer.ok ? ok({}) : answer
}
