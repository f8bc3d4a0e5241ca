import { z } from 'zod'
import { Cluster } from '../domain/cluster.ts'
import { AlertmanagerSettings, HealthSettings, Webhook } from '../domain/signals.ts'

/** What came of a test: whether it was taken, and how the receiver answered. */
const WebhookTest = z.strictObject({
  arrived: z.boolean(),
  /** The status of HTTP; null: no answer came. */
  status: z.number().int().nullable(),
  /** Why it was not taken; empty: it was. */
  why: z.string(),
})

const hook = { cluster: z.string(), name: Webhook.shape.name }

export const signalRequests = {
  /** Adds a webhook, or changes the one of that name. Address and key go this way only: no answer has them. Null: as it was. */
  'webhook.keep': {
    effect: 'journaled',
    input: z.strictObject({
      ...hook,
      form: Webhook.shape.form,
      events: Webhook.shape.events,
      url: z.string().nullable(),
      key: z.string().nullable(),
    }),
    output: Cluster,
  },
  'webhook.remove': { effect: 'journaled', input: z.strictObject(hook), output: Cluster },
  /** Sends a test as it is saved, once. */
  'webhook.test': { effect: 'journaled', input: z.strictObject(hook), output: WebhookTest },
  /** Whose alerts are silenced while a run works on them, and by which Alertmanager; null: nobody's. `secret`: its token or password; null: as it was. */
  'alertmanager.keep': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      settings: AlertmanagerSettings.nullable(),
      secret: z.string().nullable(),
    }),
    output: Cluster,
  },
  /** Asks it for its version, as it is saved; nothing is silenced. */
  'alertmanager.test': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ version: z.string() }),
  },
  /** Where health gates are asked, and which; null: none. `secret`: its token or password; null: as it was. */
  'gates.keep': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      settings: HealthSettings.nullable(),
      secret: z.string().nullable(),
    }),
    output: Cluster,
  },
  /** Asks every gate as it is saved. */
  'gates.test': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.array(
      z.strictObject({ name: z.string(), kind: z.enum(['healthy', 'stops', 'cannot-tell']), words: z.string() }),
    ),
  },
} as const
