import { z } from 'zod'
import { CODED } from './coded.ts'
import { HealthGate } from './health-gates.ts'
import { RunEnding } from './run-ending.ts'

/** How a receiver wants to be told: our own JSON, signed; or what an incoming webhook of Slack or a workflow of Microsoft Teams takes. */
export const WebhookForm = z.enum(['json', 'slack', 'teams'])
export type WebhookForm = z.infer<typeof WebhookForm>

/**
 * What is told of a run. `not-reached`: it went through, and its node is not what the run is for: not empty, or kept from work by others.
 * `failed`: it did not go through: failed, aborted, its checks failed, or nobody drives it any more.
 */
export const WebhookEvent = z.enum(['started', 'waiting', 'overrun', 'done', 'not-reached', 'failed'])
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** The name of a webhook on its cluster: it stands in the journal, in lists and on the command line. */
const SignalName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/, 'letters, digits, dot, dash and underscore, at most 41')

/** A receiver of what happens in runs. Its address and its key are secrets and not in here: only the host is told. */
export const Webhook = z.strictObject({
  name: SignalName,
  form: WebhookForm,
  /** Host and port of its address. */
  host: z.string(),
  events: z.array(WebhookEvent).min(1),
})
export type Webhook = z.infer<typeof Webhook>

/** How a system beside the cloud is asked. A token or a password is a secret and not in here. */
export const SignalEndpoint = z.strictObject({
  /** https, or http on this machine; without a login in it. */
  url: z.string(),
  login: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('bearer') }),
    z.strictObject({ kind: z.literal('basic'), user: z.string().min(1) }),
  ]),
  /** Absolute path of the authorities it is trusted by; null: those of Node. */
  caFile: z.string().nullable(),
})
export type SignalEndpoint = z.infer<typeof SignalEndpoint>

/** Whose alerts are silenced while a run works on them: matchers with NODE, INSTANCE_NAME and INSTANCE_ID in them. */
export const AlertmanagerSettings = z.strictObject({
  endpoint: SignalEndpoint,
  nodeMatchers: z.array(z.string()).min(1).max(10),
  instanceMatchers: z.array(z.string()).max(10),
})
export type AlertmanagerSettings = z.infer<typeof AlertmanagerSettings>

/** As node exporters, kube-state-metrics and libvirt exporters label. */
export const DEFAULT_NODE_MATCHERS: readonly string[] = ['instance=~"^NODE(:[0-9]+)?$"', 'node="NODE"']
export const DEFAULT_INSTANCE_MATCHERS: readonly string[] = ['instance_id="INSTANCE_ID"']

/** Where health gates are asked, and which. */
export const HealthSettings = z.strictObject({ endpoint: SignalEndpoint, gates: z.array(HealthGate).max(20) })
export type HealthSettings = z.infer<typeof HealthSettings>

/** What of a cluster is told to the outside. No secret is in here. */
export const SignalSettings = z.strictObject({
  webhooks: z.array(Webhook).default([]),
  alertmanager: AlertmanagerSettings.nullable().default(null),
  health: HealthSettings.nullable().default(null),
})
export type SignalSettings = z.infer<typeof SignalSettings>

/** Whether a receiver is told: who wants to know how runs end hears of one whose node is not what the run is for, whichever of the ends it asked for. */
export function wantsToReceive({ events }: Pick<Webhook, 'events'>, event: SignalNews['event']): boolean {
  return events.some(each => each === event || (event === 'not-reached' && (each === 'done' || each === 'failed')))
}

const NO_SIGNALS: SignalSettings = { webhooks: [], alertmanager: null, health: null }

/** The signals of a cluster; one that was never asked for any has none. */
export function signalsOf({ signals }: { readonly signals?: SignalSettings | undefined }): SignalSettings {
  return signals ?? NO_SIGNALS
}

/** What a webhook is told. `id` is the same however often it is sent, so that a receiver knows it again. */
export const SignalNews = z.strictObject({
  id: z.string(),
  event: z.union([WebhookEvent, z.literal('test')]),
  at: z.string(),
  cluster: z.string(),
  /** How a run ended; null while it goes on. */
  outcome: z.enum(['done', 'failed', 'aborted', 'checks-failed', 'interrupted']).nullable(),
  /** How it ended, as a code with values; absent while it goes on, where nobody drives it, and in news of earlier versions. */
  ending: RunEnding.optional(),
  /** Null: a test, or news of a window. */
  run: z
    .strictObject({
      id: z.string(),
      /** What it does, as `lockkeeper runs -o json` names it. */
      kind: z.string(),
      node: z.string().nullable(),
      operator: z.string(),
      machine: z.string(),
    })
    .nullable(),
  window: z.strictObject({ id: z.string(), title: z.string() }).nullable(),
  /** What happened, in one line: where, and what of it. */
  title: z.string(),
  /** The same at length: the question, how it ended, when it will end. */
  text: z.string(),
  /** What `text` says, where it is of our own. */
  ...CODED,
  /** Of embedded clouds: nothing in it is real. */
  demo: z.boolean(),
})
export type SignalNews = z.infer<typeof SignalNews>

/** Who wrote an entry: the one console that sends. */
const Sender = z.strictObject({ operator: z.string(), machine: z.string(), process: z.string() })

/**
 * What was told to the outside, as the journal keeps it. `delivery-begun` is written before anything is sent; one without its `delivery-ended`
 * may have arrived or not.
 */
export const SignalEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('delivery-begun'),
    hook: z.string(),
    host: z.string(),
    /** Of the news. */
    id: z.string(),
    event: SignalNews.shape.event,
    attempt: z.number().int(),
    by: Sender,
    /** With the first attempt: what another console sends on when this one dies. */
    news: SignalNews.nullable(),
  }),
  z.strictObject({
    kind: z.literal('delivery-ended'),
    hook: z.string(),
    id: z.string(),
    attempt: z.number().int(),
    /** `arrived`: taken. `again`: tried again at `againAt`. `given-up`: not tried again. */
    outcome: z.enum(['arrived', 'again', 'given-up']),
    /** The status of HTTP; null: no answer came. */
    status: z.number().int().nullable(),
    why: z.string(),
    ...CODED,
    againAt: z.string().nullable(),
  }),
  /** Written before a silence is asked for, and again before an attempt that may outlast `overBy`: what Alertmanager makes of it unheard is over by then. */
  z.strictObject({
    kind: z.literal('silence-asked'),
    host: z.string(),
    node: z.string(),
    matchers: z.string(),
    overBy: z.string(),
  }),
  z.strictObject({
    kind: z.literal('silence-made'),
    host: z.string(),
    node: z.string(),
    /** As Alertmanager called it in its answer. */
    id: z.string(),
    matchers: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
  }),
  /** The first time, and again after it had failed: not each time. */
  z.strictObject({ kind: z.literal('silence-prolonged'), id: z.string(), endsAt: z.string() }),
  /** Told once until it works again. `id` null: none could be made. */
  z.strictObject({
    kind: z.literal('silence-failed'),
    doing: z.enum(['make', 'prolong', 'end']),
    node: z.string(),
    id: z.string().nullable(),
    why: z.string(),
    ...CODED,
  }),
  /** `run`: it was not needed any more. `stranger`: somebody else ended it. `replaced`: by another one that Alertmanager made of it. `lapsed`: its time was over; `seen` tells whether Alertmanager said so. `gone`: Alertmanager has none of that id. `ended`: Alertmanager says that it is over, and by whom was not seen. */
  z.strictObject({
    kind: z.literal('silence-over'),
    id: z.string(),
    how: z.enum(['run', 'stranger', 'replaced', 'lapsed', 'gone', 'ended']),
    seen: z.boolean(),
    endedAt: z.string(),
  }),
  /** The settings name its Alertmanager no more: another one, or none. Nobody asks about it again; it lapses by itself. */
  z.strictObject({ kind: z.literal('silence-let-go'), id: z.string(), host: z.string() }),
  /** The console left the run: nobody prolongs it unless the run is driven on. */
  z.strictObject({ kind: z.literal('silence-left'), id: z.string(), endsAt: z.string() }),
])
export type SignalEntry = z.infer<typeof SignalEntry>

/** An entry as it was kept. `runId` is the window's id where it is of a window alone, and empty where it is of neither: a test. */
export interface KeptSignal {
  readonly seq: number
  readonly runId: string
  readonly cluster: string
  readonly at: string
  readonly body: SignalEntry
}

/** Where one piece of news stands at one hook, by the journal. */
export interface Delivery {
  readonly runId: string
  readonly cluster: string
  readonly hook: string
  readonly id: string
  readonly news: SignalNews | null
  /** The attempt that was begun last. */
  readonly attempt: number
  /** Attempts of which nobody knows whether they arrived. */
  readonly unreported: number
  readonly state: 'sending' | 'again' | 'arrived' | 'given-up'
  /** When it was begun last, or is to be tried again. */
  readonly dueAt: string
}

/** The deliveries in entries of the journal, in the order in which they were begun. */
export function deliveriesIn(entries: readonly KeptSignal[]): readonly Delivery[] {
  const found = new Map<string, Delivery>()
  for (const { runId, cluster, at, body } of entries) {
    if (body.kind !== 'delivery-begun' && body.kind !== 'delivery-ended') continue
    const key = deliveryKey(body.hook, body.id)
    const known = found.get(key)
    if (body.kind === 'delivery-begun') {
      const unreported = (known?.unreported ?? 0) + (known?.state === 'sending' ? 1 : 0)
      const { hook, id, attempt } = body
      const news = body.news ?? known?.news ?? null
      found.set(key, { runId, cluster, hook, id, news, attempt, unreported, state: 'sending', dueAt: at })
    } else if (known !== undefined && known.attempt === body.attempt) {
      found.set(key, { ...known, state: body.outcome, dueAt: body.againAt ?? at })
    }
  }
  return [...found.values()]
}

/** What a delivery is known by: one piece of news to one hook. */
export function deliveryKey(hook: string, id: string): string {
  return `${id} to ${hook}`
}

/** A silence of a run, by the journal. */
export interface KeptSilence {
  readonly runId: string
  readonly cluster: string
  /** Host and port of the Alertmanager that has it. */
  readonly host: string
  readonly node: string
  readonly id: string
  readonly matchers: string
  readonly startsAt: string
  /** As far as the journal knows: it may have been prolonged since. */
  readonly endsAt: string
}

/** The silences that no entry says are over. */
export function openSilencesIn(entries: readonly KeptSignal[]): readonly KeptSilence[] {
  const open = new Map<string, KeptSilence>()
  for (const entry of entries) {
    const { body } = entry
    const made = madeIn(entry)
    if (made !== null) open.set(made.id, made)
    if (body.kind === 'silence-over' || body.kind === 'silence-let-go') open.delete(body.id)
    if (body.kind !== 'silence-prolonged' && body.kind !== 'silence-left') continue
    const known = open.get(body.id)
    if (known !== undefined) open.set(body.id, { ...known, endsAt: body.endsAt })
  }
  return [...open.values()]
}

/** The silences that somebody else ended: their run does not make them again, whoever drives it. */
export function endedByOthers(entries: readonly KeptSignal[]): readonly KeptSilence[] {
  const ended = new Set(
    entries.flatMap(({ body }) => (body.kind === 'silence-over' && body.how === 'stranger' ? [body.id] : [])),
  )
  return entries.flatMap(entry => madeIn(entry) ?? []).filter(({ id }) => ended.has(id))
}

function madeIn({ runId, cluster, body }: KeptSignal): KeptSilence | null {
  if (body.kind !== 'silence-made') return null
  const { host, node, id, matchers, startsAt, endsAt } = body
  return { runId, cluster, host, node, id, matchers, startsAt, endsAt }
}
