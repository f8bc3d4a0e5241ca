import type { ListedWindow } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import {
  isNodePlan,
  isWayBack,
  type NodePlan,
  type Plan,
  type PlanWindow,
  staysOut,
  takesOut,
} from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { zonedText } from '../../shared/grammar/times.ts'
import { whyNotOpen, windowLabel } from '../../shared/words/windows.ts'
import { createWindowBook, type WindowSources } from './window-book.ts'

/** What a run names of its window when it is started. */
interface WindowChoice {
  readonly windowId: string | undefined
  readonly outsideWindow: string | undefined
}

/**
 * The window a run belongs to. A run that brings a node back asks for none: a node is never kept out of service for want of one. Nor does a rescue: a
 * machine does not choose when it dies.
 */
export function windowOfRun(plan: Plan, choice: WindowChoice, sources: WindowSources): Result<PlanWindow | null> {
  const book = createWindowBook(sources)
  const chosen = choice.windowId ?? (plan.window?.kind === 'in' ? plan.window.id : undefined)
  if (chosen !== undefined) return chosenWindow(plan, chosen, book)
  const listed = book.list(plan.cluster)
  if (!listed.ok) return listed
  const open = listed.value.filter(({ standing }) => standing === 'open')
  const [only] = open
  if (only !== undefined && open.length === 1) return ok(belonging(only))
  if (isNodePlan(plan) && isWayBack(plan.kind)) return ok(windowOfEntry(plan, listed.value, sources))
  if (plan.kind === 'rescue')
    return ok({ kind: 'outside', reason: `a machine that is off: ${plan.options.machineIsOff}` })
  if (open.length > 1) return failed(several(plan.cluster, open))
  const reason = choice.outsideWindow?.trim()
  if (reason !== undefined && reason !== '') return ok({ kind: 'outside', reason })
  return failed(noneOpen(plan, listed.value))
}

function chosenWindow(plan: Plan, id: string, book: ReturnType<typeof createWindowBook>): Result<PlanWindow> {
  const found = book.find(id)
  if (!found.ok) return found
  const { window, standing } = found.value
  const target = { target: `window/${window.id}` }
  if (window.cluster !== plan.cluster) {
    return failed(
      failure(
        'bad-input',
        `Window ${windowLabel(window)} is one of cluster ${window.cluster}, and this run works on ${plan.cluster}. Nothing was started.`,
        target,
      ),
    )
  }
  // A node that was entered within a window is brought back within it, however late.
  const late = isWayBack(plan.kind) && (standing === 'over' || standing === 'overrunning')
  const why = late ? null : whyNotOpen(window, standing)
  return why === null
    ? ok(belonging(found.value))
    : failed(failure('conflict', `${why} Nothing was started. ${nextOf(plan, found.value)}`, target))
}

function nextOf(plan: Plan, { window, standing }: ListedWindow): string {
  // What a window is for is carried out in that window and in no other.
  if (plan.window?.kind === 'in') {
    if (standing === 'closed' || standing === 'cancelled') return 'Make another window for what is left.'
    const change = `\`lockkeeper window change ${window.id}\` changes its times.`
    return standing === 'planned'
      ? `Wait for it, or have it start by itself then (\`lockkeeper window start ${window.id} --when-it-begins\`). ${change}`
      : change
  }
  return standing === 'closed' || standing === 'cancelled'
    ? 'Make another window, or start outside any with a reason.'
    : 'Change its times, choose another window, or start outside any with a reason.'
}

function belonging({ window }: ListedWindow): PlanWindow {
  return { kind: 'in', id: window.id, title: window.title, endsAt: window.endsAt, timeZone: window.timeZone }
}

/** The window within which the node was taken out of service, unless that one is closed. */
function windowOfEntry(
  plan: NodePlan,
  listed: readonly ListedWindow[],
  { runs, windows }: WindowSources,
): PlanWindow | null {
  const found = runs.list({ cluster: plan.cluster, node: plan.node })
  const entry = found.ok ? found.value.find(({ kind }) => takesOut(kind) || staysOut(kind)) : undefined
  const id = entry === undefined ? null : windows.windowOf(entry.id)
  const window = listed.find(each => each.window.id === id)
  return window === undefined || window.standing === 'closed' || window.standing === 'cancelled'
    ? null
    : belonging(window)
}

function several(cluster: string, open: readonly ListedWindow[]): Failure {
  const names = open.map(({ window }) => windowLabel(window)).join(', ')
  return failure(
    'conflict',
    `${open.length} windows are open on ${cluster}: ${names}. Nothing was started. Say to which one the run belongs (--window ID).`,
    { target: `cluster/${cluster}` },
  )
}

function noneOpen({ cluster }: Plan, listed: readonly ListedWindow[]): Failure {
  const next = listed.filter(({ standing }) => standing === 'planned').at(-1)?.window
  const begins =
    next === undefined
      ? ''
      : ` The next, ${windowLabel(next)}, begins at ${zonedText(next.startsAt, next.timeZone)} (${next.timeZone}).`
  return failure(
    'conflict',
    `No maintenance window is open on ${cluster}.${begins} Nothing was started. Wait for a window, make one, or start outside any and say why (--outside-window REASON).`,
    { target: `cluster/${cluster}` },
  )
}
