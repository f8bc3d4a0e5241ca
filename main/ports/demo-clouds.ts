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

/** An object of Kubernetes as it is installed. */
interface InstalledObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

/** A port of a pod that leads to one of this machine. */
interface ForwardedPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
  readonly loopbackPort: number
}

export interface DemoClouds {
  readonly clusters: readonly DemoCluster[]
  readonly troubles: DemoTroubles
  /** Installs a program in demo-plain. */
  install(objects: readonly InstalledObject[]): void
  /** Lets the API server of demo-plain forward a port. */
  forward(port: ForwardedPort): void
  stop(): Promise<void>
}
