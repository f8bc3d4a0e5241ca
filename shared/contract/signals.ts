import { z } from 'zod'
import { Cluster } from '../domain/cluster.ts'
import { AlertmanagerSettings, HealthSettings, Webhook } from '../domain/signals.ts'

const WebhookTest = z.strictObject({
  arrived: z.boolean(),
  /** The HTTP status; null if there is no answer. */
  status: z.number().int().nullable(),
  /** Empty if it was accepted. */
  why: z.string(),
})

const hook = { cluster: z.string(), name: Webhook.shape.name }

export const signalRequests = {
  /** Adds or changes a webhook by name. Address and key only go in: no answer contains them. Null if unchanged. */
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
  'webhook.test': { effect: 'journaled', input: z.strictObject(hook), output: WebhookTest },
  /** Null if there is no Alertmanager. `secret`: its token or password; null if unchanged. */
  'alertmanager.keep': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      settings: AlertmanagerSettings.nullable(),
      secret: z.string().nullable(),
    }),
    output: Cluster,
  },
  /** Reads its version with the stored settings; silences nothing. */
  'alertmanager.test': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ version: z.string() }),
  },
  /** Null if there are no gates. `secret`: Prometheus' token or password; null if unchanged. */
  'gates.keep': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      settings: HealthSettings.nullable(),
      secret: z.string().nullable(),
    }),
    output: Cluster,
  },
  'gates.test': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.array(
      z.strictObject({ name: z.string(), kind: z.enum(['healthy', 'stops', 'cannot-tell']), words: z.string() }),
    ),
  },
} as const
