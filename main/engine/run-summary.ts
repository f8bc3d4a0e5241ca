import type { RunListState, RunSummary } from '../../shared/contract/index.ts'
import { assertNever } from '../../shared/domain/must.ts'
import type { RunView } from '../../shared/domain/run.ts'

/** One line of the list of runs. `refused`: why the journal took no more of it from this process; null: it did, or another one drove it. */
export function summarizeRun(view: RunView, interrupted: boolean, refused: string | null = null): RunSummary {
  return {
    id: view.id,
    kind: view.plan.kind,
    cluster: view.plan.cluster,
    node: view.plan.node,
    state: listState(view, interrupted),
    operator: view.driver.operator,
    machine: view.driver.machine,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    summary: sentence(view, interrupted, refused),
  }
}

function listState({ state }: RunView, interrupted: boolean): RunListState {
  if (interrupted) return 'interrupted'
  switch (state.kind) {
    case 'finished':
      return state.outcome
    case 'left':
      return 'interrupted'
    default:
      return state.kind
  }
}

function sentence(view: RunView, interrupted: boolean, refused: string | null): string {
  const { state } = view
  const at = view.steps.find(step => step.state === 'applying' || step.state === 'waiting')?.step.title
  if (interrupted) {
    const stopped =
      refused === null
        ? 'Nobody drives it'
        : `It was stopped, because what it does could not be kept. ${refused} Nobody drives it`
    const place = `${stopped}${at === undefined ? '' : `; it was at: ${at}`}.`
    const resume = `\`lockkeeper run resume ${view.id}\``
    const why = state.kind === 'left' ? ` ${state.why.replace(/\.?$/, '.')}` : ''
    // A question stands until it is answered, whoever left it and how.
    const [open, ...more] = view.openGates
    if (open !== undefined) {
      const others = more.length === 0 ? '' : ` ${more.length === 1 ? '1 more is' : `${more.length} more are`} open.`
      const answer = `\`lockkeeper run answer ${view.id} ${open.gateId} ${open.choices[0]}\``
      return `Left with an open question: ${open.question}${others} ${place}${why} Answer it (${open.choices.join(', ')}) with ${answer}, or go on with ${resume}.`
    }
    // Why it was left may stand in the way of a resume too, as a Lease that another console holds does.
    if (state.kind === 'left') return `${place}${why} To go on: ${resume}.`
    return `${place} Resume it with ${resume}.`
  }
  switch (state.kind) {
    case 'created':
      return 'About to start.'
    case 'running':
      return at ?? 'Checking.'
    case 'waiting':
      return state.question
    case 'paused':
      return view.openGates[0] === undefined
        ? 'Paused.'
        : `Paused, with an open question: ${view.openGates[0].question}`
    case 'left':
      return state.why
    case 'aborting':
      return 'Stopping: nothing new is begun.'
    case 'finished':
      return state.summary
    default:
      return assertNever(state, 'run state')
  }
}
