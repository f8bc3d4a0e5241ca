import { must } from '../../../../shared/domain/must.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { RESERVED_MEMORY_MIB } from './allocations.ts'
import type {
  Agent,
  Cloud,
  ComputeHost,
  FailoverSegment,
  Flavor,
  NovaService,
  Project,
  Server,
  ServerGroup,
  User,
  VmState,
  Volume,
} from './cloud.ts'
import { stableHex, stableUuid } from './ids.ts'
import type { OpenStackSeed, SeedStatus, ServerSeed } from './seed.ts'
import type { Timings } from './timings.ts'

const HOST_TRAITS = [
  'COMPUTE_NODE',
  'COMPUTE_NET_ATTACH_INTERFACE',
  'COMPUTE_TRUSTED_CERTS',
  'COMPUTE_VOLUME_EXTEND',
  'HW_CPU_X86_AVX2',
  'HW_CPU_X86_VMX',
]

/** Makes the cloud of a seed, as if it had run for a day. Throws if the seed contradicts itself. */
export function buildCloud(
  seed: OpenStackSeed,
  clock: Clock,
  timings: Pick<Timings, 'serviceDownMs' | 'agentDownMs'>,
): Cloud {
  const bornAt = clock.now() - 86_400_000
  const owners = ownersOf(seed)
  const flavors = flavorsOf(seed)
  const hosts = hostsOf(seed, bornAt)
  const groups = groupsOf(seed, owners)
  const built = seed.servers.map((server, index) =>
    buildServer(server, index, { bornAt, hosts, flavors, groups, owners }),
  )
  return {
    clock,
    region: seed.region,
    bornAt,
    projects: owners.projects,
    users: owners.users,
    tokens: new Map(),
    applicationCredentials: new Map(),
    flavors,
    imageId: stableUuid('image demo-image'),
    networkId: stableUuid('network demo-net'),
    subnetId: stableUuid('subnet demo-subnet'),
    hosts,
    services: novaServices(seed, clock),
    forgottenHosts: new Map(),
    servers: new Map(built.map(entry => [entry.server.id, entry.server])),
    deletedServers: [],
    migrations: [],
    groups,
    aggregates: seed.aggregates ?? [],
    filters: seed.filters ?? [],
    liveMigratableAliases: seed.liveMigratableAliases ?? [],
    agents: agents(seed, bornAt, clock),
    forgottenAgents: [],
    volumes: built.flatMap(entry => entry.volumes),
    hasWatcher: seed.watcher !== undefined,
    segments: segments(seed),
    serviceDownMs: timings.serviceDownMs,
    agentDownMs: timings.agentDownMs,
    maxConcurrentLiveMigrations: 1,
  }
}

/** The projects and users of a seed; `projectId` and `userId` throw for a project without a user. */
interface Owners {
  readonly projects: readonly Project[]
  readonly users: readonly User[]
  readonly projectId: (project?: string) => string
  readonly userId: (project?: string) => string
}

function ownersOf(seed: OpenStackSeed): Owners {
  const names = new Set(['admin', 'service', ...seed.users.map(user => user.project)])
  const projects = [...names].map((name): Project => ({ id: stableHex(`project ${name}`), name }))
  const projectId = (project = 'admin') =>
    must(
      projects.find(({ name }) => name === project),
      `the seed has a user of project ${project}`,
    ).id
  const users = seed.users.map(
    (user): User => ({
      id: stableHex(`user ${user.name}`),
      name: user.name,
      password: user.password,
      projectId: projectId(user.project),
      role: user.role,
    }),
  )
  const userId = (project = 'admin') =>
    must(
      users.find(user => user.projectId === projectId(project)),
      `the seed has a user of project ${project}`,
    ).id
  return { projects, users, projectId, userId }
}

function flavorsOf(seed: OpenStackSeed): readonly Flavor[] {
  return seed.flavors.map((flavor, index) => ({
    id: stableUuid(`flavor ${flavor.name}`),
    number: index + 1,
    name: flavor.name,
    vcpus: flavor.vcpus,
    ramMib: flavor.ramMib,
    diskGib: flavor.diskGib,
    ephemeralGib: flavor.ephemeralGib ?? 0,
    extraSpecs: flavor.extraSpecs ?? {},
  }))
}

function hostsOf(seed: OpenStackSeed, bornAt: number): Map<string, ComputeHost> {
  return new Map(
    seed.hosts.map((host, index): [string, ComputeHost] => [
      host.name,
      {
        name: host.name,
        number: index + 1,
        id: stableUuid(`hypervisor ${host.name}`),
        zone: host.zone,
        cell: host.cell ?? 'cell1',
        ip: host.ip ?? `10.20.0.${index + 11}`,
        vcpus: host.vcpus ?? 16,
        memoryMib: host.memoryMib ?? 65_536,
        reservedMib: RESERVED_MEMORY_MIB,
        diskGib: host.diskGib ?? 1000,
        traits: [...HOST_TRAITS, ...(host.traits ?? [])],
        resources: host.resources ?? {},
        startedAt: bornAt,
      },
    ]),
  )
}

function groupsOf(seed: OpenStackSeed, owners: Owners): readonly ServerGroup[] {
  return (seed.serverGroups ?? []).map(group => ({
    id: stableUuid(`group ${group.name}`),
    name: group.name,
    policy: group.policy,
    projectId: owners.projectId(group.project),
    userId: owners.userId(group.project),
  }))
}

const BEGINNINGS: Readonly<Record<SeedStatus, { readonly vmState: VmState; readonly powerState: number }>> = {
  ACTIVE: { vmState: 'active', powerState: 1 },
  PAUSED: { vmState: 'paused', powerState: 3 },
  SHUTOFF: { vmState: 'stopped', powerState: 4 },
  SUSPENDED: { vmState: 'suspended', powerState: 7 },
  ERROR: { vmState: 'error', powerState: 1 },
  SHELVED_OFFLOADED: { vmState: 'shelved_offloaded', powerState: 4 },
}

/** Hints that name other instances use their ids. */
function hintsOf({ schedulerHints = {} }: ServerSeed): Server['schedulerHints'] {
  return Object.fromEntries(
    Object.entries(schedulerHints).map(([hint, values]) => [
      hint,
      /_host$/.test(hint) ? values.map(key => stableUuid(`server ${key}`)) : values,
    ]),
  )
}

interface CloudParts {
  readonly bornAt: number
  readonly hosts: ReadonlyMap<string, ComputeHost>
  readonly flavors: readonly Flavor[]
  readonly groups: readonly ServerGroup[]
  readonly owners: Owners
}

function buildServer(seed: ServerSeed, index: number, around: CloudParts) {
  const key = seed.key ?? seed.name
  const id = stableUuid(`server ${key}`)
  const host = seed.host === null ? null : must(around.hosts.get(seed.host), `the seed has host ${seed.host}`)
  const projectId = around.owners.projectId(seed.project)
  const userId = around.owners.userId(seed.project)
  // A minute apart, so that "newest first" and pages have a fixed order.
  const createdAt = around.bornAt + (index + 1) * 60_000
  const volumeCount = (seed.dataVolumes ?? 0) + (seed.bootFromVolume ? 1 : 0)
  const volumes = Array.from(
    { length: volumeCount },
    (_, number): Volume => ({
      id: stableUuid(`volume ${key} ${number}`),
      name: `${seed.name}-${seed.bootFromVolume && number === 0 ? 'root' : `data-${number}`}`,
      serverId: id,
      projectId,
      userId,
      sizeGib: 20,
      encrypted: seed.encrypted ?? false,
      multiattach: seed.multiattach ?? false,
      createdAt,
    }),
  )
  const group = seed.group === undefined ? null : around.groups.find(candidate => candidate.name === seed.group)
  const server: Server = {
    id,
    number: index + 1,
    name: seed.name,
    projectId,
    userId,
    flavor: must(
      around.flavors.find(flavor => flavor.name === seed.flavor),
      `the seed has flavor ${seed.flavor}`,
    ),
    volumeIds: volumes.map(volume => volume.id),
    bootFromVolume: seed.bootFromVolume ?? false,
    ports: (seed.vnicTypes ?? ['normal']).map(vnicType => ({ vnicType, hasResourceRequest: seed.bandwidth ?? false })),
    imageProperties: seed.imageProperties ?? {},
    hasConfigDrive: seed.configDrive ?? false,
    schedulerHints: hintsOf(seed),
    pinnedZone: seed.pinnedZone ?? null,
    groupId: group === null ? null : must(group, `the seed has server group ${seed.group}`).id,
    cell: host?.cell ?? 'cell1',
    address: `10.77.${Math.floor(index / 200)}.${(index % 200) + 10}`,
    createdAt,
    host: host?.name ?? null,
    ...BEGINNINGS[seed.status ?? 'ACTIVE'],
    ...(seed.powerState === undefined ? {} : { powerState: seed.powerState }),
    taskState: null,
    tags: [...(seed.tags ?? [])],
    locked: seed.locked ?? false,
    lockedReason: null,
    updatedAt: createdAt + 20_000,
    launchedAt: createdAt + 20_000,
    fault: seed.faultMessage === undefined ? null : { message: seed.faultMessage, createdAt: createdAt + 20_000 },
    actions: [
      {
        action: 'create',
        requestId: `req-${stableUuid(`create ${key}`)}`,
        userId,
        projectId,
        startedAt: createdAt,
        updatedAt: createdAt + 20_000,
        message: null,
        events: [],
      },
    ],
  }
  return { server, volumes }
}

function segments(seed: OpenStackSeed): readonly FailoverSegment[] {
  return (seed.masakari ?? []).map(({ name, hosts }, index) => ({
    number: index + 1,
    id: stableUuid(`segment ${name}`),
    name,
    hosts: hosts.map((host, at) => ({
      number: index * 100 + at + 1,
      id: stableUuid(`segment host ${host}`),
      name: host,
      onMaintenance: false,
      updatedAt: null,
    })),
    notifications: [],
  }))
}

function novaServices(seed: OpenStackSeed, clock: Clock): NovaService[] {
  const rows = [
    ...seed.controllers.flatMap(host =>
      ['nova-conductor', 'nova-scheduler'].map(binary => ({ binary, host, zone: 'internal' })),
    ),
    ...seed.hosts.map(host => ({ binary: 'nova-compute', host: host.name, zone: host.zone })),
  ]
  return rows.map((row, index) => ({
    ...row,
    id: stableUuid(`service ${row.binary} ${row.host}`),
    number: index + 1,
    alive: true,
    silentSince: null,
    lastSeenAt: clock.now(),
    enabled: true,
    disabledReason: null,
    opensAt: 0,
    forcedDown: false,
  }))
}

const OVS = { type: 'Open vSwitch agent', binary: 'neutron-openvswitch-agent', topic: 'N/A', zone: null }
const NETWORK_NODE_AGENTS = [
  OVS,
  { type: 'DHCP agent', binary: 'neutron-dhcp-agent', topic: 'dhcp_agent', zone: 'nova' },
  { type: 'L3 agent', binary: 'neutron-l3-agent', topic: 'l3_agent', zone: 'nova' },
  { type: 'Metadata agent', binary: 'neutron-metadata-agent', topic: 'N/A', zone: null },
]

const OVN_AGENTS = [
  { type: 'OVN Controller Gateway agent', binary: 'ovn-controller', topic: 'N/A', zone: null },
  { type: 'OVN Metadata agent', binary: 'neutron-ovn-metadata-agent', topic: 'N/A', zone: null },
]

function agents(seed: OpenStackSeed, bornAt: number, clock: Clock): Agent[] {
  const rows = seed.ovn
    ? seed.hosts.flatMap(host => OVN_AGENTS.map(kind => ({ ...kind, host: host.name })))
    : [
        ...(seed.networkNodes ?? seed.controllers).flatMap(host =>
          NETWORK_NODE_AGENTS.map(kind => ({ ...kind, host })),
        ),
        ...(seed.computeAgents === false ? [] : seed.hosts.map(host => ({ ...OVS, host: host.name }))),
      ]
  return rows.map(row => ({
    ...row,
    id: stableUuid(`agent ${row.binary} ${row.host}`),
    createdAt: bornAt,
    alive: true,
    silentSince: null,
    lastSeenAt: clock.now(),
    adminStateUp: true,
  }))
}
