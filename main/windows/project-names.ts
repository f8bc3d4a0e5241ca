import { minutes } from '../../shared/domain/durations.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { OpenStackPort } from '../ports/openstack.ts'

/** A project may be renamed: names are not kept longer. */
const KEPT_MS = minutes(1)

export interface ProjectNames {
  nameOf(projectId: string): string | null
  /** Why Keystone does not return them; null if it does. */
  readonly failure: string | null
}

/** Reads the names of projects from Keystone, at most once a minute per cluster. */
export function createProjectNames(
  clock: Clock,
): (cluster: string, openstack: Pick<OpenStackPort, 'projects'>) => Promise<ProjectNames> {
  const kept = new Map<string, { readonly atMs: number; readonly names: ProjectNames }>()
  return async (cluster, openstack) => {
    const known = kept.get(cluster)
    if (known !== undefined && clock.now() - known.atMs < KEPT_MS) return known.names
    const read = await openstack.projects()
    if (!read.ok) return { nameOf: () => null, failure: read.failure.message }
    const byId = new Map(read.value.map(({ id, name }) => [id, name]))
    const names: ProjectNames = { nameOf: id => byId.get(id) ?? null, failure: null }
    kept.set(cluster, { atMs: clock.now(), names })
    return names
  }
}
