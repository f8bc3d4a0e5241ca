import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { type SignalNews, signalsOf, type WebhookEvent } from '../../../shared/domain/signals.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { missedTitle } from '../../../shared/words/agreed-starts.ts'
import type { Journal } from '../../journal/journal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { PrometheusPort } from '../../ports/prometheus.ts'
import type { RunService } from '../../runs/run-service.ts'
import type { Deliveries } from './deliveries.ts'
import type { AlertmanagerPort } from './ports/alertmanager.ts'
import type { RunNews } from './run-news.ts'
import type { Silences } from './silences.ts'

/** Sends signals about runs while they run. No run waits for it. */
export interface Signals {
  /** Call it with every event that the journal writes. */
  received(event: RunEvent): void
  /** A window did not start automatically: it needs an operator. */
  windowWaits(
    window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>,
    missed: { readonly seq: number; readonly words: string },
  ): void
  readonly test: Deliveries['test']
  /** Checks whether the Alertmanager of a cluster answers. */
  readonly alertmanagerOf: (cluster: Cluster) => Promise<Result<AlertmanagerPort>>
  /** Null means the settings name no Prometheus. */
  readonly prometheusOf: (cluster: Cluster) => PrometheusPort | null
  /** The next console sends what could not be sent within a few seconds. */
  close(): Promise<void>
}

/** A run of this process that will end after its window, and a text about it. */
export interface Overrun {
  readonly runId: string
  readonly words: string
}

const LOOK_EVERY_MS = seconds(20)
const CLOSE_WITHIN_MS = seconds(5)
const FORECAST_EVERY_MS = minutes(1)
/** Lockkeeper stops reporting a run after its console has been silent this long. */
const SILENT_IS_NEWS_FOR_MS = minutes(60)

interface SignalsParts {
  readonly journal: Pick<Journal, 'row'>
  readonly runs: Pick<RunService, 'unfinished' | 'drivenOn'>
  readonly clusters: () => Result<readonly Cluster[]>
  readonly deliveries: Deliveries
  readonly silences: Silences
  readonly alertmanagerOf: Signals['alertmanagerOf']
  readonly prometheusOf: Signals['prometheusOf']
  readonly news: RunNews
  /** Whether this console shows embedded clouds. */
  readonly isDemo: boolean
  /** Runs of this process on a cluster that will end after their window. */
  readonly overruns: (cluster: string) => Promise<readonly Overrun[]>
  readonly clock: Clock
  readonly log: Logger
}

export function createSignals(parts: SignalsParts): Signals {
  const { deliveries, silences, clock, news } = parts
  const closing = new AbortController()
  const repeat = (everyMs: number, look: () => void | Promise<void>) =>
    void repeatUntil(closing.signal, everyMs, look, parts)
  /** Drivers that fell silent and were reported, by run and epoch. */
  const silent = new Set<string>()
  repeat(LOOK_EVERY_MS, () => {
    reportInterrupted(parts, silent)
    deliveries.takeOver()
  })
  repeat(LOOK_EVERY_MS, async () => {
    await silences.tend()
    await silences.lookAfterOthers()
  })
  repeat(FORECAST_EVERY_MS, () => reportOverruns(parts))
  return {
    received: event => {
      news.received(event)
      if (!TURNS.has(event.body.kind)) return
      if (event.body.kind === 'driver-left') silences.left(event.runId)
      // Not during the write of the event: what to silence is read from the whole run.
      void clock.sleep(0).then(() => silences.tend())
    },
    windowWaits: (window, missed) => deliveries.report(newsOfMissedStart(window, missed, parts)),
    test: deliveries.test,
    alertmanagerOf: parts.alertmanagerOf,
    prometheusOf: parts.prometheusOf,
    close: async () => {
      closing.abort()
      news.flush()
      // A silence ends with its run; without this it would lapse later.
      const settled = new AbortController()
      await Promise.all([
        deliveries.close(),
        Promise.race([silences.tend(), clock.sleep(CLOSE_WITHIN_MS, settled.signal)]),
      ])
      settled.abort()
    },
  }
}

async function repeatUntil(
  end: AbortSignal,
  everyMs: number,
  look: () => void | Promise<void>,
  { clock, log }: Pick<SignalsParts, 'clock' | 'log'>,
): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs, end)
    if (end.aborted) return
    try {
      await look()
    } catch (error) {
      if (!end.aborted) log.error('signals not tended', { error })
    }
  }
}

/** A console that died cannot report it: another console does. */
function reportInterrupted(parts: SignalsParts, silent: Set<string>): void {
  const { runs, journal, clock, news } = parts
  for (const cluster of clustersWanting('failed', parts)) {
    const unfinished = runs.unfinished(cluster)
    if (!unfinished.ok) continue
    for (const { id, view, interrupted } of unfinished.value) {
      // A driver that left a run on purpose reported it.
      if (!interrupted || view?.state.kind === 'left') continue
      const row = journal.row(id)
      const key = `${id} ${row?.epoch}`
      if (row === null || silent.has(key) || clock.now() - row.heartbeatAtMs > SILENT_IS_NEWS_FOR_MS) continue
      silent.add(key)
      news.interrupted(id)
    }
  }
}

async function reportOverruns(parts: SignalsParts): Promise<void> {
  for (const cluster of clustersWanting('overrun', parts)) {
    if (parts.runs.drivenOn(cluster).length === 0) continue
    for (const { runId, words } of await parts.overruns(cluster)) parts.news.overrun(runId, words)
  }
}

function clustersWanting(event: WebhookEvent, { clusters }: Pick<SignalsParts, 'clusters'>): readonly string[] {
  const listed = clusters()
  if (!listed.ok) return []
  return listed.value
    .filter(cluster => signalsOf(cluster).webhooks.some(({ events }) => events.includes(event)))
    .map(({ name }) => name)
}

function newsOfMissedStart(
  { id, title, cluster }: Parameters<Signals['windowWaits']>[0],
  { seq, words }: Parameters<Signals['windowWaits']>[1],
  { clock, isDemo }: Pick<SignalsParts, 'clock' | 'isDemo'>,
): SignalNews {
  return {
    id: `${id}.start-missed.${seq}`,
    event: 'waiting',
    at: isoNow(clock),
    cluster,
    outcome: null,
    run: null,
    window: { id, title },
    title: missedTitle({ id, title, cluster }),
    text: words,
    demo: isDemo,
  }
}

/** Events after which a run may work on another node, or has no node to work on. */
const TURNS: ReadonlySet<string> = new Set([
  'run-driven',
  'step-started',
  'step-applied',
  'step-verified',
  'step-skipped',
  'driver-left',
  'run-finished',
])
