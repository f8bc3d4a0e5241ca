import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { signalsOf, type WebhookEvent } from '../../../shared/domain/signals.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { missedTitle } from '../../../shared/words/agreed-starts.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { PrometheusPort } from '../../ports/prometheus.ts'
import type { RunService } from '../../runs/run-service.ts'
import type { Deliveries } from './deliveries.ts'
import type { AlertmanagerPort } from './ports/alertmanager.ts'
import type { RunNews } from './run-news.ts'
import type { Silences } from './silences.ts'

/** Sends signals about runs while they run. No run waits for it. */
export interface Signals {
  /** Call it with every event of the journal when it is written. */
  received(event: RunEvent): void
  /** A window did not start automatically: it needs an operator. */
  windowWaits(
    window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>,
    missed: { readonly seq: number; readonly words: string },
  ): void
  readonly test: Deliveries['test']
  /** The Alertmanager of a cluster, to check whether it answers. */
  readonly alertmanagerOf: (cluster: Cluster) => Promise<Result<AlertmanagerPort>>
  /** Its Prometheus, to check the same; null: the settings name none. */
  readonly prometheusOf: (cluster: Cluster) => PrometheusPort | null
  /** Ends it. The next console sends what could not be sent within a few seconds. */
  close(): Promise<void>
}

/** A run of this process that will end after its window, and a text about it. */
export interface Overrun {
  readonly runId: string
  readonly words: string
}

/** How often it checks for what other consoles left. */
const LOOK_EVERY_MS = seconds(20)
/** How long an ending console waits for Alertmanager. */
const CLOSE_WITHIN_MS = seconds(5)
/** How often the end of a window is forecast. */
const FORECAST_EVERY_MS = minutes(1)
/** A run whose console has been silent for longer is no news. */
const SILENT_IS_NEWS_FOR_MS = minutes(60)

export function createSignals(parts: {
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
}): Signals {
  const { journal, runs, clusters, deliveries, silences, news, overruns, clock, log } = parts
  const closing = new AbortController()
  /** Drivers that fell silent and were reported, by run and epoch. */
  const silent = new Set<string>()

  const wanting = (...events: readonly WebhookEvent[]): readonly string[] => {
    const listed = clusters()
    if (!listed.ok) return []
    return listed.value
      .filter(cluster => signalsOf(cluster).webhooks.some(hook => hook.events.some(event => events.includes(event))))
      .map(({ name }) => name)
  }

  /** A console that died cannot report it: another console does. */
  const reportInterrupted = () => {
    for (const cluster of wanting('failed')) {
      const unfinished = runs.unfinished(cluster)
      if (!unfinished.ok) continue
      for (const { id, view, interrupted } of unfinished.value) {
        // Who left a run on purpose has reported it.
        if (!interrupted || view?.state.kind === 'left') continue
        const row = journal.row(id)
        const key = `${id} ${row?.epoch}`
        if (row === null || silent.has(key) || clock.now() - row.heartbeatAtMs > SILENT_IS_NEWS_FOR_MS) continue
        silent.add(key)
        news.interrupted(id)
      }
    }
  }

  const reportOverruns = async () => {
    for (const cluster of wanting('overrun')) {
      if (runs.drivenOn(cluster).length === 0) continue
      for (const { runId, words } of await overruns(cluster)) news.overrun(runId, words)
    }
  }

  const follow = async (everyMs: number, look: () => void | Promise<void>) => {
    for (;;) {
      await clock.sleep(everyMs, closing.signal)
      if (closing.signal.aborted) return
      try {
        await look()
      } catch (error) {
        if (!closing.signal.aborted) log.error('signals not tended', { error })
      }
    }
  }
  void follow(LOOK_EVERY_MS, () => {
    reportInterrupted()
    deliveries.takeOver()
  })
  void follow(LOOK_EVERY_MS, async () => {
    await silences.tend()
    await silences.lookAfterOthers()
  })
  void follow(FORECAST_EVERY_MS, reportOverruns)

  return {
    received: event => {
      news.received(event)
      if (!TURNS.has(event.body.kind)) return
      if (event.body.kind === 'driver-left') silences.left(event.runId)
      // Not during the write of the event: what to silence is read from the whole run.
      void clock.sleep(0).then(() => silences.tend())
    },
    windowWaits: ({ id, title, cluster }, { seq, words }) =>
      deliveries.report({
        id: `${id}.start-missed.${seq}`,
        event: 'waiting',
        at: new Date(clock.now()).toISOString(),
        cluster,
        outcome: null,
        run: null,
        window: { id, title },
        title: missedTitle({ id, title, cluster }),
        text: words,
        demo: parts.isDemo,
      }),
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

/** Events after which the run may work on another node, or on none. */
const TURNS: ReadonlySet<string> = new Set([
  'run-driven',
  'step-started',
  'step-applied',
  'step-verified',
  'step-skipped',
  'driver-left',
  'run-finished',
])
