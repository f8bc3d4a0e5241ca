import type { RecurringBlocker } from './history.ts'
import { nodeOfPlan } from './plan.ts'
import type { RunEvent, RunView } from './run.ts'
import type { Blocker } from './step-answers.ts'

/** Once per node, even if it was repeated. */
export interface BlockedCheck {
  readonly runId: string
  readonly cluster: string
  readonly node: string | null
  readonly at: string
  readonly code: string
  readonly values: Blocker['values']
  readonly message: string
  readonly overridden: boolean
}

/** Each once per node, oldest first; `view` is the fold of the events. */
export function blockedChecksOf(view: RunView, events: readonly RunEvent[]): readonly BlockedCheck[] {
  const nodes = new Map(view.steps.map(({ step }) => [step.id, step.lane?.name ?? nodeOfPlan(view.plan)]))
  const found = new Map<string, BlockedCheck>()
  for (const { at, body } of events) {
    if (body.kind === 'step-checked' && body.answer.kind === 'blocked') {
      for (const blocker of body.answer.blockers) {
        const check = checkOf(view, nodes.get(body.stepId) ?? null, at, blocker)
        const key = keyOf(check)
        if (!found.has(key)) found.set(key, check)
      }
    }
    if (body.kind === 'blocker-overridden') {
      const check = checkOf(view, nodes.get(body.stepId) ?? null, at, body)
      const key = keyOf(check)
      found.set(key, { ...(found.get(key) ?? check), overridden: true })
    }
  }
  return [...found.values()]
}

/** Of two runs or more, the most frequent first, whatever node, instance or count they name. */
export function recurringBlockers(checks: readonly BlockedCheck[]): readonly RecurringBlocker[] {
  const groups = Map.groupBy(checks, check => JSON.stringify([check.cluster, check.code, whatOf(check)]))
  return [...groups.values()]
    .flatMap(group => blockerOf(group.toSorted((a, b) => a.at.localeCompare(b.at))) ?? [])
    .toSorted((a, b) => b.times - a.times || b.lastAt.localeCompare(a.lastAt) || a.code.localeCompare(b.code))
}

function blockerOf(group: readonly BlockedCheck[]): RecurringBlocker | null {
  const first = group[0]
  const last = group.at(-1)
  const runIds = [...new Set(group.map(({ runId }) => runId))]
  if (first === undefined || last === undefined || runIds.length < 2) return null
  return {
    cluster: first.cluster,
    code: first.code,
    message: last.message,
    nodes: [...new Set(group.flatMap(({ node }) => node ?? []))].toSorted(),
    times: group.length,
    overridden: group.filter(({ overridden }) => overridden).length,
    firstAt: first.at,
    lastAt: last.at,
    // The newest first: the operator opens that one.
    runIds: runIds.toReversed(),
  }
}

function checkOf(
  { id, plan }: RunView,
  node: string | null,
  at: string,
  { code, values, message }: Pick<Blocker, 'code' | 'values' | 'message'>,
): BlockedCheck {
  return { runId: id, cluster: plan.cluster, node, at, code, values, message, overridden: false }
}

function keyOf(check: BlockedCheck): string {
  return JSON.stringify([check.node, check.code, whatOf(check)])
}

/** Without what changes between runs: the node, ids, times and counts. */
function whatOf({ values, message, node }: BlockedCheck): string {
  const about = values === undefined ? message : JSON.stringify(values)
  const general = node === null ? about : about.replaceAll(node, '<node>')
  return general
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
    .replaceAll(/\d+/g, '#')
}
