import type { Envelope } from '../../shared/contract/index.ts'
import type { DefinitionStatus } from '../../shared/domain/maintenance-api.ts'
import { type Asked, failedAfter, useUpdates } from '../stores/updates.ts'
import { ask } from './transport.ts'

/** Reads where the definitions of the node maintenance API stand on a cluster. Touches nothing. */
export async function readDefinitions(cluster: string): Promise<void> {
  const answer = await ask('definitions.status', { cluster })
  put(cluster, before => (answer.ok ? { kind: 'read', value: answer.value } : failedAfter(before, answer.failure)))
}

/** Installs the definitions that are missing; the cluster's own are never changed. */
export async function installDefinitions(cluster: string): Promise<Envelope<DefinitionStatus[]>> {
  const answer = await ask('definitions.install', { cluster })
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
