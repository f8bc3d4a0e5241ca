import type { Clock } from '../../../platform/clock/clock.ts'
import type { MemoryPasses } from './memory-passes.ts'

/** Nova's own word for what a server is, below the status shown to users. */
export type VmState =
  | 'active'
  | 'paused'
  | 'stopped'
  | 'suspended'
  | 'error'
  | 'resized'
  | 'shelved_offloaded'
  | 'deleted'

/** A Keystone project. */
export interface Project {
  readonly id: string
  readonly name: string
}

/** A Keystone user and its one role. */
export interface User {
  readonly id: string
  readonly name: string
  readonly password: string
  readonly projectId: string
  readonly role: 'admin' | 'manager' | 'member'
}

/** A token that was issued. `projectId` is null for an unscoped one. */
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

/** An application credential of a user, good for one project. */
interface ApplicationCredential {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly userId: string
  readonly projectId: string
}

/** A flavor. */
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
  readonly diskGib: number
  readonly traits: readonly string[]
  /** What its Placement provider has beside processors, memory and disk, by resource class. */
  readonly resources: Readonly<Record<string, number>>
  readonly startedAt: number
}

/** A Nova service. `alive` is whether it reports; `enabled` whether the scheduler may use it. */
export interface NovaService {
  readonly id: string
  readonly number: number
  readonly binary: string
  readonly host: string
  readonly zone: string
  alive: boolean
  /** It stopped reporting then, and is down once the service_down_time has passed; null: it reports, or is down as `alive` says. */
  silentSince: number | null
  lastSeenAt: number
  enabled: boolean
  disabledReason: string | null
  /** From then on Placement does not have it for disabled any more. */
  opensAt: number
  forcedDown: boolean
}

/** An entry of a server's action log. */
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

/** A server. */
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
  /** Newest last. */
  readonly actions: ActionRecord[]
}

/** A migration record, with what the simulator must know to run it. */
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
  /** When copying began, and how what is left falls; null before. */
  running: { readonly startedAt: number; readonly passes: MemoryPasses } | null
  abortRequested: boolean
  forceRequested: boolean
  /** Set when the server was SHUTOFF before a cold migration, to be so again afterwards. */
  readonly wasStopped: boolean
  /** Ends the current wait of the migration early. */
  wake: () => void
}

/** A Neutron agent. */
export interface Agent {
  readonly id: string
  readonly type: string
  readonly binary: string
  readonly topic: string
  readonly host: string
  readonly zone: string | null
  readonly createdAt: number
  alive: boolean
  /** It stopped reporting then, and is dead once the agent_down_time has passed; null as of a service. */
  silentSince: number | null
  lastSeenAt: number
  adminStateUp: boolean
}

/** A server group. */
export interface ServerGroup {
  readonly id: string
  readonly name: string
  readonly policy: string
  readonly projectId: string
  readonly userId: string
}

/** A host aggregate beside those of the zones. */
interface Aggregate {
  readonly name: string
  readonly hosts: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

/** A volume, as far as servers have it attached. */
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

/** A host of a failover segment. */
export interface SegmentHost {
  readonly number: number
  readonly id: string
  readonly name: string
  onMaintenance: boolean
  updatedAt: number | null
}

/** A failure that Masakari was told of. */
export interface FailureNotification {
  readonly id: string
  readonly hostId: string
  readonly type: 'COMPUTE_HOST' | 'PROCESS' | 'VM'
  readonly generatedAt: number
  status: 'new' | 'running' | 'error' | 'finished' | 'ignored' | 'failed'
}

/** A failover segment of Masakari. */
export interface FailoverSegment {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly hosts: readonly SegmentHost[]
  /** Oldest first. While one is new, running or in error, no host of the segment can be changed. */
  readonly notifications: FailureNotification[]
}

/** The embedded OpenStack cloud: everything its services answer from. Tests and scenarios may read and change it. */
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
  /** Hosts whose compute service was deleted: each is there again once its nova-compute is started again. */
  readonly forgottenHosts: Map<string, { readonly host: ComputeHost; readonly service: NovaService }>
  readonly servers: Map<string, Server>
  /** Servers that were deleted, for `changes-since`. */
  readonly deletedServers: Server[]
  /** Oldest first. */
  readonly migrations: MigrationRecord[]
  readonly groups: readonly ServerGroup[]
  readonly aggregates: readonly Aggregate[]
  /** Filters of the scheduler that are enabled beside its own. */
  readonly filters: readonly string[]
  /** Aliases of PCI devices that nova.conf calls live_migratable. */
  readonly liveMigratableAliases: readonly string[]
  readonly agents: Agent[]
  /** Agents that were deleted while silent: each registers again with its first report. */
  readonly forgottenAgents: Agent[]
  readonly volumes: readonly Volume[]
  /** Whether the catalogue names Watcher. */
  readonly hasWatcher: boolean
  /** Failover segments of Masakari, which the catalogue names where there are any. */
  readonly segments: readonly FailoverSegment[]
  /** nova.conf service_down_time: a service that has not reported for so long is down. */
  readonly serviceDownMs: number
  /** neutron.conf agent_down_time. */
  readonly agentDownMs: number
  /** nova.conf max_concurrent_live_migrations, per source host. */
  maxConcurrentLiveMigrations: number
}
