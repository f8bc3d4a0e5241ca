import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { WindowJournal } from '../journal/window-journal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ShownPlans } from '../runs/shown-plans.ts'

/** Services of windows, their estimates and plans; each file takes only those it needs. */
export interface WindowServices {
  readonly windows: WindowJournal
  readonly runs: RunService
  readonly plans: ShownPlans
  readonly clusters: Pick<Clusters, 'get'>
  /** Opens the world of a cluster; a later context switch does not affect it. */
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}

/** The world of a cluster whose OpenStack answers; else the failure. */
export async function openCloud(cluster: string, worlds: WindowServices['worlds']): Promise<Result<MaintenanceWorld>> {
  const connected = await worlds.open(cluster)
  if (!connected.ok) return connected
  const { world, openstackFailure } = connected.value
  return openstackFailure === null ? ok(world) : failed(openstackFailure)
}
