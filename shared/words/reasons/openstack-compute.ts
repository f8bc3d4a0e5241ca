import type { Items, OfHost, OfNode, TextsOf } from '../steps/coded.ts'
import { calledWords } from './openstack.ts'

/** An instance; `name` null: only its id is known. */
type Called = { readonly id: string; readonly name: string | null }

type OfMigration = Called & { readonly migration: number }

type OfTag = Called & { readonly tag: string }

/** A change of a compute service. */
export type ServiceChange = 'enable' | 'disable' | 'force-down' | 'force-up'

const VERBS: Readonly<Record<ServiceChange, string>> = {
  enable: 'enable',
  disable: 'disable',
  'force-down': 'force down',
  'force-up': 'clear forced-down of',
}

/** Refusals and failures of Nova. */
export const OPENSTACK_COMPUTE_REASONS = {
  HostsOfInstancesHidden: ({ host }: OfHost) =>
    `Could not list the instances on ${host}: Nova does not show this user the hosts of instances. That needs the rule os_compute_api:os-extended-server-attributes (role admin).`,
  InstancesOfSilentCell: ({ instances }: { readonly instances: Items<Called> }) =>
    `a Nova cell does not answer: only ${instances.total === 1 ? 'the id of 1 instance is' : `the ids of ${instances.total} instances are`} known (${instances.items
      .slice(0, 3)
      .map(calledWords)
      .join(', ')}${instances.total > 3 ? ' …' : ''})`,
  HostOfSilentCell: () => 'unknown: the Nova cell of this host does not answer',
  NoComputeServiceOn: ({ node }: OfNode) => `Nova has no nova-compute service on ${node}.`,
  ServiceOfSilentCell: ({ change }: { readonly change: ServiceChange }) =>
    `Cannot ${VERBS[change]} a compute service whose Nova cell does not answer. Fix the cell, then try again.`,
  DisablingReasonLength: ({ most }: { readonly most: number }) =>
    `The reason for disabling a compute service must have 1 to ${most} characters.`,

  // Why an answer is invalid.
  MigrationsOfOtherHosts: () => 'neither from nor to the host',
  ServicesOfOthers: () => 'services of another binary or host than requested',
  HypervisorNotAsked: () => 'another hypervisor than requested',
  HypervisorWithoutServers: () => 'a hypervisor without the list of its instances',
  ServiceNotAsAsked: () => 'another service or status than requested',
} satisfies TextsOf<string>

/** Requests to Nova. */
export const OPENSTACK_COMPUTE_CALLS = {
  ListComputeServices: () => 'list the compute services',
  ReadComputeService: ({ host }: OfHost) => `read the compute service of ${host}`,
  ChangeComputeService: ({ id, change }: { readonly id: string; readonly change: ServiceChange }) =>
    `${VERBS[change]} the compute service ${id}`,
  ListHypervisors: () => 'list the hypervisors',
  ListHypervisorInstances: ({ id }: { readonly id: string }) => `list the instances of hypervisor ${id}`,
  ListServerGroups: () => 'list the server groups of every project',
  ListAvailabilityZones: () => 'list the availability zones',
  ListAggregates: () => 'list the host aggregates',
  ListInstances: () => 'list the instances of every project',
  ListInstancesOn: ({ host }: OfHost) => `list the instances on ${host}`,
  ListChangedInstances: () => 'list the instances that changed',
  ReadInstance: (instance: Called) => `read instance ${calledWords(instance)}`,
  ReadActionLog: (instance: Called) => `read the action log of instance ${calledWords(instance)}`,
  ListMigrations: () => 'list the migrations',
  ListMigrationsOf: (instance: Called) => `list the migrations of instance ${calledWords(instance)}`,
  ReadRunningMigration: (instance: Called) => `read the running migration of instance ${calledWords(instance)}`,
  LiveMigrate: (instance: Called) => `live-migrate instance ${calledWords(instance)}`,
  ColdMigrate: (instance: Called) => `cold-migrate instance ${calledWords(instance)}`,
  ConfirmColdMigration: (instance: Called) => `confirm the cold migration of instance ${calledWords(instance)}`,
  StopInstance: (instance: Called) => `stop instance ${calledWords(instance)}`,
  StartInstance: (instance: Called) => `start instance ${calledWords(instance)}`,
  ResetInstanceState: (instance: Called) => `reset the state of instance ${calledWords(instance)}`,
  EvacuateInstance: (instance: Called) => `evacuate instance ${calledWords(instance)}`,
  AbortMigration: ({ migration, ...instance }: OfMigration) =>
    `abort migration ${migration} of instance ${calledWords(instance)}`,
  ForceMigration: ({ migration, ...instance }: OfMigration) =>
    `force migration ${migration} of instance ${calledWords(instance)} to complete`,
  AddTag: ({ tag, ...instance }: OfTag) => `add the tag ${tag} to instance ${calledWords(instance)}`,
  RemoveTag: ({ tag, ...instance }: OfTag) => `remove the tag ${tag} from instance ${calledWords(instance)}`,
} satisfies TextsOf<string>
