import type { ListedWindow } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import {
  isNodePlan,
  isWayBack,
  type NodePlan,
  type Plan,
  type PlanWindow,
  staysOut,
  takesOut,
} from '../../shared/domain/plan.ts'
import { reasonOfPlan, wantsReason } from '../../shared/domain/reason-policy.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { createWindowReader, type WindowSources } from './window-reader.ts'

interface WindowChoice {
  readonly windowId: string | undefined
  readonly outsideWindow: string | undefined
  readonly production: boolean
}

/**
 * The window of a run; null if it has none. Outside every window a production cloud wants a reason, except for a node that
 * is brought back, and for a rescue: a machine does not choose when it dies.
 */
export function windowOfRun(plan: Plan, choice: WindowChoice, sources: WindowSources): Result<PlanWindow | null> {
  const windowReader = createWindowReader(sources)
  const chosen = choice.windowId ?? (plan.window?.kind === 'in' ? plan.window.id : undefined)
  if (chosen !== undefined) return chosenWindow(plan, chosen, windowReader)
  const listed = windowReader.list(plan.cluster)
  if (!listed.ok) return listed
  const open = listed.value.filter(({ status }) => status === 'open')
  const [only] = open
  if (only !== undefined && open.length === 1) return ok(inWindow(only))
  if (isNodePlan(plan) && isWayBack(plan.kind)) return ok(windowOfEntry(plan, listed.value, sources))
  if (plan.kind === 'rescue')
    return ok({
      kind: 'outside',
      reason: because('OutsideWindowForMachineOff', { reported: plan.options.machineIsOff }).message,
    })
  if (open.length > 1) return failed(severalOpen(plan.cluster, open))
  const said = choice.outsideWindow?.trim() ?? ''
  const isWanted = wantsReason(plan, choice)
  const reason = said === '' && isWanted ? reasonOfPlan(plan) : said
  if (reason !== '') return ok({ kind: 'outside', reason })
  return isWanted ? failed(noneOpen(plan, listed.value)) : ok(null)
}

function chosenWindow(plan: Plan, id: string, windowReader: ReturnType<typeof createWindowReader>): Result<PlanWindow> {
  const found = windowReader.find(id)
  if (!found.ok) return found
  const { window, status } = found.value
  const own = { window: window.id, title: window.title }
  const target = { target: `window/${window.id}` }
  if (window.cluster !== plan.cluster) {
    return failed(
      refusal(
        'bad-input',
        because('WindowOfOtherCluster', { ...own, cluster: window.cluster, planned: plan.cluster }),
        target,
      ),
    )
  }
  // A node that was taken out within a window is brought back within it, however late.
  const late = isWayBack(plan.kind) && (status === 'over' || status === 'overrunning')
  if (late || status === 'open') return ok(inWindow(found.value))
  const { startsAt, endsAt, timeZone, closed, cancelled } = window
  const times = { startsAt, endsAt, timeZone, closed, cancelled }
  const why = because('WindowNotOpen', { ...own, ...times, status, next: nextOf(plan, status) })
  return failed(refusal('conflict', why, target))
}

function nextOf(plan: Plan, status: ListedWindow['status']) {
  const isEnded = status === 'closed' || status === 'cancelled'
  // The plan of a window runs only in that window.
  if (plan.window?.kind === 'in')
    return isEnded ? 'make-another' : status === 'planned' ? 'wait-or-change' : 'change-times'
  return isEnded ? 'make-another-or-outside' : 'change-or-outside'
}

function inWindow({ window }: ListedWindow): PlanWindow {
  return { kind: 'in', id: window.id, title: window.title, endsAt: window.endsAt, timeZone: window.timeZone }
}

/** The window in which the node was taken out of service, unless it is closed. */
function windowOfEntry(
  plan: NodePlan,
  listed: readonly ListedWindow[],
  { runs, windows }: WindowSources,
): PlanWindow | null {
  const found = runs.list({ cluster: plan.cluster, node: plan.node })
  const entry = found.ok ? found.value.find(({ kind }) => takesOut(kind) || staysOut(kind)) : undefined
  const id = entry === undefined ? null : windows.windowOf(entry.id)
  const window = listed.find(each => each.window.id === id)
  return window === undefined || window.status === 'closed' || window.status === 'cancelled' ? null : inWindow(window)
}

function severalOpen(cluster: string, open: readonly ListedWindow[]): Failure {
  const windows = open.map(({ window }) => ({ window: window.id, title: window.title }))
  return refusal('conflict', because('WindowsOpen', { cluster, windows }), { target: `cluster/${cluster}` })
}

function noneOpen({ cluster }: Plan, listed: readonly ListedWindow[]): Failure {
  const begins = listed.filter(({ status }) => status === 'planned').at(-1)?.window
  const next =
    begins === undefined
      ? null
      : { window: begins.id, title: begins.title, startsAt: begins.startsAt, timeZone: begins.timeZone }
  return refusal('conflict', because('NoWindowOpen', { cluster, next }), { target: `cluster/${cluster}` })
}
