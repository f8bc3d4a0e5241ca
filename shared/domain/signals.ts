import { z } from 'zod'
import { CODED } from './coded.ts'
import { HealthGate } from './health-gates.ts'
import { RunEnding } from './run-ending.ts'

/** Our own signed JSON, or an incoming webhook of Slack or of a workflow of Microsoft Teams. */
export const WebhookForm = z.enum(['json', 'slack', 'teams'])
export type WebhookForm = z.infer<typeof WebhookForm>

/** `not-reached`: completed, but its node is not empty, or others keep work off it. `failed`: also stopped, or without a console. */
export const WebhookEvent = z.enum(['started', 'waiting', 'overrun', 'done', 'not-reached', 'failed'])
export type WebhookEvent = z.infer<typeof WebhookEvent>

const SignalName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/, 'letters, digits, dot, dash and underscore, at most 41')

/** A receiver's address and key are secrets and stored separately: only the host is shown. */
export const Webhook = z.strictObject({
  name: SignalName,
  form: WebhookForm,
  /** Host and port of its address. */
  host: z.string(),
  events: z.array(WebhookEvent).min(1),
})
export type Webhook = z.infer<typeof Webhook>

/** A token or a password is a secret and stored separately. */
export const SignalEndpoint = z.strictObject({
  /** https, or http on this machine; without a login in it. */
  url: z.string(),
  login: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('bearer') }),
    z.strictObject({ kind: z.literal('basic'), user: z.string().min(1) }),
  ]),
  /** An absolute path; null means the authorities of Node. */
  caFile: z.string().nullable(),
})
export type SignalEndpoint = z.infer<typeof SignalEndpoint>

/** While a run works: matchers with NODE, INSTANCE_NAME and INSTANCE_ID in them. */
export const AlertmanagerSettings = z.strictObject({
  endpoint: SignalEndpoint,
  nodeMatchers: z.array(z.string()).min(1).max(10),
  instanceMatchers: z.array(z.string()).max(10),
})
export type AlertmanagerSettings = z.infer<typeof AlertmanagerSettings>

/** The labels of node exporters, kube-state-metrics and libvirt exporters. */
export const DEFAULT_NODE_MATCHERS: readonly string[] = ['instance=~"^NODE(:[0-9]+)?$"', 'node="NODE"']
export const DEFAULT_INSTANCE_MATCHERS: readonly string[] = ['instance_id="INSTANCE_ID"']

export const HealthSettings = z.strictObject({ endpoint: SignalEndpoint, gates: z.array(HealthGate).max(20) })
export type HealthSettings = z.infer<typeof HealthSettings>

/** The settings contain no secret. */
export const SignalSettings = z.strictObject({
  webhooks: z.array(Webhook).default([]),
  alertmanager: AlertmanagerSettings.nullable().default(null),
  health: HealthSettings.nullable().default(null),
})
export type SignalSettings = z.infer<typeof SignalSettings>

/** A receiver of any kind of end also gets `not-reached`. */
export function wantsToReceive({ events }: Pick<Webhook, 'events'>, event: SignalNews['event']): boolean {
  return events.some(each => each === event || (event === 'not-reached' && (each === 'done' || each === 'failed')))
}

const NO_SIGNALS: SignalSettings = { webhooks: [], alertmanager: null, health: null }

/** The signals of a cluster; empty if never configured. */
export function signalsOf({ signals }: { readonly signals?: SignalSettings | undefined }): SignalSettings {
  return signals ?? NO_SIGNALS
}

/** `id` is the same for each attempt, so that a receiver can recognise repeats. */
export const SignalNews = z.strictObject({
  id: z.string(),
  event: z.union([WebhookEvent, z.literal('test')]),
  at: z.string(),
  cluster: z.string(),
  /** Null if the run has not ended. */
  outcome: z.enum(['done', 'failed', 'aborted', 'checks-failed', 'interrupted']).nullable(),
  /** Absent while it runs, without a console, and in news of earlier versions. */
  ending: RunEnding.optional(),
  run: z
    .strictObject({
      id: z.string(),
      /** The kind as in `lockkeeper runs -o json`. */
      kind: z.string(),
      node: z.string().nullable(),
      operator: z.string(),
      machine: z.string(),
    })
    .nullable(),
  window: z.strictObject({ id: z.string(), title: z.string() }).nullable(),
  title: z.string(),
  text: z.string(),
  ...CODED,
  /** From embedded clouds: nothing in it is real. */
  demo: z.boolean(),
})
export type SignalNews = z.infer<typeof SignalNews>

/** Only the console that wrote an entry sends. */
const Sender = z.strictObject({ operator: z.string(), machine: z.string(), process: z.string() })

/** `delivery-begun` is written before sending; without `delivery-ended` the message may or may not have arrived. */
export const SignalEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('delivery-begun'),
    hook: z.string(),
    host: z.string(),
    id: z.string(),
    event: SignalNews.shape.event,
    attempt: z.number().int(),
    by: Sender,
    /** With the first attempt: another console sends it if the first one dies. */
    news: SignalNews.nullable(),
  }),
  z.strictObject({
    kind: z.literal('delivery-ended'),
    hook: z.string(),
    id: z.string(),
    attempt: z.number().int(),
    /** `again`: retried at `againAt`. `given-up`: no further attempt. */
    outcome: z.enum(['arrived', 'again', 'given-up']),
    status: z.number().int().nullable(),
    why: z.string(),
    ...CODED,
    againAt: z.string().nullable(),
  }),
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
    id: z.string(),
    matchers: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
  }),
  /** The first time, and again after a failure; not each time. */
  z.strictObject({ kind: z.literal('silence-prolonged'), id: z.string(), endsAt: z.string() }),
  /** Once until it works again. `id` null: no silence could be created. */
  z.strictObject({
    kind: z.literal('silence-failed'),
    doing: z.enum(['make', 'prolong', 'end']),
    node: z.string(),
    id: z.string().nullable(),
    why: z.string(),
    ...CODED,
  }),
  /**
   * `run`: no longer needed. `stranger`: somebody else ended it. `replaced`: by another silence. `lapsed`: its time ended (`seen`: confirmed).
   * `gone`: unknown to Alertmanager.
   */
  z.strictObject({
    kind: z.literal('silence-over'),
    id: z.string(),
    how: z.enum(['run', 'stranger', 'replaced', 'lapsed', 'gone', 'ended']),
    seen: z.boolean(),
    endedAt: z.string(),
  }),
  /** The settings no longer name its Alertmanager: it expires. */
  z.strictObject({ kind: z.literal('silence-let-go'), id: z.string(), host: z.string() }),
  /** The console left the run: nobody prolongs the silence before a console resumes it. */
  z.strictObject({ kind: z.literal('silence-left'), id: z.string(), endsAt: z.string() }),
])
export type SignalEntry = z.infer<typeof SignalEntry>

/** `runId`: the window's id for news of a window, and empty for a test. */
export interface KeptSignal {
  readonly seq: number
  readonly runId: string
  readonly cluster: string
  readonly at: string
  readonly body: SignalEntry
}

export interface Delivery {
  readonly runId: string
  readonly cluster: string
  readonly hook: string
  readonly id: string
  readonly news: SignalNews | null
  readonly attempt: number
  readonly unreported: number
  readonly state: 'sending' | 'again' | 'arrived' | 'given-up'
  readonly dueAt: string
}

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

export function deliveryKey(hook: string, id: string): string {
  return `${id} to ${hook}`
}

export interface KeptSilence {
  readonly runId: string
  readonly cluster: string
  /** Host and port of its Alertmanager. */
  readonly host: string
  readonly node: string
  readonly id: string
  readonly matchers: string
  readonly startsAt: string
  readonly endsAt: string
}

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

/** No console of their run creates them again. */
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
