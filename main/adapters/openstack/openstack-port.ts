import { z } from 'zod'
import type { InstancePort, NetworkAgent, Project, Volume, VolumeService } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { askService } from './ask-service.ts'
import { listFailoverHosts, listRecoveries, setOnMaintenance } from './masakari.ts'
import { listAggregates, listAvailabilityZones, listServerGroups } from './nova-groups.ts'
import { listHypervisorInstances, listHypervisors } from './nova-hypervisors.ts'
import { listMigrations, readRunningMigration } from './nova-migrations.ts'
import {
  abortMigration,
  coldMigrate,
  confirmResize,
  evacuateInstance,
  forceCompleteMigration,
  liveMigrate,
  resetInstanceState,
  startInstance,
  stopInstance,
} from './nova-moves.ts'
import {
  getInstance,
  listAllInstances,
  listInstanceActions,
  listInstancesChangedSince,
  listInstancesOnHost,
} from './nova-servers.ts'
import { listComputeServices, setComputeService } from './nova-services.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { listAll } from './pages.ts'
import {
  listCandidateHosts,
  listClosedHosts,
  listConsumersOn,
  listProviderNames,
  listResourceProviders,
} from './placement-providers.ts'
import { type CalledInstance, sendServerAction } from './send-server-action.ts'
import { isoTime } from './service-times.ts'

export function createOpenStackPort({ session }: { readonly session: OpenStackSession }): OpenStackPort {
  return {
    computeServices: signal => listComputeServices(session, null, signal),
    computeService: async (host, signal) => {
      const services = await listComputeServices(session, host, signal)
      return services.ok ? ok(services.value[0] ?? null) : services
    },
    hypervisors: signal => listHypervisors(session, signal),
    hypervisorInstances: (id, signal) => listHypervisorInstances(session, id, signal),
    disableComputeService: (id, reason, signal) =>
      setComputeService(session, id, { status: 'disabled', reason }, signal),
    enableComputeService: (id, signal) => setComputeService(session, id, { status: 'enabled' }, signal),
    forceComputeServiceDown: (id, reason, signal) =>
      setComputeService(
        session,
        id,
        { forcedDown: true, ...(reason === null ? {} : { status: 'disabled', reason }) },
        signal,
      ),
    forceComputeServiceUp: (id, signal) => setComputeService(session, id, { forcedDown: false }, signal),
    instancesOnHost: (host, signal, reads) => listInstancesOnHost(session, host, signal, reads),
    listInstances: (signal, reads, pages) => listAllInstances(session, signal, reads, pages),
    instancesChangedSince: (since, signal, reads) => listInstancesChangedSince(session, since, signal, reads),
    getInstance: (id, signal) => getInstance(session, id, signal),
    addInstanceTag: (id, tag, signal) => addInstanceTag(session, id, tag, signal),
    removeInstanceTag: (id, tag, signal) => removeInstanceTag(session, id, tag, signal),
    instanceActions: (id, signal) => listInstanceActions(session, id, signal),
    liveMigrate: (id, host, signal) => liveMigrate(session, id, host, signal),
    coldMigrate: (id, host, signal) => coldMigrate(session, id, host, signal),
    evacuateInstance: (id, signal) => evacuateInstance(session, id, signal),
    confirmResize: (id, signal) => confirmResize(session, id, signal),
    stopInstance: (id, signal) => stopInstance(session, id, signal),
    startInstance: (id, signal) => startInstance(session, id, signal),
    resetInstanceState: (id, signal) => resetInstanceState(session, id, signal),
    abortMigration: (instanceId, migrationId, signal) => abortMigration(session, instanceId, migrationId, signal),
    forceCompleteMigration: (instanceId, migrationId, signal) =>
      forceCompleteMigration(session, instanceId, migrationId, signal),
    migrations: (filter, signal) => listMigrations(session, filter, signal),
    runningMigration: (instanceId, signal) => readRunningMigration(session, instanceId, signal),
    serverGroups: signal => listServerGroups(session, signal),
    aggregates: signal => listAggregates(session, signal),
    portsOnHost: (host, signal) => listPortsOnHost(session, host, signal),
    availabilityZones: signal => listAvailabilityZones(session, signal),
    networkAgents: (host, signal) => listNetworkAgents(session, host, signal),
    resourceProviders: (signal, reads) => listResourceProviders(session, signal, reads),
    providerNames: signal => listProviderNames(session, signal),
    closedHosts: signal => listClosedHosts(session, signal),
    candidateHosts: (needs, signal, reads) => listCandidateHosts(session, needs, signal, reads),
    consumersOn: (names, signal, reads) => listConsumersOn(session, names, signal, reads),
    projects: signal => listProjects(session, signal),
    volumes: signal => listVolumes(session, signal),
    volumeServices: signal => listVolumeServices(session, signal),
    disableVolumeService: (host, reason, signal) =>
      setVolumeService(session, host, { status: 'disabled', reason }, signal),
    enableVolumeService: (host, signal) => setVolumeService(session, host, { status: 'enabled' }, signal),
    failoverHosts: signal => listFailoverHosts(session, signal),
    setOnMaintenance: (host, onMaintenance, signal) => setOnMaintenance(session, host, onMaintenance, signal),
    recoveries: (host, signal) => listRecoveries(session, host, signal),
  }
}

const CinderService = z.object({
  binary: z.string().min(1),
  host: z.string().min(1),
  zone: z.string().nullish(),
  status: z.enum(['enabled', 'disabled']),
  state: z.enum(['up', 'down']),
  disabled_reason: z.string().nullish(),
})
const ServiceList = z.object({ services: z.array(CinderService) })
/** The answer of PUT (cinder/api/contrib/services.py, update). */
const Changed = z.object({ host: z.string(), status: z.enum(['enabled', 'disabled']) })

async function listVolumeServices(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly VolumeService[]>> {
  if (!session.has('block-storage')) return ok([])
  const read = await askService(
    session,
    'block-storage',
    {
      method: 'GET',
      path: '/os-services',
      query: { binary: 'cinder-volume' },
      call: call('ListVolumeServices'),
      signal,
    },
    ServiceList,
  )
  if (!read.ok) return read
  return ok(
    read.value.services
      .filter(service => service.binary === 'cinder-volume')
      .map(service => ({
        host: service.host,
        zone: service.zone ?? null,
        status: service.status,
        state: service.state,
        disabledReason: service.disabled_reason ?? null,
      })),
  )
}

async function setVolumeService(
  session: OpenStackSession,
  host: string,
  wanted: { readonly status: 'enabled' } | { readonly status: 'disabled'; readonly reason: string },
  signal?: AbortSignal,
): Promise<Result<void>> {
  const change = wanted.status === 'enabled' ? 'enable' : 'disable'
  const target = `cinder-volume on ${host}`
  const written = await askService(
    session,
    'block-storage',
    {
      method: 'PUT',
      path: wanted.status === 'enabled' ? '/os-services/enable' : '/os-services/disable-log-reason',
      body: {
        binary: 'cinder-volume',
        host,
        ...(wanted.status === 'enabled' ? {} : { disabled_reason: wanted.reason }),
      },
      call: call('ChangeVolumeService', { host, change }),
      target,
      signal,
    },
    Changed,
    changed => (changed.host === host && changed.status === wanted.status ? null : because('ServiceNotAsAsked')),
  )
  return written.ok ? ok(undefined) : written
}

const NeutronAgent = z.object({
  id: z.string().min(1),
  agent_type: z.string(),
  binary: z.string(),
  host: z.string().min(1),
  alive: z.boolean(),
  admin_state_up: z.boolean(),
  heartbeat_timestamp: z.string().nullish(),
})

function networkAgentFrom(agent: z.infer<typeof NeutronAgent>): NetworkAgent {
  return {
    id: agent.id,
    type: agent.agent_type,
    binary: agent.binary,
    host: agent.host,
    alive: agent.alive,
    adminStateUp: agent.admin_state_up,
    heartbeatAt: isoTime(agent.heartbeat_timestamp),
  }
}

/** Neutron's agents, of one host or all. A user without the permission silently gets none (lab README). */
export async function listNetworkAgents(
  session: OpenStackSession,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<readonly NetworkAgent[]>> {
  const read = await listAll(session, 'network', {
    collection: 'agents',
    item: NeutronAgent,
    idOf: agent => agent.id,
    // A host may have two of a kind: an agent whose OVN system-id changed stays listed as dead.
    rowOf: ({ id, binary, host, heartbeat_timestamp }) => ({
      key: `agent/${id}`,
      is: { kind: 'service', binary, host },
      changedAt: heartbeat_timestamp,
    }),
    isAsked: agent =>
      host === null || agent.host === host ? null : because('OnesOfOther', { kind: 'agent', of: 'host' }),
    request: {
      path: '/agents',
      query: host === null ? {} : { host },
      call: host === null ? call('ListNetworkAgents') : call('ListNetworkAgentsOf', { host }),
      signal,
    },
  })
  if (!read.ok) return read
  return ok(read.value.map(networkAgentFrom))
}

const KeystoneProject = z.object({ id: z.string().min(1), name: z.string() })

/** Every project of the cloud with its name (Keystone API v3, GET /v3/projects). By default only administrators may list them (identity:list_projects). */
async function listProjects(session: OpenStackSession, signal?: AbortSignal): Promise<Result<readonly Project[]>> {
  const read = await listAll(session, 'identity', {
    collection: 'projects',
    item: KeystoneProject,
    idOf: project => project.id,
    request: { path: '/projects', call: call('ListProjects'), signal },
  })
  return read.ok ? ok(read.value.map(({ id, name }) => ({ id, name }))) : read
}

const CinderVolume = z.object({ id: z.string().min(1), encrypted: z.boolean(), multiattach: z.boolean() })

/** Cinder's default maximum (osapi_max_limit). */
const VOLUMES_PER_PAGE = '1000'

/** The volumes of all projects. Cinder cannot filter by several ids, and one list costs less than a request per volume. Empty without a block storage service. */
async function listVolumes(session: OpenStackSession, signal?: AbortSignal): Promise<Result<readonly Volume[]>> {
  if (!session.has('block-storage')) return ok([])
  return listAll(session, 'block-storage', {
    collection: 'volumes',
    item: CinderVolume,
    idOf: volume => volume.id,
    request: {
      path: '/volumes/detail',
      query: { all_tenants: '1', limit: VOLUMES_PER_PAGE },
      call: call('ListVolumes'),
      signal,
    },
  })
}

/** A port of GET /v2.0/ports. Only administrators see its host and may filter by it. */
const NeutronPort = z.object({
  id: z.string().min(1),
  device_id: z.string(),
  'binding:vnic_type': z.string().min(1),
  'binding:host_id': z.string(),
  // Present with the extension for guaranteed bandwidth.
  resource_request: z.looseObject({}).nullish(),
})

const OF_OTHER_HOST = because('OnesOfOther', { kind: 'port', of: 'host' })

async function listPortsOnHost(
  session: OpenStackSession,
  host: string,
  signal?: AbortSignal,
): Promise<Result<readonly InstancePort[]>> {
  const read = await listAll(session, 'network', {
    collection: 'ports',
    item: NeutronPort,
    idOf: port => port.id,
    isAsked: port => (port['binding:host_id'] === host ? null : OF_OTHER_HOST),
    request: { path: '/ports', query: { 'binding:host_id': host }, call: call('ListPortsOn', { host }), signal },
  })
  if (!read.ok) return read
  return ok(
    read.value.map(port => ({
      id: port.id,
      instanceId: port.device_id,
      vnicType: port['binding:vnic_type'],
      hasResourceRequest: port.resource_request !== null && port.resource_request !== undefined,
    })),
  )
}

/** Adds one tag (2.26; an existing one is fine). Writing the whole list would touch the owner's other tags (domain.md A.6). */
function addInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('AddTag', { tag, ...instance })
  return sendServerAction(session, id, { method: 'PUT', path: tagPath(tag), callOf, agreed: [201, 204] }, signal)
}

/** Removes one tag of a server (DELETE /servers/{id}/tags/{tag}, 2.26); `not-found` if the tag or the server is gone. */
function removeInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('RemoveTag', { tag, ...instance })
  return sendServerAction(session, id, { method: 'DELETE', path: tagPath(tag), callOf, agreed: [204] }, signal)
}

function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`
}
