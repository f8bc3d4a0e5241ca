import type { LiveCluster } from '../../stores/views.ts'

/**
 * What of the live picture a node's plan leans on, as one text: when it differs from what it was when the plan was made, the plan is
 * of another world. Null while there is no picture.
 */
export function worldSignature(live: LiveCluster | null, node: string): string | null {
  const view = live?.nodes.get(node)
  if (live === null || view === undefined) return null
  const { ready, schedulable, computeService, migrationMode, migrationAttempts, heldBy, roles } = view
  const instances = [...live.instances.values()]
    .filter(instance => instance.node === node)
    .map(({ id, status, taskState, action, host }) => [id, status, taskState, action, host])
    .sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  return JSON.stringify([
    ready,
    schedulable,
    computeService?.status,
    computeService?.state,
    migrationMode,
    migrationAttempts,
    heldBy?.runId,
    roles,
    instances,
  ])
}
