import type { EventPayload } from '../../shared/contract/index.ts'
import type { InstanceView, ViewSource } from '../../shared/domain/cluster-view.ts'
import { flightsBy, reportFlights } from '../stores/flights.ts'
import { applyChanges, type LiveCluster, lastOf, liveOf, putLive, useViews } from '../stores/views.ts'
import { askMain, listen, onResync } from './transport.ts'

type Patch = EventPayload<'view.patch'>

/** Changes drawn in one frame, unless one patch has more: the rest waits for the next frame. */
const MOST_A_FRAME = 500
/** A hidden page has no frames: with more changes than these it applies all without one, so that they do not pile up. */
const MOST_WAITING = 5_000

const waiting = new Map<string, Patch[]>()
/** Patches that arrive while a snapshot is being read. */
const early = new Map<string, Patch[]>()
/** The pictures whose instances arrive page by page. */
const readings = new Map<string, Reading>()
/** Pictures that ended while they were being read: what was read until then is of two views. */
const endedEarly = new Set<string>()
let frame: number | null = null

interface Reading {
  /** The number of the last patch that changed an instance since: a page made before it has an older one. */
  readonly changedBy: Map<string, number>
  /** The state of the source `instances`, shown when all are there. */
  source: ViewSource | null
}

/** Keeps the pictures of clusters current while the page lives; returns a stop function. */
export function followViews(): () => void {
  const stops = [
    listen('view.patch', receive),
    listen('view.ended', ({ cluster, failure }) => {
      waiting.delete(cluster)
      readings.delete(cluster)
      const last = lastOf(useViews.getState().byCluster.get(cluster))
      if (failure === null) reopen(cluster)
      else putLive(cluster, { kind: 'failed', failure, last })
    }),
    onResync(() => {
      for (const cluster of useViews.getState().byCluster.keys()) reopen(cluster)
      sayShown()
    }),
  ]
  const saying = setInterval(sayShown, SAY_SHOWN_MS)
  const retrying = setInterval(retryFailed, RETRY_MS)
  document.addEventListener('visibilitychange', sayShown)
  return () => {
    for (const stop of stops) stop()
    clearInterval(saying)
    clearInterval(retrying)
    document.removeEventListener('visibilitychange', sayShown)
    if (frame !== null) cancelAnimationFrame(frame)
    frame = null
    waiting.clear()
    early.clear()
    readings.clear()
    endedEarly.clear()
  }
}

/** The clouds that parts of this page show, and by how many parts. */
const shown = new Map<string, number>()
/** Main reads a cloud less often when no page said for a minute that it shows it. */
const SAY_SHOWN_MS = 20_000

/** Loads a cluster's picture and keeps it current, closely while it is shown; returns a stop function. */
export function showCluster(cluster: string): () => void {
  const state = useViews.getState().byCluster.get(cluster)
  if (state === undefined || state.kind === 'failed') void openView(cluster)
  shown.set(cluster, (shown.get(cluster) ?? 0) + 1)
  sayShown()
  return () => {
    const parts = (shown.get(cluster) ?? 1) - 1
    if (parts > 0) shown.set(cluster, parts)
    else shown.delete(cluster)
  }
}

function sayShown(): void {
  if (shown.size > 0 && !document.hidden) void askMain('view.shown', { clusters: [...shown.keys()] })
}

/** Loads a cluster's picture and keeps it current. A failed attempt is repeated later. */
export function watchCluster(cluster: string): void {
  if (!useViews.getState().byCluster.has(cluster)) void openView(cluster)
}

/** A cloud that could not be opened may answer later. */
const RETRY_MS = 60_000

function retryFailed(): void {
  for (const [cluster, { kind }] of useViews.getState().byCluster) if (kind === 'failed') void openView(cluster, true)
}

/** Opens a picture that ended, also while it is being opened. */
function reopen(cluster: string): void {
  if (early.has(cluster)) endedEarly.add(cluster)
  else void openView(cluster)
}

/** Reads the whole picture; until it arrives the old one is drawn as old, or the failure of the last attempt. */
export async function openView(cluster: string, isRetry = false): Promise<void> {
  if (early.has(cluster)) return
  early.set(cluster, [])
  waiting.delete(cluster)
  readings.delete(cluster)
  const last = lastOf(useViews.getState().byCluster.get(cluster))
  if (!isRetry) putLive(cluster, { kind: 'opening', last })
  const opened = await askMain('view.open', { cluster })
  // What a tab shows already stays until the new picture is whole.
  const answer = opened.ok && last !== null && last.instances.size > 0 ? await wholeOf(cluster, opened) : opened
  const missed = early.get(cluster) ?? []
  early.delete(cluster)
  if (endedEarly.delete(cluster) || answer === 'of-two-views') return openView(cluster, isRetry)
  if (!answer.ok) {
    putLive(cluster, { kind: 'failed', failure: answer.failure, last })
    return
  }
  const { view, seq, more } = answer.value
  const live = liveOf(view, seq)
  const reading = { changedBy: new Map(), source: live.sources.get('instances') ?? null }
  if (more !== undefined) readings.set(cluster, reading)
  putLive(cluster, { kind: 'open', live: more === undefined ? live : catchingUp(live) })
  for (const patch of missed) receive(patch)
  if (more !== undefined) await readPages(cluster, reading, more)
}

type Opened = Awaited<ReturnType<typeof askMain<'view.open'>>>
type Page = Awaited<ReturnType<typeof askMain<'view.instances'>>>

/** The answer with the instances of all pages. Patches wait until then; the last change to an instance counts. */
async function wholeOf(
  cluster: string,
  opened: Extract<Opened, { readonly ok: true }>,
): Promise<Opened | 'of-two-views'> {
  const { view, seq, more: first } = opened.value
  const instances: InstanceView[] = [...view.instances]
  for (let more = first; more !== undefined; ) {
    const page: Page = await askMain('view.instances', { cluster, more })
    if (!page.ok) return page
    // A new view counts from its beginning.
    if (page.value.seq < seq) return 'of-two-views'
    instances.push(...page.value.instances)
    more = page.value.more
  }
  return { ok: true, value: { seq, view: { ...view, instances } } }
}

function catchingUp(live: LiveCluster): LiveCluster {
  const source = live.sources.get('instances')
  if (source === undefined) return live
  return { ...live, sources: new Map(live.sources).set('instances', { ...source, state: { kind: 'catching-up' } }) }
}

/** Reads the other instances of an open picture. Their source is live only with the last page. */
async function readPages(cluster: string, reading: Reading, first: string): Promise<void> {
  for (let more: string | undefined = first; more !== undefined; ) {
    const page: Page = await askMain('view.instances', { cluster, more })
    const state = useViews.getState().byCluster.get(cluster)
    // It was opened again meanwhile, or ended.
    if (readings.get(cluster) !== reading || state?.kind !== 'open') return
    if (!page.ok) {
      readings.delete(cluster)
      putLive(cluster, { kind: 'failed', failure: page.failure, last: state.live })
      return
    }
    const { instances, seq } = page.value
    more = page.value.more
    const fresh = instances.filter(({ id }) => (reading.changedBy.get(id) ?? 0) <= seq)
    const changes: Patch['changes'] = fresh.map(value => ({ kind: 'instance', value }))
    if (more === undefined) {
      readings.delete(cluster)
      if (reading.source !== null) changes.push({ kind: 'source', value: reading.source })
    }
    const at = waiting.get(cluster)?.at(-1)?.toSeq ?? state.live.seq
    enqueue({ cluster, fromSeq: at, toSeq: at, changes })
  }
}

/** Notes which instances a patch changes, and keeps the state of their source back. */
function whileReading(reading: Reading, patch: Patch): Patch {
  const changes = patch.changes.filter(change => {
    if (change.kind === 'instance') reading.changedBy.set(change.value.id, patch.toSeq)
    if (change.kind === 'instance-gone') reading.changedBy.set(change.id, patch.toSeq)
    if (change.kind !== 'source' || change.value.name !== 'instances') return true
    reading.source = change.value
    return false
  })
  return { ...patch, changes }
}

function receive(patch: Patch): void {
  const { cluster, fromSeq, toSeq } = patch
  const held = early.get(cluster)
  if (held !== undefined) {
    held.push(patch)
    return
  }
  const state = useViews.getState().byCluster.get(cluster)
  if (state?.kind !== 'open') return
  const queue = waiting.get(cluster) ?? []
  const at = queue.at(-1)?.toSeq ?? state.live.seq
  if (toSeq <= at) return
  if (fromSeq !== at) {
    void openView(cluster)
    return
  }
  const reading = readings.get(cluster)
  enqueue(reading === undefined ? patch : whileReading(reading, patch))
}

function enqueue(patch: Patch): void {
  const { cluster } = patch
  const queue = waiting.get(cluster) ?? []
  queue.push(patch)
  waiting.set(cluster, queue)
  if (countOf(queue) > MOST_WAITING) apply(cluster, queue.splice(0))
  else frame ??= requestAnimationFrame(draw)
}

/** Draws the waiting changes, some in each frame. */
function draw(): void {
  frame = null
  for (const [cluster, queue] of waiting) {
    let count = 0
    const isFull = ({ changes }: Patch) => {
      count += changes.length
      return count > MOST_A_FRAME
    }
    const rest = queue.findIndex(isFull)
    apply(cluster, queue.splice(0, rest < 0 ? queue.length : Math.max(1, rest)))
    if (queue.length === 0) waiting.delete(cluster)
    else frame ??= requestAnimationFrame(draw)
  }
}

function apply(cluster: string, patches: readonly Patch[]): void {
  const state = useViews.getState().byCluster.get(cluster)
  const last = patches.at(-1)
  if (state?.kind !== 'open' || last === undefined) return
  const changes = patches.flatMap(patch => patch.changes)
  putLive(cluster, { kind: 'open', live: applyChanges(state.live, changes, last.toSeq) })
  reportFlights(cluster, flightsBy(state.live.instances, changes))
}

function countOf(patches: readonly Patch[]): number {
  return patches.reduce((sum, { changes }) => sum + changes.length, 0)
}
