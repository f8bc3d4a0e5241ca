import type { Envelope, ListedWindow, PlanChoices, RequestInput, WrittenWindow } from '../../shared/contract/index.ts'
import type { BatchOptions, JudgedBatches, OwnersList } from '../../shared/domain/batches.ts'
import type { Estimate, WindowForecast } from '../../shared/domain/estimate.ts'
import type { CheckedPlan, MaintenanceScope } from '../../shared/domain/plan.ts'
import type { Batch, WindowDraft, WindowPlan } from '../../shared/domain/window.ts'
import type { WindowJudgement } from '../../shared/domain/window-judgement.ts'
import { goTo } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { showToast } from '../stores/toasts.ts'
import { useWindows } from '../stores/windows.ts'
import { pacedReading } from './paced-reading.ts'
import { askMain, listen, onResync } from './transport.ts'

/** How many windows the list holds. */
const LISTED = 1000
/** Windows and their runs often change together; the list is read after this long a pause. */
const LIST_AFTER_MS = 150
/** A forecast reads the whole journal of a run. */
const OUTLOOK_LEAST_MS = 3000
const OUTLOOK_EVERY_MS = 15_000

let listTimer: number | null = null

/** Keeps the list of windows current while the page lives; returns a stop function. */
export function followWindows(): () => void {
  void listWindows()
  const stops = [
    listen('window.changed', listSoon),
    listen('window.start-missed', ({ id, title, cluster }) =>
      showToast({
        text: `${title} of ${cluster} did not start automatically.`,
        tone: 'caution',
        action: { text: 'Why', run: () => goTo({ kind: 'window', id }) },
      }),
    ),
    listen('run.rested', listSoon),
    // The list also shows a window's runs and whether one is running.
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

export async function listWindows(): Promise<void> {
  const answer = await askMain('window.list', { cluster: null, limit: LISTED })
  if (answer.ok) useWindows.setState({ list: answer.value, listFailure: null })
  else useWindows.setState({ listFailure: answer.failure })
}

function listSoon(): void {
  listTimer ??= window.setTimeout(() => {
    listTimer = null
    void listWindows()
  }, LIST_AFTER_MS)
}

export function createWindow(draft: WindowDraft): Promise<Envelope<WrittenWindow>> {
  return listing(askMain('window.create', { draft }))
}

/** Changes a window; refused if it changed after `revision`. */
export function changeWindow(input: RequestInput<'window.change'>): Promise<Envelope<WrittenWindow>> {
  return listing(askMain('window.change', input))
}

/** Adds a note to a window. */
export function noteInWindow(input: RequestInput<'window.note'>): Promise<Envelope<ListedWindow>> {
  return listing(askMain('window.note', input))
}

export function closeWindow(id: string, summary: string): Promise<Envelope<ListedWindow>> {
  return listing(askMain('window.close', { id, summary }))
}

export function cancelWindow(id: string, why: string): Promise<Envelope<ListedWindow>> {
  return listing(askMain('window.cancel', { id, why }))
}

/** Makes the plan of a window's work and runs its checks. Changes nothing. */
export function planOfWindow(id: string, choices: PlanChoices): Promise<Envelope<CheckedPlan>> {
  return askMain('window.plan', { id, choices })
}

/** Agrees that a window starts automatically by the shown plan. */
export function agreeToStart(input: RequestInput<'window.agree-start'>): Promise<Envelope<ListedWindow>> {
  return listing(askMain('window.agree-start', input))
}

/** Withdraws that agreement. */
export function takeBackStart(id: string, why: string): Promise<Envelope<ListedWindow>> {
  return listing(askMain('window.take-back-start', { id, why }))
}

/** Computes batches that satisfy every rule. */
export function computeBatches(
  cluster: string,
  nodes: readonly string[],
  wish: BatchOptions,
  scope: MaintenanceScope,
): Promise<Envelope<JudgedBatches>> {
  return askMain('batches.plan', { cluster, nodes: [...nodes], wish, scope })
}

/** Judges batches that the operator arranged. */
export function judgeBatches(
  cluster: string,
  batches: readonly Batch[],
  wish: BatchOptions,
  scope: MaintenanceScope,
): Promise<Envelope<JudgedBatches>> {
  return askMain('batches.judge', { cluster, batches: [...batches], wish, scope })
}

/** Judges a window's plan by the checks of its sheet, also before it is saved. */
export function judgeWindow(cluster: string, plan: WindowPlan): Promise<Envelope<WindowJudgement>> {
  return askMain('window.judge', { cluster, plan })
}

export function estimatePlan(cluster: string, plan: WindowPlan): Promise<Envelope<Estimate>> {
  return askMain('estimate.make', { cluster, plan })
}

/** Keeps the forecast of an open window current; returns a stop function. */
export function followForecast(
  id: string,
  cluster: string,
  onAnswer: (answer: Envelope<WindowForecast>) => void,
): () => void {
  const reading = pacedReading(async () => onAnswer(await askMain('window.forecast', { id })), OUTLOOK_LEAST_MS)
  // The expected end changes even while nothing happens.
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

/** Owners whose instances a plan stops or leaves to them, with a message that says when. */
export function ownersOfPlan(
  { cluster, startsAt, endsAt, timeZone }: Pick<WindowDraft, 'cluster' | 'startsAt' | 'endsAt' | 'timeZone'>,
  plan: WindowPlan,
): Promise<Envelope<OwnersList>> {
  return askMain('owners.list', { cluster, plan, announced: { startsAt, endsAt, timeZone } })
}

/** Reads the list again at once: an event of another process may take two seconds. */
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
