import { isAbsolute } from 'node:path'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { judgeGate } from '../../../shared/domain/health-gates.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { type SignalEndpoint, type SignalSettings, signalsOf, type Webhook } from '../../../shared/domain/signals.ts'
import { whyNoTemplate } from '../../../shared/domain/silence-matchers.ts'
import { describeChange } from '../../../shared/words/cluster-changes.ts'
import { gateWords } from '../../../shared/words/health-gates.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { noteEdit } from '../../api/note-edit.ts'
import type { Handlers } from '../../api/serve.ts'
import type { ApiServices } from '../../api/services.ts'
import { changeSecrets, type SecretChanges } from './change-secrets.ts'
import { noHook } from './deliveries.ts'
import { ALERTMANAGER_PART, PROMETHEUS_PART, webhookPart } from './secret-parts.ts'
import { readSignalAddress } from './signal-address.ts'
import type { Signals } from './signals.ts'

/** A shorter key could be guessed. */
const SHORTEST_KEY = 16

/** Why the settings of a system cannot be kept. */
type UnfitEndpoint =
  | 'SecretWithoutLogin'
  | 'AddressHasQuery'
  | 'CaFileNotAbsolute'
  | 'SecretOfOtherAddress'
  | 'SecretHasLineBreak'

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

/** Requests about the signals of a cluster. Their secrets go into the vault; no answer, journal or log contains them. */
export function signalHandlers(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'edits' | 'emit' | 'log' | 'runs' | 'secrets'> & {
    readonly signals: Pick<Signals, 'test' | 'alertmanagerOf' | 'prometheusOf'>
  },
): SignalHandlers {
  const { clusters, secrets, signals, emit } = services

  const keepSettings = (
    before: Cluster,
    settings: SignalSettings,
    changes: SecretChanges = new Map(),
  ): Result<Cluster> => {
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
      target: `cluster/${before.name}`,
      ...words,
      refused: kept.ok ? null : kept.failure.message,
    })
    if (kept.ok) emit('cluster.changed', {})
    return kept
  }

  /** The settings of a system and its secret, once all are valid. A stored secret goes only to the host that it was given for. */
  const readEndpoint = (
    cluster: string,
    {
      system,
      part,
      earlier,
    }: { readonly system: string; readonly part: string; readonly earlier: SignalEndpoint | null },
    endpoint: SignalEndpoint | null,
    secret: string | null,
  ): Result<{ readonly endpoint: SignalEndpoint | null; readonly changes: SecretChanges }> => {
    const refuse = (why: UnfitEndpoint) =>
      failed(refusal('bad-input', because(why, { system, cluster }), { target: `cluster/${cluster}` }))
    const isOpen = endpoint === null || endpoint.login.kind === 'none'
    if (isOpen && secret !== null) return refuse('SecretWithoutLogin')
    if (endpoint === null) return ok({ endpoint, changes: new Map([[part, null]]) })
    const url = readSignalAddress(endpoint.url, `${system} of ${cluster}`)
    if (!url.ok) return url
    if (url.value.search !== '') return refuse('AddressHasQuery')
    if (endpoint.caFile !== null && !isAbsolute(endpoint.caFile)) return refuse('CaFileNotAbsolute')
    if (!isOpen && secret === null) {
      const kept = secrets.read(cluster, part)
      if (!kept.ok) return kept
      if (earlier === null || new URL(earlier.url).origin !== url.value.origin) {
        return refuse('SecretOfOtherAddress')
      }
    }
    if (secret !== null && (secret === '' || /[\r\n]/.test(secret))) return refuse('SecretHasLineBreak')
    const changes: SecretChanges = isOpen || secret !== null ? new Map([[part, secret]]) : new Map()
    return ok({ endpoint: { ...endpoint, url: url.value.href.replace(/\/+$/, '') }, changes })
  }

  return {
    'alertmanager.keep': async ({ cluster: name, settings, secret }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const why =
        settings === null
          ? null
          : (settings.nodeMatchers.map(text => whyNoTemplate(text, 'node')).find(each => each !== null) ??
            settings.instanceMatchers.map(text => whyNoTemplate(text, 'instance')).find(each => each !== null) ??
            null)
      if (why !== null)
        return failed(refusal('bad-input', because('SilenceTemplateUnfit', why), { target: `cluster/${name}` }))
      const read = readEndpoint(
        name,
        {
          system: 'Alertmanager',
          part: ALERTMANAGER_PART,
          earlier: signalsOf(cluster.value).alertmanager?.endpoint ?? null,
        },
        settings?.endpoint ?? null,
        secret,
      )
      if (!read.ok) return read
      const { endpoint, changes } = read.value
      const alertmanager = settings === null || endpoint === null ? null : { ...settings, endpoint }
      return keepSettings(cluster.value, { ...signalsOf(cluster.value), alertmanager }, changes)
    },
    'alertmanager.test': async ({ cluster: name }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const port = await signals.alertmanagerOf(cluster.value)
      if (!port.ok) return port
      const version = await port.value.version()
      return version.ok ? ok({ version: version.value }) : version
    },
    'gates.keep': async ({ cluster: name, settings, secret }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const names = settings?.gates.map(gate => gate.name) ?? []
      const twice = names.find((gate, at) => names.indexOf(gate) !== at)
      if (twice !== undefined) {
        return failed(refusal('bad-input', because('GateTwice', { gate: twice })))
      }
      const read = readEndpoint(
        name,
        {
          system: 'Prometheus',
          part: PROMETHEUS_PART,
          earlier: signalsOf(cluster.value).health?.endpoint ?? null,
        },
        settings?.endpoint ?? null,
        secret,
      )
      if (!read.ok) return read
      const { endpoint, changes } = read.value
      const health = settings === null || endpoint === null ? null : { ...settings, endpoint }
      return keepSettings(cluster.value, { ...signalsOf(cluster.value), health }, changes)
    },
    'gates.test': async ({ cluster: name }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const prometheus = signals.prometheusOf(cluster.value)
      if (prometheus === null) {
        return failed(
          refusal('not-found', because('NoHealthGates', { cluster: name }), {
            target: `cluster/${name}`,
          }),
        )
      }
      const gates = signalsOf(cluster.value).health?.gates ?? []
      return ok(
        await Promise.all(
          gates.map(async gate => {
            const answer = await prometheus.query(gate.query)
            if (!answer.ok) return { name: gate.name, kind: 'cannot-tell' as const, words: answer.failure.message }
            const verdict = judgeGate(gate, answer.value, services.clock.now())
            return { name: gate.name, kind: verdict.kind, words: gateWords(verdict) }
          }),
        ),
      )
    },
    'webhook.keep': async ({ cluster: name, name: hook, form, events, url, key }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const settings = signalsOf(cluster.value)
      const earlier = settings.webhooks.find(each => each.name === hook)
      const target = { target: `cluster/${name}` }
      const needsKey = form === 'json' && earlier?.form !== 'json'
      if (key === null && needsKey) {
        return failed(refusal('bad-input', because('WebhookNeedsKey', { webhook: hook }), target))
      }
      if (key !== null && form !== 'json') {
        return failed(refusal('bad-input', because('WebhookTakesNoKey', { form }), target))
      }
      if (key !== null && key.length < SHORTEST_KEY) {
        return failed(refusal('bad-input', because('WebhookKeyShort', { webhook: hook, least: SHORTEST_KEY }), target))
      }
      const given = url === null ? null : readSignalAddress(url, `webhook ${hook}`)
      if (given !== null && !given.ok) return given
      const host = given?.value.host ?? earlier?.host
      if (host === undefined) {
        return failed(refusal('bad-input', because('WebhookNeedsAddress', { webhook: hook }), target))
      }
      const part = webhookPart(hook)
      const changes = new Map<string, string | null>()
      if (given !== null) changes.set(part.url, given.value.href)
      if (key !== null || form !== 'json') changes.set(part.key, key)
      const fresh: Webhook = { name: hook, form, host, events }
      const others = settings.webhooks.filter(each => each.name !== hook)
      return keepSettings(cluster.value, { ...settings, webhooks: [...others, fresh] }, changes)
    },
    'webhook.remove': async ({ cluster: name, name: hook }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const settings = signalsOf(cluster.value)
      const webhooks = settings.webhooks.filter(each => each.name !== hook)
      if (webhooks.length === settings.webhooks.length) return failed(noHook(name, hook))
      const kept = keepSettings(cluster.value, { ...settings, webhooks })
      if (!kept.ok) return kept
      secrets.forget(name, webhookPart(hook).url)
      secrets.forget(name, webhookPart(hook).key)
      return kept
    },
    'webhook.test': async ({ cluster: name, name: hook }) => {
      const cluster = clusters.get(name)
      if (!cluster.ok) return cluster
      const tested = await signals.test(cluster.value, hook)
      if (!tested.ok) return tested
      const { outcome, status, why } = tested.value
      return ok({ arrived: outcome === 'arrived', status, why })
    },
  }
}
