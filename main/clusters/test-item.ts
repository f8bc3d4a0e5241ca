import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'

type Area = ClusterTestItem['area']

/** An answer of `cluster test` that needs nothing done. */
export function fine(area: Area, name: string, message: string): ClusterTestItem {
  return { area, name, outcome: 'ok', message, remedy: null }
}

/** An answer that works, but should be looked at. */
export function doubtful(area: Area, name: string, message: string, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'warning', message, remedy }
}

/** Something that somebody has to grant or add. */
export function missing(area: Area, name: string, message: string, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'missing', message, remedy }
}

/** Something that does not work. */
export function broken(area: Area, name: string, failure: Pick<Failure, 'message'>, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'failed', message: failure.message, remedy }
}

/** Something that could not be asked, and why. */
export function skipped(area: Area, name: string, message: string): ClusterTestItem {
  return { area, name, outcome: 'skipped', message, remedy: null }
}
