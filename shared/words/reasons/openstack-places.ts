import type { OfHost, TextsOf } from '../steps/coded.ts'

export const OPENSTACK_PLACES_REASONS = {
  PlacementTooOld: ({ needed }: { readonly needed: string }) =>
    `Placement of this cloud is older than ${needed}, so Lockkeeper does not ask it about traits.`,

  // Why an answer is invalid.
  CandidatesWithoutProviders: () => 'candidates without their providers',
} satisfies TextsOf<string>

/** Requests to Placement, Neutron and Cinder. */
export const OPENSTACK_PLACES_CALLS = {
  ListResourceProviders: () => 'list the resource providers',
  ListProvidersOfDisabledHosts: () => 'list the resource providers of disabled hosts',
  ReadProviderPart: ({
    part,
    provider,
  }: {
    readonly part: 'allocations' | 'inventories' | 'usages'
    readonly provider: string
  }) => `read the ${part} of resource provider ${provider}`,
  ListRoomForVcpu: () => 'list the providers with room for one more vCPU',
  ListRoomFor: ({ needs }: { readonly needs: Readonly<Record<string, string>> }) =>
    `list the providers with room for ${Object.entries(needs)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  ListNetworkAgents: () => 'list the network agents',
  ListNetworkAgentsOf: ({ host }: OfHost) => `list the network agents of ${host}`,
  ListPortsOn: ({ host }: OfHost) => `list the ports on ${host}`,
  ListVolumes: () => 'list the volumes of every project',
  ListVolumeServices: () => 'list the cinder-volume services',
  ChangeVolumeService: ({ host, change }: OfHost & { readonly change: 'enable' | 'disable' }) =>
    `${change} cinder-volume on ${host}`,
} satisfies TextsOf<string>
