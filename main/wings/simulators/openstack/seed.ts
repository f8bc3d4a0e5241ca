interface FlavorSeed {
  readonly name: string
  readonly vcpus: number
  readonly ramMib: number
  readonly diskGib: number
  readonly ephemeralGib?: number
  readonly extraSpecs?: Readonly<Record<string, string>>
}

/** A host with nova-compute; its name is also the hypervisor's and the Kubernetes node's. */
export interface ComputeHostSeed {
  readonly name: string
  readonly zone: string
  readonly vcpus?: number
  readonly memoryMib?: number
  readonly diskGib?: number
  readonly ip?: string
  readonly traits?: readonly string[]
  readonly resources?: Readonly<Record<string, number>>
  /** The Nova cell of its records; a cell that is down gives partial answers (microversion 2.69). */
  readonly cell?: string
}

export type SeedStatus = 'ACTIVE' | 'PAUSED' | 'SHUTOFF' | 'SUSPENDED' | 'ERROR' | 'SHELVED_OFFLOADED'

/** An instance at the start. */
export interface ServerSeed {
  readonly name: string
  /** Distinguishes instances with the same name, because ids derive from it; the default is the name. */
  readonly key?: string
  /** Null only for SHELVED_OFFLOADED. */
  readonly host: string | null
  readonly flavor: string
  readonly status?: SeedStatus
  /** Nova's number, if it does not follow from the status. */
  readonly powerState?: number
  readonly project?: string
  readonly tags?: readonly string[]
  readonly dataVolumes?: number
  readonly bootFromVolume?: boolean
  readonly encrypted?: boolean
  readonly multiattach?: boolean
  /** The vnic_type of each port; by default one `normal` port. */
  readonly vnicTypes?: readonly string[]
  readonly bandwidth?: boolean
  readonly imageProperties?: Readonly<Record<string, string>>
  readonly configDrive?: boolean
  /** The owner's scheduler hints; `same_host` and `different_host` name other instances of the seed. */
  readonly schedulerHints?: Readonly<Record<string, readonly string[]>>
  /** The availability zone that the owner requested; the instance cannot leave it. */
  readonly pinnedZone?: string
  readonly group?: string
  readonly locked?: boolean
  readonly faultMessage?: string
}

/** A server group; its members are the servers that name it. */
interface ServerGroupSeed {
  readonly name: string
  readonly policy: 'anti-affinity' | 'affinity' | 'soft-anti-affinity' | 'soft-affinity'
  readonly project?: string
}

/** A host aggregate; the aggregates of zones are created automatically. */
interface AggregateSeed {
  readonly name: string
  readonly hosts: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

interface UserSeed {
  readonly name: string
  readonly password: string
  readonly project: string
  readonly role: 'admin' | 'manager' | 'member'
}

/** The Watcher of a cloud, with the defaults of 2025.2. */
export interface WatcherSeed {
  /** `1.4` cannot skip an action of a plan. */
  readonly maxMicroversion?: string
  /** A plan always ends SUCCEEDED, as before the fix of LP 2106407. */
  readonly oldPlanState?: boolean
  /** False if host_maintenance lacks `disable_live_migration` and `disable_cold_migration`. */
  readonly canDisableMigration?: boolean
  /** False if it has no load metrics, and strategies that need them recommend nothing. */
  readonly hasFigures?: boolean
  /** True means Nova's notifications keep its model of the cloud current. By default it reads the cloud every `timings.watcherModelMs`. */
  readonly answersNova?: boolean
}

/** A failover segment of Masakari, with Nova's names of its hosts. */
interface SegmentSeed {
  readonly name: string
  readonly hosts: readonly string[]
}

/** The initial state of an embedded OpenStack cloud. */
export interface OpenStackSeed {
  readonly region: string
  readonly users: readonly UserSeed[]
  readonly flavors: readonly FlavorSeed[]
  readonly hosts: readonly ComputeHostSeed[]
  /** Hosts of nova-scheduler and nova-conductor. */
  readonly controllers: readonly string[]
  /** Hosts of the DHCP, L3 and metadata agents; the default is the controllers. */
  readonly networkNodes?: readonly string[]
  /** OVN's agents run on every compute host instead of Neutron's. */
  readonly ovn?: boolean
  /** False means compute hosts run no Neutron agent. */
  readonly computeAgents?: boolean
  readonly serverGroups?: readonly ServerGroupSeed[]
  readonly aggregates?: readonly AggregateSeed[]
  /** Scheduler filters that the operator added, such as AggregateInstanceExtraSpecsFilter. */
  readonly filters?: readonly string[]
  /** Aliases of PCI devices that may move live (2025.1 and newer). */
  readonly liveMigratableAliases?: readonly string[]
  readonly servers: readonly ServerSeed[]
  readonly watcher?: WatcherSeed
  readonly masakari?: readonly SegmentSeed[]
}
