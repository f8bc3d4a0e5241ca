import type { Envelope, ListedWindow, PlanChoices, RequestInput } from '../../shared/contract/index.ts'
import type { Estimate, WindowOutlook } from '../../shared/domain/estimate.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { JudgedWaves, OwnersList, WavesWish } from '../../shared/domain/waves.ts'
import type { Wave, WindowDraft, WindowPlan } from '../../shared/domain/window.ts'
import { useWindows } from '../stores/windows.ts'
import { ask, listen, onResync } from './transport.ts'

/** How many windows the list holds. */
const LISTED = 1000
/** Several things happen to windows and their runs at once; the list is read again after it has been quiet for this long. */
const LIST_AFTER_MS = 150

let listTimer: number | null = null

/** Keeps the list of windows current for as long as the page lives; answers how to stop. */
export function followWindows(): () => void {
  void listWindows()
  const stops = [
    listen('window.changed', listSoon),
    listen('run.rested', listSoon),
    // Which runs a window has, and whether one goes on, is in the list too.
    listen('run.event', ({ body }) => {
      if (body.kind === 'run-created' || body.kind === 'run-finished') listSoon()
    }),
    onResync(() => void listWindows()),
  ]
  return () => {
    for (const stop of stops) stop()
    if (listTimer !== null) window.clearTimeout(listTimer)
    listTimer = null
  }
}

/** Reads the windows of all clusters again. */
export async function listWindows(): Promise<void> {
  const answer = await ask('window.list', { cluster: null, limit: LISTED })
  if (answer.ok) useWindows.setState({ list: answer.value, listFailure: null })
  else useWindows.setState({ listFailure: answer.failure })
}

function listSoon(): void {
  listTimer ??= window.setTimeout(() => {
    listTimer = null
    void listWindows()
  }, LIST_AFTER_MS)
}

/** Announces a window. */
export function createWindow(draft: WindowDraft): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.create', { draft }))
}

/** Changes a window; refused when somebody else did since `revision`. */
export function changeWindow(input: RequestInput<'window.change'>): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.change', input))
}

/** Writes down what was seen during a window. */
export function noteInWindow(input: RequestInput<'window.note'>): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.note', input))
}

/** Closes a window with a summary. */
export function closeWindow(id: string, summary: string): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.close', { id, summary }))
}

/** Calls a window off. */
export function cancelWindow(id: string, why: string): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.cancel', { id, why }))
}

/** Makes the plan of what a window is for and runs every check. Touches nothing. */
export function planOfWindow(id: string, choices: PlanChoices): Promise<Envelope<CheckedPlan>> {
  return ask('window.plan', { id, choices })
}

/** Computes waves that keep every rule. */
export function computeWaves(
  cluster: string,
  nodes: readonly string[],
  wish: WavesWish,
): Promise<Envelope<JudgedWaves>> {
  return ask('waves.plan', { cluster, nodes: [...nodes], wish })
}

/** Judges waves as they were arranged by hand. */
export function judgeWaves(cluster: string, waves: readonly Wave[], wish: WavesWish): Promise<Envelope<JudgedWaves>> {
  return ask('waves.judge', { cluster, waves: [...waves], wish })
}

/** How long the work of a plan may take. */
export function estimatePlan(cluster: string, plan: WindowPlan): Promise<Envelope<Estimate>> {
  return ask('estimate.make', { cluster, plan })
}

/** Where an open window's work is heading. */
export function outlookOfWindow(id: string): Promise<Envelope<WindowOutlook>> {
  return ask('window.outlook', { id })
}

/** Whose instances wait for their owner or are powered off by a plan. */
export function ownersOfPlan(cluster: string, plan: WindowPlan): Promise<Envelope<OwnersList>> {
  return ask('owners.list', { cluster, plan })
}

/** What changed a window has the list read again at once: the event of another process may take two seconds. */
async function listing(asked: Promise<Envelope<ListedWindow>>): Promise<Envelope<ListedWindow>> {
  const answer = await asked
  if (answer.ok) {
    const { value } = answer
    useWindows.setState(({ list }) => ({
      list: [value, ...(list ?? []).filter(({ window: { id } }) => id !== value.window.id)].toSorted(
        (a, b) => Date.parse(b.window.startsAt) - Date.parse(a.window.startsAt),
      ),
    }))
  } else listSoon()
  return answer
}
