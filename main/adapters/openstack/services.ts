export type ServiceType =
  | 'compute'
  | 'network'
  | 'placement'
  | 'block-storage'
  | 'image'
  | 'infra-optim'
  | 'instance-ha'
  | 'identity'

interface ServiceFacts {
  readonly name: string
  /** Its types in catalogues, best first (service-types-authority and aliases). */
  readonly catalogueTypes: readonly string[]
  readonly versionSegment: string | null
  readonly microversions: { readonly least: string; readonly known: string; readonly header: string } | null
}

/** Every supported service. Compute: since 2.53 services have UUIDs; 2.104 is the newest that Lockkeeper knows (domain.md C.4). */
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
    // 1.5 can skip one action of a plan; 1.6 and 1.7 add nothing in use (docs/domain.md B.2).
    microversions: { least: '1.0', known: '1.7', header: 'infra-optim' },
  },
  // 1.1 and 1.2 add recovery progress and a switch for segments, both unused (docs/domain.md B.3).
  'instance-ha': {
    name: 'Masakari',
    catalogueTypes: ['instance-ha', 'ha', 'masakari'],
    versionSegment: 'v1',
    microversions: null,
  },
}
