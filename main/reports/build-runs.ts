import { assertNever } from '../../shared/domain/must.ts'
import type { ReportRun } from '../../shared/domain/report.ts'
import type { Material, ReportedRun } from './material.ts'

/** Every run with who drove it and how it ended. */
export function buildRuns({ runs }: Pick<Material, 'runs'>): readonly ReportRun[] {
  return runs.map(run => {
    const { view } = run
    const { plan, state, driver } = view
    const finished = state.kind === 'finished' ? state : null
    return {
      id: view.id,
      kind: plan.kind,
      node: plan.node,
      outcome: finished?.outcome ?? null,
      state: stateName(run),
      operator: driver.operator,
      machine: driver.machine,
      version: driver.version,
      fromAt: view.createdAt,
      toAt: view.endedAt,
      summary: finished?.summary ?? standingWords(run),
      leftBehind: [...(finished?.leftBehind ?? [])],
      reason: plan.update?.reason ?? plan.options.reason,
      outsideWindow: plan.window?.kind === 'outside' ? plan.window.reason : null,
    }
  })
}

/** Where a run stands in one word; a rebuilt report learns from it whether somebody drove the run. */
export function stateName({ view, interrupted }: ReportedRun): string {
  if (view.state.kind === 'finished') return view.state.outcome
  return interrupted || view.state.kind === 'left' ? 'interrupted' : view.state.kind
}

/** Where a run that is not over stands, in a sentence. */
export function standingWords({ view, interrupted }: ReportedRun): string {
  const { state } = view
  const at = view.steps.find(step => step.state === 'applying' || step.state === 'waiting')?.step.title
  const where = at === undefined ? '' : ` It was at: ${at}.`
  if (interrupted || state.kind === 'left') return `Nobody drives it.${where}`
  switch (state.kind) {
    case 'created':
      return 'About to start.'
    case 'running':
      return at === undefined ? 'Looking at the checks.' : `At: ${at}.`
    case 'waiting':
      return `Waits for an answer: ${state.question}`
    case 'paused':
      return 'Paused.'
    case 'aborting':
      return 'Stopping: nothing new is begun.'
    case 'finished':
      return state.summary
    default:
      return assertNever(state, 'run state')
  }
}
