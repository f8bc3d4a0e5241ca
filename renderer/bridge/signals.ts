import type { Envelope, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { ask } from './transport.ts'

/** Adds or changes a webhook; its address and key go this way only. */
export function keepWebhook(input: RequestInput<'webhook.keep'>): Promise<Envelope<RequestOutput<'webhook.keep'>>> {
  return ask('webhook.keep', input)
}

/** Tells a webhook no more. */
export function removeWebhook(cluster: string, name: string): Promise<Envelope<RequestOutput<'webhook.remove'>>> {
  return ask('webhook.remove', { cluster, name })
}

/** Sends a test to a webhook, as it is saved. */
export function testWebhook(cluster: string, name: string): Promise<Envelope<RequestOutput<'webhook.test'>>> {
  return ask('webhook.test', { cluster, name })
}

/** Which Alertmanager silences what runs work on; null: none. */
export function keepAlertmanager(
  input: RequestInput<'alertmanager.keep'>,
): Promise<Envelope<RequestOutput<'alertmanager.keep'>>> {
  return ask('alertmanager.keep', input)
}

/** Asks it for its version. */
export function testAlertmanager(cluster: string): Promise<Envelope<RequestOutput<'alertmanager.test'>>> {
  return ask('alertmanager.test', { cluster })
}

/** Which health gates are asked, and where; null: none. */
export function keepGates(input: RequestInput<'gates.keep'>): Promise<Envelope<RequestOutput<'gates.keep'>>> {
  return ask('gates.keep', input)
}

/** Asks every health gate now. */
export function testGates(cluster: string): Promise<Envelope<RequestOutput<'gates.test'>>> {
  return ask('gates.test', { cluster })
}
