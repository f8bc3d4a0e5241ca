import type { Envelope, RequestInput, RequestOutput } from '../../../../shared/contract/index.ts'
import { askMain } from '../../../bridge/transport.ts'

/** Saves a webhook; its address and key are never sent back. */
export function keepWebhook(input: RequestInput<'webhook.keep'>): Promise<Envelope<RequestOutput<'webhook.keep'>>> {
  return askMain('webhook.keep', input)
}

export function removeWebhook(cluster: string, name: string): Promise<Envelope<RequestOutput<'webhook.remove'>>> {
  return askMain('webhook.remove', { cluster, name })
}

/** Sends a test message to the saved webhook. */
export function testWebhook(cluster: string, name: string): Promise<Envelope<RequestOutput<'webhook.test'>>> {
  return askMain('webhook.test', { cluster, name })
}

/** Sets the Alertmanager that silences alerts during runs; null removes it. */
export function keepAlertmanager(
  input: RequestInput<'alertmanager.keep'>,
): Promise<Envelope<RequestOutput<'alertmanager.keep'>>> {
  return askMain('alertmanager.keep', input)
}

/** Reads the version of the Alertmanager. */
export function testAlertmanager(cluster: string): Promise<Envelope<RequestOutput<'alertmanager.test'>>> {
  return askMain('alertmanager.test', { cluster })
}

/** Sets the health gates and their address; null removes them. */
export function keepGates(input: RequestInput<'gates.keep'>): Promise<Envelope<RequestOutput<'gates.keep'>>> {
  return askMain('gates.keep', input)
}

export function testGates(cluster: string): Promise<Envelope<RequestOutput<'gates.test'>>> {
  return askMain('gates.test', { cluster })
}
