import type { Clock } from '../../../platform/clock/clock.ts'
import type { MemoryPasses } from './memory-passes.ts'

/** Nova's vm_state; the API derives the shown status from it. */
export type VmState =
  | 'active'
  | 'paused'
  | 'stopped'
  | 'suspended'
  | 'error'
  | 'resized'
  | 'shelved_offloaded'
  | 'deleted'

export interface Project {
  readonly id: string
  readonly name: string
}

/** A Keystone user with one role. */
export interface User {
  readonly id: string
  readonly name: string
  readonly password: string
  readonly projectId: string
  readonly role: 'admin' | 'manager' | 'member'
}

/** An issued token. `projectId` is null for an unscoped one. */
export interface Token {
  readonly id: string
  readonly user: User
  readonly projectId: string | null
  readonly systemScope: boolean
  readonly methods: readonly string[]
  readonly auditIds: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number
  readonly applicationCredentialId: string | null
}

interface ApplicationCredential {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly userId: string
  readonly projectId: string
}

export interface Flavor {
  readonly id: string
  readonly number: number
  readonly name: string
  readonly vcpus: number
  readonly ramMib: number
  readonly diskGib: number
  readonly ephemeralGib: number
  readonly extraSpecs: Readonly<Record<string, string>>
}

/** A hypervisor and its host. */
export interface ComputeHost {
  readonly name: string
  readonly number: number
  /** The id of the hypervisor and of its Placement provider. */
  readonly id: string
  readonly zone: string
  readonly cell: string
  readonly ip: string
  readonly vcpus: number
  readonly memoryMib: number
  /** The memory that nova-compute keeps from instances. */
  reservedMib: number
  readonly diskGib: number
  readonly traits: readonly string[]
  /** Further resources of its Placement provider, by resource class. */
  readonly resources: Readonly<Record<string, number>>
  readonly startedAt: number
}

/** A Nova service. `alive`: it reports; `enabled`: the scheduler may use it. */
export interface NovaService {
  readonly id: string
  readonly number: number
  readonly binary: string
  readonly host: string
  readonly zone: string
  alive: boolean
  /** When it stopped reporting; it is down once the service_down_time has passed. Null if `alive` decides. */
  silentSince: number | null
  lastSeenAt: number
  enabled: boolean
  disabledReason: string | null
  /** When Placement opens the host again after the service was enabled. */
  opensAt: number
  forcedDown: boolean
}

export interface ActionRecord {
  readonly action: string
  readonly requestId: string
  readonly userId: string
  readonly projectId: string
  readonly startedAt: number
  updatedAt: number | null
  message: string | null
  readonly events: {
    readonly event: string
    readonly startedAt: number
    finishedAt: number | null
    result: 'Success' | 'Error' | null
    readonly host: string | null
  }[]
}

export interface Server {
  readonly id: string
  readonly number: number
  readonly name: string
  readonly projectId: string
  readonly userId: string
  readonly flavor: Flavor
  readonly volumeIds: readonly string[]
  readonly bootFromVolume: boolean
  readonly ports: readonly { readonly vnicType: string; readonly hasResourceRequest: boolean }[]
  readonly imageProperties: Readonly<Record<string, string>>
  readonly hasConfigDrive: boolean
  readonly schedulerHints: Readonly<Record<string, readonly string[]>>
  readonly pinnedZone: string | null
  readonly groupId: string | null
  readonly cell: string
  readonly address: string
  readonly createdAt: number
  host: string | null
  vmState: VmState
  taskState: string | null
  powerState: number
  tags: string[]
  locked: boolean
  lockedReason: string | null
  updatedAt: number
  launchedAt: number | null
  fault: { readonly message: string; readonly createdAt: number } | null
  readonly actions: ActionRecord[]
}

/** A migration record, with the state that the simulator needs to run it. */
export interface MigrationRecord {
  readonly id: number
  readonly uuid: string
  readonly serverId: string
  readonly type: 'live-migration' | 'migration' | 'evacuation'
  readonly source: string
  readonly userId: string
  readonly projectId: string
  readonly flavorNumber: number
  readonly createdAt: number
  status: string
  dest: string | null
  destIp: string | null
  updatedAt: number | null
  /** When copying began, and how the remaining memory decreases; null before. */
  running: { readonly startedAt: number; readonly passes: MemoryPasses } | null
  abortRequested: boolean
  forceRequested: boolean
  /** Whether the server was SHUTOFF before a cold migration, and must be again afterwards. */
  readonly wasStopped: boolean
  /** Ends the migration's current wait early. */
  wake: () => void
}

export interface Agent {
  readonly id: string
  readonly type: string
  readonly binary: string
  readonly topic: string
  readonly host: string
  readonly zone: string | null
  readonly createdAt: number
  alive: boolean
  /** When it stopped reporting; it is dead once the agent_down_time has passed. Null if `alive` decides. */
  silentSince: number | null
  lastSeenAt: number
  adminStateUp: boolean
}

export interface ServerGroup {
  readonly id: string
  readonly name: string
  readonly policy: string
  readonly projectId: string
  readonly userId: string
}

interface Aggregate {
  readonly name: string
  readonly hosts: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

/** A volume with its attachment. */
export interface Volume {
  readonly id: string
  readonly name: string
  readonly serverId: string
  readonly projectId: string
  readonly userId: string
  readonly sizeGib: number
  readonly encrypted: boolean
  readonly multiattach: boolean
  readonly createdAt: number
}

export interface SegmentHost {
  readonly number: number
  readonly id: string
  readonly name: string
  onMaintenance: boolean
  updatedAt: number | null
}

/** A failure that was reported to Masakari. */
export interface FailureNotification {
  readonly id: string
  readonly hostId: string
  readonly type: 'COMPUTE_HOST' | 'PROCESS' | 'VM'
  readonly generatedAt: number
  status: 'new' | 'running' | 'error' | 'finished' | 'ignored' | 'failed'
}

export interface FailoverSegment {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly hosts: readonly SegmentHost[]
  /** Oldest first. While one is new, running or in error, no host of the segment can be changed. */
  readonly notifications: FailureNotification[]
}

/** The state of the embedded OpenStack cloud. Tests and scenarios may read and change it. */
export interface Cloud {
  readonly clock: Clock
  readonly region: string
  readonly bornAt: number
  readonly projects: readonly Project[]
  readonly users: readonly User[]
  readonly tokens: Map<string, Token>
  readonly applicationCredentials: Map<string, ApplicationCredential>
  readonly flavors: readonly Flavor[]
  readonly imageId: string
  readonly networkId: string
  readonly subnetId: string
  readonly hosts: Map<string, ComputeHost>
  readonly services: NovaService[]
  /** Hosts whose compute service was deleted; each returns when its nova-compute starts again. */
  readonly forgottenHosts: Map<string, { readonly host: ComputeHost; readonly service: NovaService }>
  readonly servers: Map<string, Server>
  readonly deletedServers: Server[]
  readonly migrations: MigrationRecord[]
  readonly groups: readonly ServerGroup[]
  readonly aggregates: readonly Aggregate[]
  /** Additional scheduler filters that are enabled. */
  readonly filters: readonly string[]
  /** Aliases of PCI devices that nova.conf declares live_migratable. */
  readonly liveMigratableAliases: readonly string[]
  readonly agents: Agent[]
  /** Agents that were deleted while silent; each registers again with its first report. */
  readonly forgottenAgents: Agent[]
  readonly volumes: readonly Volume[]
  readonly hasWatcher: boolean
  /** Failover segments of Masakari; the catalogue names Masakari if there are any. */
  readonly segments: readonly FailoverSegment[]
  /** nova.conf service_down_time: a service is down after this time without a report. */
  readonly serviceDownMs: number
  /** neutron.conf agent_down_time. */
  readonly agentDownMs: number
  /** nova.conf max_concurrent_live_migrations, for each source host. */
  maxConcurrentLiveMigrations: number
}
