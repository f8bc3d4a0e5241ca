import type { Envelope } from '../../shared/contract/index.ts'
import type { DefinitionStatus } from '../../shared/domain/maintenance-api.ts'
import { type Asked, failedAfter, useUpdates } from '../stores/updates.ts'
import { askMain } from './transport.ts'

/** Reads the status of the definitions of the node maintenance API. Changes nothing. */
export async function readDefinitions(cluster: string): Promise<void> {
  const answer = await askMain('definitions.status', { cluster })
  put(cluster, before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure)))
}

/** Installs missing definitions; never changes existing ones. */
export async function installDefinitions(cluster: string): Promise<Envelope<DefinitionStatus[]>> {
  const answer = await askMain('definitions.install', { cluster })
  if (answer.ok) put(cluster, () => ({ kind: 'read', value: answer.value }))
  return answer
}

function put(
  cluster: string,
  next: (before: Asked<readonly DefinitionStatus[]> | undefined) => Asked<readonly DefinitionStatus[]>,
): void {
  useUpdates.setState(({ definitions }) => ({
    definitions: new Map(definitions).set(cluster, next(definitions.get(cluster))),
  }))
}
