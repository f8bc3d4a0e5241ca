import type { DemoTrouble, Trouble } from '../../shared/domain/demo-troubles.ts'
import type { MaintenanceApiSettings } from '../../shared/domain/maintenance-api.ts'
import type { RoleMaintenanceSettings } from '../../shared/domain/role-maintenance.ts'

export interface DemoCluster {
  readonly name: string
  readonly kubeconfigPath: string
  readonly context: string
  readonly cloudsYamlPath: string
  readonly cloud: string
  readonly flavour: 'plain' | 'mosk' | 'sunbeam'
  /** Registered as production, so that what that asks of an operator can be seen. */
  readonly production: boolean
  readonly maintenanceApi: MaintenanceApiSettings
  readonly roleMaintenance: RoleMaintenanceSettings
  /** How kubectl names the update plan in the namespace `default`; null if there is none. */
  readonly updatePlan: string | null
}

/** Troubles that the embedded clouds make when they are switched on. */
export interface DemoTroubles {
  list(): readonly DemoTrouble[]
  set(name: Trouble, on: boolean): void
}

export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  readonly troubles: DemoTroubles
  stop(): Promise<void>
}
