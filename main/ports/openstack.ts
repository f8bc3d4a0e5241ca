import type { FailoverHost, FailoverRecovery } from '../../shared/domain/masakari.ts'
import type {
  Aggregate,
  AvailabilityZone,
  ComputeService,
  Hypervisor,
  Instance,
  InstanceAction,
  InstancePort,
  Listing,
  Migration,
  NetworkAgent,
  Project,
  ResourceProvider,
  ServerGroup,
  Volume,
  VolumeService,
} from '../../shared/domain/openstack.ts'
import type { PlacementNeeds } from '../../shared/domain/placement-needs.ts'
import type { Result } from '../../shared/domain/result.ts'

/** What several questions have to read first, where others read the same. */
export type CloudReads = Pick<OpenStackPort, 'serverGroups' | 'providerNames'>

/** What the procedures need of OpenStack. main/adapters/openstack implements it; every call asks the services afresh. */
export interface OpenStackPort {
  /** Every nova-compute service (2.53+). */
  computeServices(signal?: AbortSignal): Promise<Result<readonly ComputeService[]>>
  /** The nova-compute service of one host; null when there is none. */
  computeService(host: string, signal?: AbortSignal): Promise<Result<ComputeService | null>>
  /** Every hypervisor record of a nova-compute that Nova knows; by default only administrators may list them. */
  hypervisors(signal?: AbortSignal): Promise<Result<readonly Hypervisor[]>>
  /** Ids of the instances that Nova's database has on the host of a hypervisor; `not-found` where its record is gone. */
  hypervisorInstances(id: string, signal?: AbortSignal): Promise<Result<readonly string[]>>
  disableComputeService(id: string, reason: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  enableComputeService(id: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  /**
   * Declares it down (forced_down, 2.53 form): Nova takes its host for failed, whatever it reports. With a reason it is disabled at once too; null: it is
   * disabled already.
   */
  forceComputeServiceDown(id: string, reason: string | null, signal?: AbortSignal): Promise<Result<ComputeService>>
  /** Declares it down no longer; `bad-input` while it has not cleaned up what was evacuated from it. Up is what reports. */
  forceComputeServiceUp(id: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  /** Servers of a host, all projects, all pages, tags included. */
  instancesOnHost(host: string, signal?: AbortSignal, reads?: CloudReads): Promise<Result<Listing<Instance>>>
  listInstances(signal?: AbortSignal): Promise<Result<Listing<Instance>>>
  /** Those that Nova says changed since a time of its own clock, and the ids of those that were deleted. Tags are no change to Nova. */
  instancesChangedSince(
    since: string,
    signal?: AbortSignal,
  ): Promise<Result<Listing<Instance> & { readonly deletedIds: readonly string[] }>>
  getInstance(id: string, signal?: AbortSignal): Promise<Result<Instance>>
  /** Adds one tag; the others stay. `conflict` in states in which Nova takes no tags. */
  addInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  /** Removes one tag; `not-found` when it is not there, or the instance is gone. */
  removeInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  instanceActions(id: string, signal?: AbortSignal): Promise<Result<readonly InstanceAction[]>>
  /** os-migrateLive with block_migration auto; host null lets the scheduler choose. 202 means asked, not done. */
  liveMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  /** migrate (cold); ends in VERIFY_RESIZE and must be confirmed. */
  coldMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  /**
   * evacuate: rebuilds it on another host, which the scheduler chooses. One that ran runs again; one that was stopped stays so. `bad-input` while Nova takes
   * its host for up, `conflict` unless it is ACTIVE, stopped or in ERROR without a task.
   */
  evacuateInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  confirmResize(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-stop; 202 means asked: the guest gets a minute to shut down, then it is off. `conflict` unless it is ACTIVE or in ERROR. */
  stopInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-start; 202 means asked. `conflict` unless it is stopped. */
  startInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  abortMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  forceCompleteMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  /** Migration records, newest first. `host` matches source or destination; `since` is an ISO time (2.59 changes-since). */
  migrations(
    filter: { readonly instanceId?: string; readonly host?: string; readonly since?: string },
    signal?: AbortSignal,
  ): Promise<Result<readonly Migration[]>>
  /** The running migration of a server with its progress; null when none runs. */
  runningMigration(instanceId: string, signal?: AbortSignal): Promise<Result<Migration | null>>
  serverGroups(signal?: AbortSignal): Promise<Result<readonly ServerGroup[]>>
  /** Host aggregates with their metadata. */
  aggregates(signal?: AbortSignal): Promise<Result<readonly Aggregate[]>>
  availabilityZones(signal?: AbortSignal): Promise<Result<readonly AvailabilityZone[]>>
  /** Ports that are bound to a host. */
  portsOnHost(host: string, signal?: AbortSignal): Promise<Result<readonly InstancePort[]>>
  /** Agents of one host, or of all when null. */
  networkAgents(host: string | null, signal?: AbortSignal): Promise<Result<readonly NetworkAgent[]>>
  resourceProviders(signal?: AbortSignal, reads?: CloudReads): Promise<Result<readonly ResourceProvider[]>>
  /** Every resource provider by its id and name alone. */
  providerNames(signal?: AbortSignal): Promise<Result<readonly Pick<ResourceProvider, 'id' | 'name'>[]>>
  /**
   * Names of the hosts that Nova keeps its scheduler off by a mark in Placement, because their nova-compute is disabled; `bad-input` where Placement knows no
   * such mark. It is taken off some seconds after the service was enabled.
   */
  closedHosts(signal?: AbortSignal): Promise<Result<readonly string[]>>
  /** Names of hosts on which Placement finds room for what these needs ask; `bad-input` where it does not know one of them. */
  candidateHosts(needs: PlacementNeeds, signal?: AbortSignal, reads?: CloudReads): Promise<Result<readonly string[]>>
  /** Ids of servers and migrations that hold room on the resource provider of one of these names; null when Placement has none. */
  consumersOn(
    names: readonly string[],
    signal?: AbortSignal,
    reads?: CloudReads,
  ): Promise<Result<readonly string[] | null>>
  /** Every project with its name; `not-permitted` where Keystone lets these credentials see only their own. */
  projects(signal?: AbortSignal): Promise<Result<readonly Project[]>>
  /** Every volume; empty where the cloud has no block storage service. */
  volumes(signal?: AbortSignal): Promise<Result<readonly Volume[]>>
  /** Every cinder-volume service; empty where the cloud has no block storage service. */
  volumeServices(signal?: AbortSignal): Promise<Result<readonly VolumeService[]>>
  disableVolumeService(host: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  enableVolumeService(host: string, signal?: AbortSignal): Promise<Result<void>>
  /** The hosts of Masakari's failover segments; empty where the cloud has no Masakari. */
  failoverHosts(signal?: AbortSignal): Promise<Result<readonly FailoverHost[]>>
  /** Tells Masakari that a host is on maintenance, or no longer; `conflict` while it works on a failure in the host's segment. */
  setOnMaintenance(
    host: Pick<FailoverHost, 'id' | 'host' | 'segmentId'>,
    onMaintenance: boolean,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** Failures of a host that Masakari still works on. */
  recoveries(
    host: Pick<FailoverHost, 'id' | 'host'>,
    signal?: AbortSignal,
  ): Promise<Result<readonly FailoverRecovery[]>>
}
