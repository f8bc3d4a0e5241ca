/** Facts about OpenStack. Times are ISO strings; sizes are MiB and GiB as Nova reports them. */

/** `state`: whether the service reports; `status`: whether the scheduler may use it. */
export interface ComputeService {
  readonly id: string
  readonly binary: string
  readonly host: string
  readonly zone: string | null
  readonly status: 'enabled' | 'disabled'
  readonly state: 'up' | 'down'
  readonly disabledReason: string | null
  readonly forcedDown: boolean
  readonly updatedAt: string | null
}

/** One nova-compute may have several: after a rename, or one for each bare machine of Ironic. */
export interface Hypervisor {
  readonly id: string
  /** Nova's host may have another name. */
  readonly name: string
  readonly host: string
  readonly serviceId: string
  readonly type: string
  readonly state: 'up' | 'down'
  /** The count of nova-compute in about the last minute. */
  readonly instances: number
}

/** A project's name is unique within its domain only. */
export interface Project {
  readonly id: string
  readonly name: string
}

/** `host` may name a backend (`cmp-1@lvm`). */
export interface VolumeService {
  readonly host: string
  readonly zone: string | null
  readonly status: 'enabled' | 'disabled'
  readonly state: 'up' | 'down'
  readonly disabledReason: string | null
}

/** Embedded in a server (microversion 2.47+). */
export interface InstanceFlavor {
  readonly name: string
  readonly vcpus: number
  readonly ramMib: number
  readonly diskGib: number
  readonly ephemeralGib: number
  readonly swapMib: number
  readonly extraSpecs: Readonly<Record<string, string>>
}

/** Fields are null where a down cell left them out (2.69 partial results); then `partial` is true. */
export interface Instance {
  readonly id: string
  readonly name: string
  readonly projectId: string | null
  readonly userId: string | null
  readonly host: string | null
  /** ACTIVE, SHUTOFF, PAUSED, ERROR, MIGRATING, VERIFY_RESIZE, UNKNOWN … */
  readonly status: string
  readonly vmState: string | null
  readonly taskState: string | null
  /** 0 NOSTATE, 1 RUNNING, 3 PAUSED, 4 SHUTDOWN, 6 CRASHED, 7 SUSPENDED. */
  readonly powerState: number | null
  readonly tags: readonly string[]
  readonly flavor: InstanceFlavor | null
  readonly volumeIds: readonly string[]
  /** True if it has no image; absent means the cloud left it out. */
  readonly bootsFromVolume?: boolean
  readonly availabilityZone: string | null
  /** Requested by the owner: known from 2.96 on; `undefined`: this cloud does not say. */
  readonly pinnedZone: string | null | undefined
  readonly serverGroupIds: readonly string[]
  /** Keyed by the image's names (`hw_tpm_version`): known from 2.98 on; absent if this cloud does not say. */
  readonly imageProperties?: Readonly<Record<string, string>>
  /** Absent means the cloud left it out. */
  readonly hasConfigDrive?: boolean
  /** The owner's (`same_host`: ids of instances): known from 2.100 on; absent if this cloud does not say. */
  readonly schedulerHints?: Readonly<Record<string, readonly string[]>>
  readonly locked: boolean
  readonly createdAt: string | null
  readonly launchedAt: string | null
  readonly updatedAt: string | null
  readonly partial: boolean
}

/** A migration record, with progress if Nova has it (running live migrations). */
export interface Migration {
  readonly id: number
  readonly uuid: string | null
  readonly instanceId: string
  readonly type: 'live-migration' | 'migration' | 'resize' | 'evacuation'
  /** accepted, queued, preparing, running, post-migrating, completed, failed, error, cancelled, finished, confirmed … */
  readonly status: string
  readonly sourceHost: string | null
  readonly destHost: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly progress: MigrationProgress | null
}

/** Bytes of a running live migration. Disk stays 0 even for block migration. */
export interface MigrationProgress {
  readonly memoryTotal: number
  readonly memoryProcessed: number
  readonly memoryRemaining: number
  readonly diskTotal: number
  readonly diskProcessed: number
  readonly diskRemaining: number
}

export interface InstanceAction {
  readonly action: string
  readonly requestId: string
  readonly startedAt: string
  readonly message: string | null
}

export interface NetworkAgent {
  readonly id: string
  readonly type: string
  readonly binary: string
  readonly host: string
  readonly alive: boolean
  readonly adminStateUp: boolean
  readonly heartbeatAt: string | null
}

export interface InstancePort {
  readonly id: string
  readonly instanceId: string
  /** Neutron's binding:vnic_type: `normal`, `direct`, `vdpa` … */
  readonly vnicType: string
  /** Its own bandwidth or packet rate in Placement (a QoS policy with a minimum). */
  readonly hasResourceRequest: boolean
}

export interface Volume {
  readonly id: string
  readonly encrypted: boolean
  readonly multiattach: boolean
}

export interface Aggregate {
  readonly name: string
  readonly hosts: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

export interface ServerGroup {
  readonly id: string
  readonly name: string
  readonly policy: string
  /** For anti-affinity, the number of members that one host may have (`max_server_per_host`, 2.64+); absent means one. */
  readonly maxPerHost?: number
  readonly memberIds: readonly string[]
}

export interface AvailabilityZone {
  readonly name: string
  readonly available: boolean
  readonly hosts: readonly string[]
}

/** A provider in Placement with capacity and usage per resource class. */
export interface ResourceProvider {
  readonly id: string
  readonly name: string
  /** Allocatable: without what is reserved for the host, with overcommit. */
  readonly capacities: Readonly<Record<string, number>>
  readonly usages: Readonly<Record<string, number>>
}

/** `unreachable` says in words what is missing, such as a down cell's instances. */
export interface Listing<T> {
  readonly items: readonly T[]
  readonly unreachable: readonly string[]
}
