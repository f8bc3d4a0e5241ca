import type { Result } from '../../shared/domain/result.ts'
import type { CephPort, MicroCephPort, OsdDaemonsPort } from '../ports/ceph.ts'
import type { JujuPort } from '../ports/juju.ts'
import type { KubernetesPort } from '../ports/kubernetes.ts'
import type { MaintenanceApiPort } from '../ports/maintenance-api.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { WatcherPort } from '../ports/watcher.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { LeaseGate } from '../runs/engine/lease-keeper.ts'

/**
 * What each call of a port does to the world: `reads`, or `acts` (then the Lease is read right before it). `itself`: it is asked the gate before
 * each of its effects, or must work without one. A call that is missing here does not compile.
 */
export type Deeds<Port> = { readonly [Call in keyof Port]-?: 'reads' | 'acts' | 'itself' }

const KUBERNETES: Deeds<KubernetesPort> = {
  listNodes: 'reads',
  getNode: 'reads',
  setUnschedulable: 'itself',
  annotateNode: 'acts',
  listPodsOnNode: 'reads',
  listPods: 'reads',
  getPod: 'reads',
  listNodeEvents: 'reads',
  listBudgets: 'reads',
  listBoundVolumes: 'reads',
  listWorkloads: 'reads',
  reviewAccess: 'reads',
  planDrain: 'reads',
  drain: 'itself',
  createJob: 'acts',
  getJob: 'reads',
  leases: 'itself',
}

const MAINTENANCE_API: Deeds<MaintenanceApiPort> = {
  definitions: 'reads',
  installDefinitions: 'acts',
  objects: 'reads',
  uidOf: 'reads',
  createNodeRequest: 'acts',
  createClusterRequest: 'acts',
  deleteRequest: 'acts',
  deploymentStatus: 'reads',
}

const CEPH: Deeds<CephPort> = {
  status: 'reads',
  osds: 'reads',
  osdsReported: 'reads',
  okToStop: 'reads',
  setNoout: 'acts',
  services: 'reads',
}

const OSDS: Deeds<OsdDaemonsPort> = { running: 'reads', setRunning: 'acts' }

const MICROCEPH: Deeds<MicroCephPort> = { enterMaintenance: 'acts', exitMaintenance: 'acts' }

/** Commands and actions on units may do anything. */
const JUJU: Deeds<JujuPort> = { status: 'reads', applicationConfig: 'reads', runAction: 'acts', exec: 'acts' }

const WATCHER: Deeds<WatcherPort> = {
  about: 'reads',
  recommend: 'acts',
  recommended: 'reads',
  plan: 'reads',
  skip: 'acts',
  start: 'acts',
  cancel: 'acts',
}

const OPENSTACK: Deeds<OpenStackPort> = {
  computeServices: 'reads',
  computeService: 'reads',
  disableComputeService: 'acts',
  enableComputeService: 'acts',
  instancesOnHost: 'reads',
  listInstances: 'reads',
  instancesChangedSince: 'reads',
  getInstance: 'reads',
  addInstanceTag: 'acts',
  removeInstanceTag: 'acts',
  instanceActions: 'reads',
  liveMigrate: 'acts',
  coldMigrate: 'acts',
  confirmResize: 'acts',
  stopInstance: 'acts',
  startInstance: 'acts',
  abortMigration: 'acts',
  forceCompleteMigration: 'acts',
  migrations: 'reads',
  runningMigration: 'reads',
  serverGroups: 'reads',
  availabilityZones: 'reads',
  networkAgents: 'reads',
  resourceProviders: 'reads',
  consumersOn: 'reads',
  projects: 'reads',
  volumeServices: 'reads',
  disableVolumeService: 'acts',
  enableVolumeService: 'acts',
}

/** What each port of the world may do, by the port's name: the table that {@link fencedWorld} goes by. */
export const DEEDS = {
  kubernetes: KUBERNETES,
  maintenanceApi: MAINTENANCE_API,
  ceph: CEPH,
  osds: OSDS,
  microceph: MICROCEPH,
  juju: JUJU,
  watcher: WATCHER,
  openstack: OPENSTACK,
} as const satisfies {
  readonly [Port in Exclude<keyof MaintenanceWorld, 'cluster' | 'versions' | 'clocks' | 'apiServerClock'>]: unknown
}

/** The world of a run: before each call that acts, the Lease is read afresh (style G26); what the gate refuses is not sent. */
export function fencedWorld(world: MaintenanceWorld, gate: LeaseGate): MaintenanceWorld {
  const { kubernetes, openstack, watcher, juju, microceph, osds } = world
  return {
    ...world,
    kubernetes: {
      ...fencedPort(kubernetes, DEEDS.kubernetes, gate),
      setUnschedulable: (node, unschedulable, signal) => kubernetes.setUnschedulable(node, unschedulable, signal, gate),
      drain: (node, options, more) => kubernetes.drain(node, options, { ...more, gate }),
      leases: kubernetes.leases,
    },
    maintenanceApi: fencedPort(world.maintenanceApi, DEEDS.maintenanceApi, gate),
    ceph: fencedPort(world.ceph, DEEDS.ceph, gate),
    openstack: openstack === null ? null : fencedPort(openstack, DEEDS.openstack, gate),
    watcher: watcher === null ? null : fencedPort(watcher, DEEDS.watcher, gate),
    juju: juju === null ? null : fencedPort(juju, DEEDS.juju, gate),
    microceph: microceph === null ? null : fencedPort(microceph, DEEDS.microceph, gate),
    osds: osds === null ? null : fencedPort(osds, DEEDS.osds, gate),
  }
}

type Call = (...given: unknown[]) => Promise<Result<unknown>>

/** A port whose acting calls pass the gate first; all others are the port's own. */
export function fencedPort<Port extends object>(port: Port, deeds: Deeds<Port>, gate: LeaseGate): Port {
  const fenced: Partial<Record<keyof Port, unknown>> = {}
  for (const name of Object.keys(deeds) as (keyof Port & string)[]) {
    const call = port[name]
    fenced[name] = deeds[name] === 'acts' ? behind(gate, call as Call, port) : call
  }
  return fenced as Port
}

function behind(gate: LeaseGate, call: Call, port: object): Call {
  return (...given) => gate(() => call.apply(port, given), signalAmong(given))
}

/** The signal of a call: its last argument, or named among what it is told. */
function signalAmong(given: readonly unknown[]): AbortSignal | undefined {
  const last = given.at(-1)
  if (last instanceof AbortSignal) return last
  const named = typeof last === 'object' && last !== null && 'signal' in last ? last.signal : undefined
  return named instanceof AbortSignal ? named : undefined
}
