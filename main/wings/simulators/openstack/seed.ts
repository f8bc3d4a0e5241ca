/** A flavor of the demo cloud: sizes as Nova counts them, MiB and GiB. */
interface FlavorSeed {
  readonly name: string
  readonly vcpus: number
  readonly ramMib: number
  readonly diskGib: number
  readonly ephemeralGib?: number
  readonly extraSpecs?: Readonly<Record<string, string>>
}

/** A host that runs nova-compute; its name is the host name, the hypervisor name and the Kubernetes node name. */
export interface ComputeHostSeed {
  readonly name: string
  readonly zone: string
  readonly vcpus?: number
  readonly memoryMib?: number
  readonly diskGib?: number
  readonly ip?: string
  /** Traits beside those of every host. */
  readonly traits?: readonly string[]
  /** Resource classes beside processors, memory and disk, such as VGPU. */
  readonly resources?: Readonly<Record<string, number>>
  /** The Nova cell that holds its records; a cell that is down gives partial answers (microversion 2.69). */
  readonly cell?: string
}

/** The statuses in which a server may start its life in a demo cloud. */
export type SeedStatus = 'ACTIVE' | 'PAUSED' | 'SHUTOFF' | 'SUSPENDED' | 'ERROR' | 'SHELVED_OFFLOADED'

/** An instance that is there from the beginning. */
export interface ServerSeed {
  readonly name: string
  /** What tells it from another of its name: its ids are made from this. The name when absent. */
  readonly key?: string
  /** Null only for SHELVED_OFFLOADED. */
  readonly host: string | null
  readonly flavor: string
  readonly status?: SeedStatus
  /** Nova's number, where it is not the one that goes with the status. */
  readonly powerState?: number
  readonly project?: string
  readonly tags?: readonly string[]
  /** Data volumes attached beside the root disk. */
  readonly dataVolumes?: number
  readonly bootFromVolume?: boolean
  /** Whether its volumes are encrypted. */
  readonly encrypted?: boolean
  readonly multiattach?: boolean
  /** How its ports are plugged in; one of vnic_type normal when absent. */
  readonly vnicTypes?: readonly string[]
  /** Whether its ports ask for a guaranteed bandwidth. */
  readonly bandwidth?: boolean
  readonly imageProperties?: Readonly<Record<string, string>>
  readonly configDrive?: boolean
  /** What its owner asked of the scheduler; `same_host` and `different_host` name others of the seed. */
  readonly schedulerHints?: Readonly<Record<string, readonly string[]>>
  /** The availability zone its owner asked for: it may not leave it. */
  readonly pinnedZone?: string
  readonly group?: string
  readonly locked?: boolean
  /** Why it is in ERROR, where Nova knows. */
  readonly faultMessage?: string
}

/** A server group; its members are the servers that name it. */
interface ServerGroupSeed {
  readonly name: string
  readonly policy: 'anti-affinity' | 'affinity' | 'soft-anti-affinity' | 'soft-affinity'
  readonly project?: string
}

/** A host aggregate; those of the zones are there by themselves. */
interface AggregateSeed {
  readonly name: string
  readonly hosts: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

/** A Keystone user with one role in one project. */
interface UserSeed {
  readonly name: string
  readonly password: string
  readonly project: string
  readonly role: 'admin' | 'manager' | 'member'
}

/** The Watcher of a cloud; absent values are those of 2025.2. */
export interface WatcherSeed {
  /** `1.4` cannot skip an action of a plan. */
  readonly maxMicroversion?: string
  /** A plan ends SUCCEEDED whatever its actions did, as before the fix of LP 2106407. */
  readonly oldPlanState?: boolean
  /** False: host_maintenance does not know `disable_live_migration` and `disable_cold_migration` yet. */
  readonly canDisableMigration?: boolean
  /** False: it has no source of figures, and what judges by the load recommends nothing. */
  readonly hasFigures?: boolean
  /** Nova's notifications reach it: its picture of the cloud is never old. Absent: it looks every period (`timings.watcherModelMs`). */
  readonly answersNova?: boolean
}

/** A failover segment of Masakari, with Nova's names of its hosts. */
interface SegmentSeed {
  readonly name: string
  readonly hosts: readonly string[]
}

/** Everything an embedded OpenStack cloud holds when it starts. */
export interface OpenStackSeed {
  readonly region: string
  readonly users: readonly UserSeed[]
  readonly flavors: readonly FlavorSeed[]
  readonly hosts: readonly ComputeHostSeed[]
  /** Hosts of nova-scheduler and nova-conductor. */
  readonly controllers: readonly string[]
  /** Hosts of the DHCP, L3 and metadata agents; the controllers when absent. */
  readonly networkNodes?: readonly string[]
  /** OVN's agents on every compute host, and none of Neutron's own. */
  readonly ovn?: boolean
  /** False: compute hosts run no agent of Neutron's. */
  readonly computeAgents?: boolean
  readonly serverGroups?: readonly ServerGroupSeed[]
  readonly aggregates?: readonly AggregateSeed[]
  /** Filters that the operator enabled beside Nova's own, such as AggregateInstanceExtraSpecsFilter. */
  readonly filters?: readonly string[]
  /** Aliases of PCI devices that may move live (2025.1 and newer). */
  readonly liveMigratableAliases?: readonly string[]
  readonly servers: readonly ServerSeed[]
  /** Absent: the cloud has none. */
  readonly watcher?: WatcherSeed
  /** Absent or empty: the cloud has no Masakari. */
  readonly masakari?: readonly SegmentSeed[]
}
