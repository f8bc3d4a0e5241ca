import { leftOnDeletedText, leftToOwnersText } from '../lock-messages.ts'
import {
  type Cause,
  type Finding,
  type Items,
  labelOf,
  messagesOf,
  type Names,
  type OfCluster,
  type OfHost,
  type OfInstance,
  type OfNode,
  someItems,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

type Owned = OfInstance & { readonly project: string | null }
type Server = { readonly server: string }

/** Messages of Lockkeeper's controller for OpenStack: some in the words of Rockoon, others its own. */
export const CONTROLLERS_OPENSTACK_REASONS = {
  ZoneAwaited: ({ node }: OfNode) => `Waiting for Nova to report the availability zone of ${node}`,
  LockedNodeUnread: ({ node, cause }: OfNode & Cause) => `${node} could not be read: ${cause}`,
  NodeAwaited: ({ node, readiness }: OfNode & { readonly readiness: string }) =>
    `Waiting for node ${node} to become Ready: ${readiness}`,
  PodsOnNodeUnread: ({ node, cause }: OfNode & Cause) => `The pods on ${node} could not be read: ${cause}`,
  PodsAwaited: ({ pods }: { readonly pods: Names }) => `Waiting for pods to become ready: ${someNames(pods)}`,
  AgentsAwaited: ({ agents }: { readonly agents: readonly string[] }) =>
    `Waiting for network agents: ${agents.join(', ')}`,
  AgentsNotListed: ({
    agents,
    node,
    annotation,
  }: OfNode & { readonly agents: readonly string[]; readonly annotation: string }) =>
    `Waiting for network agents: Neutron lists no ${agents.join(', ')} on ${node}, which were alive there before. If they were removed on purpose, remove the annotation ${annotation} of this lock`,
  NetworkAgentsUnread: ({ cause }: Cause) => `The network agents could not be read: ${cause}`,
  NovaComputeUnread: ({ cause }: Cause) => `nova-compute could not be read: ${cause}`,
  NovaComputeAwaited: ({ host }: OfHost) => `Waiting for nova-compute on ${host} to report`,
  NovaComputeNotEnabled: ({ cause }: Cause) => `nova-compute could not be enabled: ${cause}`,
  NovaComputeNotDisabled: ({ cause }: Cause) => `nova-compute could not be disabled: ${cause}`,
  CinderVolumeUnread: ({ cause }: Cause) => `cinder-volume could not be read: ${cause}`,
  CinderVolumeNotEnabled: ({ host, cause }: OfHost & Cause) =>
    `cinder-volume on ${host} could not be enabled: ${cause}`,
  CinderVolumeNotDisabled: ({ host, cause }: OfHost & Cause) =>
    `cinder-volume on ${host} could not be disabled: ${cause}`,
  QuorumServicesUnread: ({ cause }: Cause) => `The quorum services could not be read: ${cause}`,
  NoCloudToAsk: ({ cluster, node }: OfCluster & OfNode) =>
    `This console has no OpenStack credentials of ${cluster}, so it cannot tell what runs on ${node}: add them in the cloud's settings`,
  PlacementUnread: ({ cause }: Cause) => `Placement could not be read: ${cause}`,
  AllocationsWithoutService: ({ node, consumers }: OfNode & { readonly consumers: Names }) =>
    `Nova shows no nova-compute service on ${node}, but Placement has allocations there: ${someNames(consumers)}`,
  NoNovaComputeAtAll: () => 'Nova lists no nova-compute service, so its hosts are unknown',
  NovaComputeNotShown: ({ node }: OfNode) =>
    `Nova shows no nova-compute service on ${node}, although the node has the role compute`,
  DeploymentStatusUnread: ({ cause }: Cause) => `The status of the OpenStack deployment could not be read: ${cause}`,
  DeploymentNotApplied: ({ state }: { readonly state: string }) =>
    `Waiting osdpl status APPLIED, current state is ${state || 'unknown'}`,
  DeploymentOfOtherRelease: (is: { readonly wanted: string; readonly deployment: string; readonly release: string }) =>
    `Waiting for cwl release ${is.wanted}: the OpenStack deployment ${is.deployment} is still of ${is.release}`,
  ComponentsUnwell: ({
    components,
  }: {
    readonly components: readonly { readonly name: string; readonly status: string }[]
  }) =>
    `Waiting for all OpenStack services are healthy: ${components.map(({ name, status }) => `${name} ${status}`).join(', ')}`,
  ComponentsNotShown: ({ deployment }: { readonly deployment: string }) =>
    `Waiting for the health of OpenStack's services: the status of ${deployment} has no component yet`,
  ServicesWithoutHealth: ({ services }: { readonly services: readonly string[] }) =>
    `Waiting for the health of OpenStack's services: ${services.join(', ')} not shown yet`,
  PodsOfNamespaceUnread: ({ namespace, cause }: Cause & { readonly namespace: string }) =>
    `The pods of ${namespace} could not be read: ${cause}`,
  ServicePodsUnready: ({ namespace, pods }: { readonly namespace: string; readonly pods: Names }) =>
    `Waiting for all OpenStack services are healthy: not ready in ${namespace}: ${someNames(pods)}`,

  ServersMigrating: ({
    servers,
    stalls,
  }: {
    readonly servers: readonly string[]
    readonly stalls: readonly Finding[]
  }) =>
    `${MIGRATING}: ${JSON.stringify(servers)}${stalls.length === 0 ? '' : `. ${stalls.map(({ message }) => message).join('; ')}`}`,
  ServersToMigrate: () => MIGRATING,
  ServersBusy: ({ busy }: { readonly busy: readonly Finding[] }) => `${MIGRATING}. ${messagesOf(busy)}`,
  ServersOnHostUnread: ({ host, cause }: OfHost & Cause) => `The servers on ${host} could not be read: ${cause}`,
  ServersOnHostNotTold: ({ host, missing }: OfHost & { readonly missing: readonly string[] }) =>
    `Nova cannot list all servers on ${host}: ${missing.join('; ')}`,
  MigrationsGotError: ({ cause }: Cause) => `Got error while trying to migrate servers: ${cause}`,
  MigrationStarts: ({ server }: Server) => `Starting migration for ${server}`,
  MigrationGotError: ({ server, cause }: Server & Cause) =>
    `Got error while trying to migrate server ${server}: ${cause}`,
  LastMigrationGotError: ({ server, cause }: Server & Cause) =>
    `Got error while trying to migrate server ${server}: ${cause}.`,
  ServerHeldByPolicy: ({ server, reason }: Server & { readonly policy: string; readonly reason: string }) =>
    `${server}: ${reason}.`,
  NoMigrationProgress: ({ server }: Server) => `${server}: its migration shows no progress`,
  MigrationStalls: ({ server, cause }: Server & Cause) => `${server}: ${cause}`,
  WaitsAndTriesAgain: ({ cause }: Cause) => `Waiting, then trying again: ${cause}`,
  ServersLeftToOwners: ({
    owners,
    unset,
    named,
    more,
  }: {
    readonly owners: readonly string[]
    readonly unset: readonly string[]
    readonly named: Items<Owned>
    readonly more: readonly Finding[]
  }) => leftToOwnersText(owners, unset, [...namedOwners(named), ...more.map(({ message }) => message)]),
  ServersOnDeletedNode: ({ servers, named }: { readonly servers: readonly string[]; readonly named: Items<Owned> }) =>
    leftOnDeletedText(servers, namedOwners(named)),
} satisfies TextsOf<string>

const MIGRATING = 'Waiting servers migration is completed'

/** The names for the ids of a list: like Rockoon's, lists have ids, but owners know names. */
function namedOwners(named: Items<Owned>): readonly string[] {
  if (named.total === 0) return []
  const words = (owned: Owned) => `${labelOf(owned)}${owned.project === null ? '' : ` of project ${owned.project}`}`
  return [`They are ${someItems(named, words)}.`]
}
