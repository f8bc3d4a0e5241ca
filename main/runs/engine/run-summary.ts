import type { RunListState, RunSummary } from '../../../shared/contract/index.ts'
import { nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { conditionOf, conditionSentence, type RunCondition } from '../../../shared/domain/run-condition.ts'

/** One line of the list of runs. `refused`: why the journal took no more of it from this process; null: it did, or another one drove it. */
export function summarizeRun(view: RunView, interrupted: boolean, refused: string | null = null): RunSummary {
  const condition = conditionOf(view, interrupted)
  return {
    id: view.id,
    kind: view.plan.kind,
    cluster: view.plan.cluster,
    node: nodeOfPlan(view.plan),
    state: listState(view, interrupted),
    condition,
    operator: view.driver.operator,
    machine: view.driver.machine,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    summary:
      interrupted && condition.kind === 'interrupted' ? howToGoOn(view, condition, refused) : sentence(condition),
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

function sentence(condition: RunCondition): string {
  return condition.kind === 'interrupted' && condition.why !== null ? condition.why : conditionSentence(condition)
}

/** The open ends of a run that nobody drives, and the commands that go on with it. */
function howToGoOn(
  view: RunView,
  { at, why: left }: Extract<RunCondition, { kind: 'interrupted' }>,
  refused: string | null,
): string {
  const stopped =
    refused === null
      ? 'Nobody drives it'
      : `It was stopped, because what it does could not be kept. ${refused} Nobody drives it`
  const place = `${stopped}${at === null ? '' : `; it was at: ${at}`}.`
  const resume = `\`lockkeeper run resume ${view.id}\``
  const why = left === null ? '' : ` ${left.replace(/\.?$/, '.')}`
  // A question stands until it is answered, whoever left it and how.
  const [open, ...more] = view.openGates
  if (open !== undefined) {
    const others = more.length === 0 ? '' : ` ${more.length === 1 ? '1 more is' : `${more.length} more are`} open.`
    const answer = `\`lockkeeper run answer ${view.id} ${open.gateId} ${open.choices[0]}\``
    return `Left with an open question: ${open.question}${others} ${place}${why} Answer it (${open.choices.join(', ')}) with ${answer}, or go on with ${resume}.`
  }
  // The reason why it was left may stand in the way of a resume too: another console may hold the Lease.
  return `${place}${why} To go on: ${resume}.`
}
