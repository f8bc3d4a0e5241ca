import type { RequestInput } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { judgeGate } from '../../../shared/domain/health-gates.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { type SignalSettings, signalsOf, type Webhook } from '../../../shared/domain/signals.ts'
import { whyNoTemplate } from '../../../shared/domain/silence-matchers.ts'
import { describeChange } from '../../../shared/words/cluster-changes.ts'
import { gateWords } from '../../../shared/words/health-gates.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { noteEdit } from '../../api/note-edit.ts'
import type { Handlers } from '../../api/serve.ts'
import type { ApiServices } from '../../api/services.ts'
import { noHook } from './deliveries.ts'
import { ALERTMANAGER_PART, PROMETHEUS_PART, webhookPart } from './secret-parts.ts'
import { changeSecrets, readEndpoint, readSignalAddress, type SecretChanges } from './signal-settings.ts'
import type { Signals } from './signals.ts'

/** A shorter key could be guessed. */
const SHORTEST_KEY = 16

export type SignalHandlers = Pick<
  Handlers,
  | 'webhook.keep'
  | 'webhook.remove'
  | 'webhook.test'
  | 'alertmanager.keep'
  | 'alertmanager.test'
  | 'gates.keep'
  | 'gates.test'
>

type SignalServices = Pick<ApiServices, 'clock' | 'clusters' | 'edits' | 'emit' | 'log' | 'runs' | 'secrets'> & {
  readonly signals: Pick<Signals, 'test' | 'alertmanagerOf' | 'prometheusOf'>
}

/** Requests about the signals of a cluster. Their secrets go into the vault; no answer, journal or log contains them. */
export function signalHandlers(services: SignalServices): SignalHandlers {
  /** Answers a request about a registered cluster. */
  const about =
    <I extends { readonly cluster: string }, T>(
      answer: (cluster: Cluster, input: I, services: SignalServices) => Result<T> | Promise<Result<T>>,
    ) =>
    async (input: I): Promise<Result<T>> => {
      const cluster = services.clusters.get(input.cluster)
      return cluster.ok ? answer(cluster.value, input, services) : cluster
    }
  return {
    'alertmanager.keep': about(keepAlertmanager),
    'alertmanager.test': about(testAlertmanager),
    'gates.keep': about(keepGates),
    'gates.test': about(testGates),
    'webhook.keep': about(keepWebhook),
    'webhook.remove': about(removeWebhook),
    'webhook.test': about(testWebhook),
  }
}

function keepAlertmanager(
  cluster: Cluster,
  { settings, secret }: RequestInput<'alertmanager.keep'>,
  services: SignalServices,
): Result<Cluster> {
  const before = signalsOf(cluster)
  const why =
    settings === null
      ? null
      : (settings.nodeMatchers.map(text => whyNoTemplate(text, 'node')).find(each => each !== null) ??
        settings.instanceMatchers.map(text => whyNoTemplate(text, 'instance')).find(each => each !== null) ??
        null)
  if (why !== null) return failed(refusal('bad-input', because('SilenceTemplateUnfit', why), targetOf(cluster)))
  const system = {
    system: 'Alertmanager',
    part: ALERTMANAGER_PART,
    earlier: before.alertmanager?.endpoint ?? null,
  }
  const read = readEndpoint(cluster.name, system, settings?.endpoint ?? null, secret, services.secrets)
  if (!read.ok) return read
  const { endpoint, changes } = read.value
  const alertmanager = settings === null || endpoint === null ? null : { ...settings, endpoint }
  return keepSettings(cluster, { ...before, alertmanager }, changes, services)
}

async function testAlertmanager(cluster: Cluster, _: unknown, { signals }: SignalServices) {
  const port = await signals.alertmanagerOf(cluster)
  if (!port.ok) return port
  const version = await port.value.version()
  return version.ok ? ok({ version: version.value }) : version
}

function keepGates(
  cluster: Cluster,
  { settings, secret }: RequestInput<'gates.keep'>,
  services: SignalServices,
): Result<Cluster> {
  const before = signalsOf(cluster)
  const names = settings?.gates.map(gate => gate.name) ?? []
  const twice = names.find((gate, at) => names.indexOf(gate) !== at)
  if (twice !== undefined) return failed(refusal('bad-input', because('GateTwice', { gate: twice })))
  const system = { system: 'Prometheus', part: PROMETHEUS_PART, earlier: before.health?.endpoint ?? null }
  const read = readEndpoint(cluster.name, system, settings?.endpoint ?? null, secret, services.secrets)
  if (!read.ok) return read
  const { endpoint, changes } = read.value
  const health = settings === null || endpoint === null ? null : { ...settings, endpoint }
  return keepSettings(cluster, { ...before, health }, changes, services)
}

async function testGates(cluster: Cluster, _: unknown, { signals, clock }: SignalServices) {
  const prometheus = signals.prometheusOf(cluster)
  if (prometheus === null)
    return failed(refusal('not-found', because('NoHealthGates', { cluster: cluster.name }), targetOf(cluster)))
  const gates = signalsOf(cluster).health?.gates ?? []
  const testGate = async (gate: (typeof gates)[number]) => {
    const answer = await prometheus.query(gate.query)
    if (!answer.ok) return { name: gate.name, kind: 'cannot-tell' as const, words: answer.failure.message }
    const verdict = judgeGate(gate, answer.value, clock.now())
    return { name: gate.name, kind: verdict.kind, words: gateWords(verdict) }
  }
  return ok(await Promise.all(gates.map(testGate)))
}

function keepWebhook(
  cluster: Cluster,
  { name: hook, form, events, url, key }: RequestInput<'webhook.keep'>,
  services: SignalServices,
): Result<Cluster> {
  const settings = signalsOf(cluster)
  const earlier = settings.webhooks.find(each => each.name === hook)
  const refuse = (why: Finding) => failed(refusal('bad-input', why, targetOf(cluster)))
  const needsKey = form === 'json' && earlier?.form !== 'json'
  if (key === null && needsKey) return refuse(because('WebhookNeedsKey', { webhook: hook }))
  if (key !== null && form !== 'json') return refuse(because('WebhookTakesNoKey', { form }))
  if (key !== null && key.length < SHORTEST_KEY)
    return refuse(because('WebhookKeyShort', { webhook: hook, least: SHORTEST_KEY }))
  const given = url === null ? null : readSignalAddress(url, `webhook ${hook}`)
  if (given !== null && !given.ok) return given
  const host = given?.value.host ?? earlier?.host
  if (host === undefined) return refuse(because('WebhookNeedsAddress', { webhook: hook }))
  const part = webhookPart(hook)
  const changes = new Map<string, string | null>()
  if (given !== null) changes.set(part.url, given.value.href)
  if (key !== null || form !== 'json') changes.set(part.key, key)
  const fresh: Webhook = { name: hook, form, host, events }
  const others = settings.webhooks.filter(each => each.name !== hook)
  return keepSettings(cluster, { ...settings, webhooks: [...others, fresh] }, changes, services)
}

function removeWebhook(
  cluster: Cluster,
  { name: hook }: RequestInput<'webhook.remove'>,
  services: SignalServices,
): Result<Cluster> {
  const settings = signalsOf(cluster)
  const webhooks = settings.webhooks.filter(each => each.name !== hook)
  if (webhooks.length === settings.webhooks.length) return failed(noHook(cluster.name, hook))
  const kept = keepSettings(cluster, { ...settings, webhooks }, new Map(), services)
  if (!kept.ok) return kept
  services.secrets.forget(cluster.name, webhookPart(hook).url)
  services.secrets.forget(cluster.name, webhookPart(hook).key)
  return kept
}

async function testWebhook(
  cluster: Cluster,
  { name: hook }: RequestInput<'webhook.test'>,
  { signals }: SignalServices,
) {
  const tested = await signals.test(cluster, hook)
  if (!tested.ok) return tested
  const { outcome, status, why } = tested.value
  return ok({ arrived: outcome === 'arrived', status, why })
}

function keepSettings(
  before: Cluster,
  settings: SignalSettings,
  changes: SecretChanges,
  services: SignalServices,
): Result<Cluster> {
  const { secrets, clusters, emit } = services
  const kept = changeSecrets(secrets, before.name, changes, () => clusters.keepSignals(before.name, settings))
  const change = describeChange(before, kept.ok ? kept.value : { ...before, signals: settings })
  // Perhaps only a secret changed, which the settings do not show.
  const words = change ?? {
    before: because('SignalsAsTheyAre').message,
    after: because('SignalSecretsChanged').message,
  }
  noteEdit(services, {
    cluster: before.name,
    node: null,
    kind: 'cluster-settings',
    ...targetOf(before),
    ...words,
    refused: kept.ok ? null : kept.failure.message,
  })
  if (kept.ok) emit('cluster.changed', {})
  return kept
}

function targetOf({ name }: Cluster): { readonly target: string } {
  return { target: `cluster/${name}` }
}
