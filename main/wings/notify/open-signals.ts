import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { WindowForecast } from '../../../shared/domain/estimate.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { isOfDemo, type ProcessOfDriver } from '../../../shared/domain/run.ts'
import { signalsOf } from '../../../shared/domain/signals.ts'
import type { Clusters } from '../../clusters/clusters.ts'
import type { SignalSecrets } from '../../clusters/signal-secrets.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { RunService } from '../../runs/run-service.ts'
import { createEstimateMaker } from '../../windows/estimate-maker.ts'
import { createWindowForecastReader } from '../../windows/read-window-forecast.ts'
import { createWindowReader } from '../../windows/window-reader.ts'
import { createDeliveries, type WebhookSecrets } from './deliveries.ts'
import { createRunNews } from './run-news.ts'
import { webhookPart } from './secret-parts.ts'
import type { SignalPorts } from './signal-ports.ts'
import { createSignals, type Overrun, type Signals } from './signals.ts'
import { createSilences } from './silences.ts'
import { createWebhookPort } from './webhooks/webhook-port.ts'

export interface SignalParts {
  readonly journal: Journal
  readonly runs: RunService
  readonly clusters: Pick<Clusters, 'get' | 'list' | 'open'>
  readonly secrets: SignalSecrets
  readonly ports: SignalPorts
  readonly driver: ProcessOfDriver
  readonly version: string
  readonly registerSecret: (secret: string) => void
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}

/** Sends signals over the real adapters. */
export function openSignals(parts: SignalParts): Signals {
  const { journal, runs, clusters, ports, driver, clock, newId } = parts
  const log = parts.log.child('signals')
  const windows = { windows: journal.windows, runs, clock, worlds: clusters }
  const silences = createSilences({
    journal: journal.signals,
    clusters: clusters.list,
    driven: cluster =>
      runs.drivenOn(cluster).flatMap(id => {
        const found = runs.view(id)
        return found.ok && found.value.view.state.kind !== 'left' ? [found.value.view] : []
      }),
    isOurs: id => journal.row(id)?.driverId === driver.id,
    isDriven: id => {
      const found = runs.view(id)
      return found.ok && found.value.view.state.kind !== 'finished' && !found.value.interrupted
    },
    portOf: ports.alertmanagerOf,
    driver,
    clock,
    log,
  })
  const deliveries = createDeliveries({
    journal: journal.signals,
    port: createWebhookPort({ clock, version: parts.version, environment: process.env }),
    clusterOf: clusters.get,
    secretsOf: (cluster, hook) => webhookSecrets(cluster, hook, parts),
    driver,
    clock,
    log,
    newId,
  })
  return createSignals({
    journal,
    runs,
    clusters: clusters.list,
    deliveries,
    silences,
    alertmanagerOf: ports.alertmanagerOf,
    prometheusOf: ports.prometheusOf,
    isDemo: isOfDemo(driver),
    news: createRunNews({ journal, driver, clock, report: deliveries.report }),
    overruns: overrunsOver({
      windowsOf: createWindowReader(windows).list,
      drivenOn: runs.drivenOn,
      forecast: createWindowForecastReader(windows, createEstimateMaker(windows)),
    }),
    clock,
    log,
  })
}

function webhookSecrets(
  cluster: string,
  hook: string,
  { secrets, clusters, registerSecret }: Pick<SignalParts, 'secrets' | 'clusters' | 'registerSecret'>,
): Result<WebhookSecrets> {
  const part = webhookPart(hook)
  const url = secrets.read(cluster, part.url)
  if (!url.ok) return url
  const found = clusters.get(cluster)
  const form = found.ok ? signalsOf(found.value).webhooks.find(({ name }) => name === hook)?.form : undefined
  const key = form === 'json' ? secrets.read(cluster, part.key) : ok(null)
  if (!key.ok) return key
  const { pathname, search } = new URL(url.value)
  // Messages of libraries may contain the address; the log must not.
  for (const secret of [url.value, `${pathname}${search}`, key.value]) {
    if (secret !== null && secret !== '/') registerSecret(secret)
  }
  return ok({ url: url.value, key: key.value })
}

/** Finds runs of this process that will end after their window even at their usual duration, by the forecast that every face shows. */
export function overrunsOver(parts: {
  readonly windowsOf: (cluster: string) => Result<readonly ListedWindow[]>
  readonly drivenOn: (cluster: string) => readonly string[]
  readonly forecast: (listed: ListedWindow) => Promise<Result<Pick<WindowForecast, 'verdict' | 'words'>>>
}): (cluster: string) => Promise<readonly Overrun[]> {
  const { windowsOf, drivenOn, forecast } = parts
  return async cluster => {
    const driven = drivenOn(cluster)
    const listed = windowsOf(cluster)
    if (!listed.ok) return []
    const found: Overrun[] = []
    for (const window of listed.value) {
      // Checked again after the end: the forecast may not have known before.
      if (window.status !== 'open' && window.status !== 'overrunning') continue
      const own = window.runs.filter(({ id }) => driven.includes(id))
      if (own.length === 0) continue
      const forecasted = await forecast(window)
      if (!forecasted.ok || forecasted.value.verdict !== 'overruns') continue
      found.push(...own.map(({ id: runId }) => ({ runId, words: forecasted.value.words })))
    }
    return found
  }
}
