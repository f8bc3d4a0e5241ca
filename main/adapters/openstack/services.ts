/** The OpenStack services this room can talk to, by the type of the service types authority. */
export type ServiceType =
  | 'compute'
  | 'network'
  | 'placement'
  | 'block-storage'
  | 'image'
  | 'infra-optim'
  | 'instance-ha'
  | 'identity'

/** How a service is found in a catalogue, where its API begins, and which microversions we know of it. */
interface ServiceFacts {
  /** The name operators know it by. */
  readonly name: string
  /** Types under which catalogues list it, best first (service-types-authority and its aliases). */
  readonly catalogueTypes: readonly string[]
  /** The version segment its API lives under; null when it has none. */
  readonly versionSegment: string | null
  /** Null: it is asked without a microversion. */
  readonly microversions: { readonly least: string; readonly known: string; readonly header: string } | null
}

/** Every service we know. Compute: 2.53 brings services by uuid, 2.104 is the newest whose answers we know (domain.md C.4). */
export const SERVICES: Readonly<Record<ServiceType, ServiceFacts>> = {
  identity: { name: 'Keystone', catalogueTypes: ['identity'], versionSegment: 'v3', microversions: null },
  compute: {
    name: 'Nova',
    catalogueTypes: ['compute'],
    versionSegment: 'v2.1',
    microversions: { least: '2.53', known: '2.104', header: 'compute' },
  },
  network: { name: 'Neutron', catalogueTypes: ['network'], versionSegment: 'v2.0', microversions: null },
  placement: {
    name: 'Placement',
    catalogueTypes: ['placement'],
    versionSegment: null,
    microversions: { least: '1.0', known: '1.39', header: 'placement' },
  },
  'block-storage': {
    name: 'Cinder',
    catalogueTypes: ['block-storage', 'volumev3', 'block-store', 'volume'],
    versionSegment: null,
    microversions: null,
  },
  image: { name: 'Glance', catalogueTypes: ['image'], versionSegment: 'v2', microversions: null },
  'infra-optim': {
    name: 'Watcher',
    catalogueTypes: ['infra-optim', 'resource-optimization'],
    versionSegment: 'v1',
    // 1.5: one action of a plan can be skipped; 1.6 and 1.7 add nothing that is asked for (docs/domain.md B.2).
    microversions: { least: '1.0', known: '1.7', header: 'infra-optim' },
  },
  // 1.1 and 1.2 add the progress of a recovery and a switch for segments, neither of which is asked for (docs/domain.md B.3).
  'instance-ha': {
    name: 'Masakari',
    catalogueTypes: ['instance-ha', 'ha', 'masakari'],
    versionSegment: 'v1',
    microversions: null,
  },
}
