import { ok } from '../../../shared/domain/result.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { listVolumeServices, setVolumeService } from './cinder-services.ts'
import { listProjects } from './keystone-projects.ts'
import type { OpenStackSession } from './keystone-session.ts'
import { listNetworkAgents } from './neutron-agents.ts'
import { listAvailabilityZones, listServerGroups } from './nova-groups.ts'
import { listMigrations, readRunningMigration } from './nova-migrations.ts'
import {
  abortMigration,
  coldMigrate,
  confirmResize,
  forceCompleteMigration,
  liveMigrate,
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
import { addInstanceTag, removeInstanceTag } from './nova-tags.ts'
import { listConsumersOn, listResourceProviders } from './placement-providers.ts'

/** The cloud as the procedures need it (main/ports), over a session; every call asks the services afresh. */
export function createOpenStackPort({ session }: { readonly session: OpenStackSession }): OpenStackPort {
  return {
    computeServices: signal => listComputeServices(session, null, signal),
    computeService: async (host, signal) => {
      const services = await listComputeServices(session, host, signal)
      return services.ok ? ok(services.value[0] ?? null) : services
    },
    disableComputeService: (id, reason, signal) =>
      setComputeService(session, id, { status: 'disabled', reason }, signal),
    enableComputeService: (id, signal) => setComputeService(session, id, { status: 'enabled' }, signal),
    instancesOnHost: (host, signal) => listInstancesOnHost(session, host, signal),
    listInstances: signal => listAllInstances(session, signal),
    instancesChangedSince: (since, signal) => listInstancesChangedSince(session, since, signal),
    getInstance: (id, signal) => getInstance(session, id, signal),
    addInstanceTag: (id, tag, signal) => addInstanceTag(session, id, tag, signal),
    removeInstanceTag: (id, tag, signal) => removeInstanceTag(session, id, tag, signal),
    instanceActions: (id, signal) => listInstanceActions(session, id, signal),
    liveMigrate: (id, host, signal) => liveMigrate(session, id, host, signal),
    coldMigrate: (id, host, signal) => coldMigrate(session, id, host, signal),
    confirmResize: (id, signal) => confirmResize(session, id, signal),
    stopInstance: (id, signal) => stopInstance(session, id, signal),
    startInstance: (id, signal) => startInstance(session, id, signal),
    abortMigration: (instanceId, migrationId, signal) => abortMigration(session, instanceId, migrationId, signal),
    forceCompleteMigration: (instanceId, migrationId, signal) =>
      forceCompleteMigration(session, instanceId, migrationId, signal),
    migrations: (filter, signal) => listMigrations(session, filter, signal),
    runningMigration: (instanceId, signal) => readRunningMigration(session, instanceId, signal),
    serverGroups: signal => listServerGroups(session, signal),
    availabilityZones: signal => listAvailabilityZones(session, signal),
    networkAgents: (host, signal) => listNetworkAgents(session, host, signal),
    resourceProviders: signal => listResourceProviders(session, signal),
    consumersOn: (names, signal) => listConsumersOn(session, names, signal),
    projects: signal => listProjects(session, signal),
    volumeServices: signal => listVolumeServices(session, signal),
    disableVolumeService: (host, reason, signal) =>
      setVolumeService(session, host, { status: 'disabled', reason }, signal),
    enableVolumeService: (host, signal) => setVolumeService(session, host, { status: 'enabled' }, signal),
  }
}
