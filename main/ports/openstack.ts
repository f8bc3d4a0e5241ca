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

export type CloudReads = Pick<OpenStackPort, 'serverGroups' | 'providerNames'>

/** OpenStack for the procedures; main/adapters/openstack implements it, and every call asks the services again. */
export interface PagesOfInstances {
  /** What a page has, at once: it proves no absence. Without the server groups of a Nova that does not list them with its servers. */
  readonly onPage?: (page: readonly Instance[]) => void
  /** Runs between two pages: a large list that nobody waits for is spread over minutes. */
  readonly pause?: () => Promise<void>
}

export interface OpenStackPort {
  computeServices(signal?: AbortSignal): Promise<Result<readonly ComputeService[]>>
  /** The nova-compute service of one host; null if there is none. */
  computeService(host: string, signal?: AbortSignal): Promise<Result<ComputeService | null>>
  /** Every hypervisor with a nova-compute record; by default only administrators may list them. */
  hypervisors(signal?: AbortSignal): Promise<Result<readonly Hypervisor[]>>
  /** Ids of the instances on a hypervisor's host, by Nova's database; `not-found` if its record is gone. */
  hypervisorInstances(id: string, signal?: AbortSignal): Promise<Result<readonly string[]>>
  disableComputeService(id: string, reason: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  enableComputeService(id: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  /** Forces it down (forced_down, 2.53): Nova considers its host failed. With a reason it is disabled too; null if it already is. */
  forceComputeServiceDown(id: string, reason: string | null, signal?: AbortSignal): Promise<Result<ComputeService>>
  /** Clears forced-down; `bad-input` until it has cleaned up evacuated instances. It is up once it reports. */
  forceComputeServiceUp(id: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  instancesOnHost(host: string, signal?: AbortSignal, reads?: CloudReads): Promise<Result<Listing<Instance>>>
  listInstances(
    signal?: AbortSignal,
    reads?: Pick<CloudReads, 'serverGroups'>,
    pages?: PagesOfInstances,
  ): Promise<Result<Listing<Instance>>>
  /** Servers changed since a time of Nova's clock, and the ids of deleted ones. Nova does not count tags as a change. */
  instancesChangedSince(
    since: string,
    signal?: AbortSignal,
    reads?: Pick<CloudReads, 'serverGroups'>,
  ): Promise<Result<Listing<Instance> & { readonly deletedIds: readonly string[] }>>
  getInstance(id: string, signal?: AbortSignal): Promise<Result<Instance>>
  addInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  /** Removes one tag; `not-found` if the tag or the instance is gone. */
  removeInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  instanceActions(id: string, signal?: AbortSignal): Promise<Result<readonly InstanceAction[]>>
  /** os-migrateLive with block_migration auto; host null lets the scheduler choose. 202 means accepted, not done. */
  liveMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  /** migrate (cold); ends in VERIFY_RESIZE and must be confirmed. */
  coldMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  /** Rebuilds it on another host; a stopped one stays stopped. `bad-input` while its host counts as up, `conflict` if it has a task. */
  evacuateInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  confirmResize(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-stop; 202 means accepted: the guest gets a minute to shut down, then it is off. `conflict` unless it is ACTIVE or in ERROR. */
  stopInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-start; 202 means accepted. `conflict` unless it is stopped. */
  startInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-resetState to active: only Nova's record changes, its task ends, and the guest stays as it is. By default only administrators may. */
  resetInstanceState(id: string, signal?: AbortSignal): Promise<Result<void>>
  abortMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  forceCompleteMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  /** Migration records, newest first. `host` matches source or destination; `since` is an ISO time (2.59 changes-since). */
  migrations(
    filter: { readonly instanceId?: string; readonly host?: string; readonly since?: string },
    signal?: AbortSignal,
  ): Promise<Result<readonly Migration[]>>
  /** A server's running migration with its progress; null if there is none. */
  runningMigration(instanceId: string, signal?: AbortSignal): Promise<Result<Migration | null>>
  serverGroups(signal?: AbortSignal): Promise<Result<readonly ServerGroup[]>>
  aggregates(signal?: AbortSignal): Promise<Result<readonly Aggregate[]>>
  availabilityZones(signal?: AbortSignal): Promise<Result<readonly AvailabilityZone[]>>
  portsOnHost(host: string, signal?: AbortSignal): Promise<Result<readonly InstancePort[]>>
  networkAgents(host: string | null, signal?: AbortSignal): Promise<Result<readonly NetworkAgent[]>>
  resourceProviders(signal?: AbortSignal, reads?: CloudReads): Promise<Result<readonly ResourceProvider[]>>
  providerNames(signal?: AbortSignal): Promise<Result<readonly Pick<ResourceProvider, 'id' | 'name'>[]>>
  /** Hosts that Placement's trait excludes because nova-compute is disabled. Nova removes it some seconds after the service was enabled. */
  closedHosts(signal?: AbortSignal): Promise<Result<readonly string[]>>
  /** Names of hosts where Placement finds room for these needs; `bad-input` if it does not know one of them. */
  candidateHosts(needs: PlacementNeeds, signal?: AbortSignal, reads?: CloudReads): Promise<Result<readonly string[]>>
  /** Ids of servers and migrations with allocations on the resource provider of one of these names; null if there is no provider. */
  consumersOn(
    names: readonly string[],
    signal?: AbortSignal,
    reads?: CloudReads,
  ): Promise<Result<readonly string[] | null>>
  projects(signal?: AbortSignal): Promise<Result<readonly Project[]>>
  volumes(signal?: AbortSignal): Promise<Result<readonly Volume[]>>
  volumeServices(signal?: AbortSignal): Promise<Result<readonly VolumeService[]>>
  disableVolumeService(host: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  enableVolumeService(host: string, signal?: AbortSignal): Promise<Result<void>>
  /** The hosts of Masakari's failover segments; empty without Masakari. */
  failoverHosts(signal?: AbortSignal): Promise<Result<readonly FailoverHost[]>>
  /** Sets or clears a host's maintenance flag in Masakari; `conflict` while it handles a failure in the host's segment. */
  setOnMaintenance(
    host: Pick<FailoverHost, 'id' | 'host' | 'segmentId'>,
    onMaintenance: boolean,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  recoveries(
    host: Pick<FailoverHost, 'id' | 'host'>,
    signal?: AbortSignal,
  ): Promise<Result<readonly FailoverRecovery[]>>
}
