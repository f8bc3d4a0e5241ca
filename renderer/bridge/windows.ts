import type { Envelope, ListedWindow, PlanChoices, RequestInput, WrittenWindow } from '../../shared/contract/index.ts'
import type { BatchOptions, JudgedBatches, OwnersList } from '../../shared/domain/batches.ts'
import type { Estimate, WindowForecast } from '../../shared/domain/estimate.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { Batch, WindowDraft, WindowPlan } from '../../shared/domain/window.ts'
import { goTo } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { showToast } from '../stores/toasts.ts'
import { useWindows } from '../stores/windows.ts'
import { pacedReading } from './paced-reading.ts'
import { ask, listen, onResync } from './transport.ts'

/** How many windows the list holds. */
const LISTED = 1000
/** Several things happen to windows and their runs at once; the list is read again after it has been quiet for this long. */
const LIST_AFTER_MS = 150
/** A forecast reads the whole journal of a run. */
const OUTLOOK_LEAST_MS = 3000
const OUTLOOK_EVERY_MS = 15_000

let listTimer: number | null = null

/** Keeps the list of windows current for as long as the page lives; answers how to stop. */
export function followWindows(): () => void {
  void listWindows()
  const stops = [
    listen('window.changed', listSoon),
    listen('window.start-missed', ({ id, title, cluster }) =>
      showToast({
        text: `${title} of ${cluster} did not start by itself.`,
        tone: 'caution',
        action: { text: 'Why', run: () => goTo({ kind: 'window', id }) },
      }),
    ),
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
export function createWindow(draft: WindowDraft): Promise<Envelope<WrittenWindow>> {
  return listing(ask('window.create', { draft }))
}

/** Changes a window; refused when somebody else did since `revision`. */
export function changeWindow(input: RequestInput<'window.change'>): Promise<Envelope<WrittenWindow>> {
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

/** Keeps that a window starts by itself at its beginning, by the plan that was shown. */
export function agreeToStart(input: RequestInput<'window.agree-start'>): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.agree-start', input))
}

/** The window does not start by itself any more. */
export function takeBackStart(id: string, why: string): Promise<Envelope<ListedWindow>> {
  return listing(ask('window.take-back-start', { id, why }))
}

/** Computes batches that keep every rule. */
export function computeBatches(
  cluster: string,
  nodes: readonly string[],
  wish: BatchOptions,
): Promise<Envelope<JudgedBatches>> {
  return ask('batches.plan', { cluster, nodes: [...nodes], wish })
}

/** Judges batches as they were arranged by hand. */
export function judgeBatches(
  cluster: string,
  batches: readonly Batch[],
  wish: BatchOptions,
): Promise<Envelope<JudgedBatches>> {
  return ask('batches.judge', { cluster, batches: [...batches], wish })
}

/** How long the work of a plan may take. */
export function estimatePlan(cluster: string, plan: WindowPlan): Promise<Envelope<Estimate>> {
  return ask('estimate.make', { cluster, plan })
}

/** Keeps where an open window's work is heading current for as long as it is looked at; answers how to stop. */
export function followForecast(
  id: string,
  cluster: string,
  onAnswer: (answer: Envelope<WindowForecast>) => void,
): () => void {
  const reading = pacedReading(async () => onAnswer(await ask('window.forecast', { id })), OUTLOOK_LEAST_MS)
  // An ETA moves also while nothing happens.
  const timer = window.setInterval(reading.soon, OUTLOOK_EVERY_MS)
  const stops = [
    listen('run.event', event => {
      if (isOfCluster(event.runId, cluster)) reading.soon()
    }),
    onResync(reading.soon),
    reading.stop,
  ]
  return () => {
    window.clearInterval(timer)
    for (const stop of stops) stop()
  }
}

function isOfCluster(runId: string, cluster: string): boolean {
  return useRuns.getState().list?.some(run => run.id === runId && run.cluster === cluster) ?? true
}

/** Whose instances wait for their owner or are powered off by a plan, with a message that says when. */
export function ownersOfPlan(
  { cluster, startsAt, endsAt, timeZone }: Pick<WindowDraft, 'cluster' | 'startsAt' | 'endsAt' | 'timeZone'>,
  plan: WindowPlan,
): Promise<Envelope<OwnersList>> {
  return ask('owners.list', { cluster, plan, announced: { startsAt, endsAt, timeZone } })
}

/** What changed a window has the list read again at once: the event of another process may take two seconds. */
async function listing<T extends ListedWindow>(asked: Promise<Envelope<T>>): Promise<Envelope<T>> {
  const answer = await asked
  if (answer.ok) {
    const { window: written, status, runs } = answer.value
    useWindows.setState(({ list }) => ({
      list: [
        { window: written, status, runs },
        ...(list ?? []).filter(({ window: { id } }) => id !== written.id),
      ].toSorted((a, b) => Date.parse(b.window.startsAt) - Date.parse(a.window.startsAt)),
    }))
  } else listSoon()
  return answer
}
