import type { CephPort, MicroCephPort, OsdDaemonsPort } from './ceph.ts'
import type { CommandPort } from './commands.ts'
import type { JujuPort } from './juju.ts'
import type { KubernetesPort } from './kubernetes.ts'
import type { MaintenanceApiPort } from './maintenance-api.ts'
import type { OpenStackPort } from './openstack.ts'
import type { PrometheusPort } from './prometheus.ts'
import type { WatcherPort } from './watcher.ts'
import type { MaintenanceWorld } from './world.ts'

/** `acts`: the Lease is read directly before the call. `itself`: the call does that before each of its effects, or needs no Lease. */
export type PortAccess<Port> = { readonly [Call in keyof Port]-?: 'reads' | 'acts' | 'itself' }

const KUBERNETES: PortAccess<KubernetesPort> = {
  listNodes: 'reads',
  getNode: 'reads',
  setUnschedulable: 'itself',
  annotateNode: 'acts',
  listTaints: 'reads',
  setTaint: 'acts',
  isLeaseFree: 'reads',
  getLeaseAnnotations: 'reads',
  annotateLease: 'acts',
  listPodsOnNode: 'reads',
  listPods: 'reads',
  getPod: 'reads',
  listNodeEvents: 'reads',
  listBudgets: 'reads',
  listForeignMaintenances: 'reads',
  listBoundVolumes: 'reads',
  listWorkloads: 'reads',
  reviewAccess: 'reads',
  planDrain: 'reads',
  drain: 'itself',
  createJob: 'acts',
  getJob: 'reads',
  resourceOfObject: 'reads',
  namedObject: 'reads',
  patchNamedObject: 'acts',
  leases: 'itself',
}

const MAINTENANCE_API: PortAccess<MaintenanceApiPort> = {
  definitions: 'reads',
  servedKinds: 'reads',
  installDefinitions: 'acts',
  objects: 'reads',
  uidOf: 'reads',
  createNodeRequest: 'acts',
  createClusterRequest: 'acts',
  deleteRequest: 'acts',
  deploymentStatus: 'reads',
}

const CEPH: PortAccess<CephPort> = {
  status: 'reads',
  osds: 'reads',
  osdsReported: 'reads',
  okToStop: 'reads',
  setNoout: 'acts',
  services: 'reads',
}

const PROMETHEUS: PortAccess<PrometheusPort> = { query: 'reads' }

const OSDS: PortAccess<OsdDaemonsPort> = { running: 'reads', setRunning: 'acts' }

const MICROCEPH: PortAccess<MicroCephPort> = { enterMaintenance: 'acts', exitMaintenance: 'acts' }

/** Commands and actions on units may do anything. */
const JUJU: PortAccess<JujuPort> = { status: 'reads', applicationConfig: 'reads', runAction: 'acts', exec: 'acts' }

/** An operator's command may do anything. The other calls concern this machine, not a cloud, and always read again. */
const COMMANDS: PortAccess<CommandPort> = {
  machine: 'itself',
  whyNot: 'itself',
  start: 'acts',
  look: 'itself',
  outputOf: 'itself',
}

const WATCHER: PortAccess<WatcherPort> = {
  about: 'reads',
  figures: 'reads',
  recommend: 'acts',
  recommended: 'reads',
  plan: 'reads',
  skip: 'acts',
  start: 'acts',
  cancel: 'acts',
  cancelRecommended: 'acts',
}

const OPENSTACK: PortAccess<OpenStackPort> = {
  computeServices: 'reads',
  computeService: 'reads',
  disableComputeService: 'acts',
  enableComputeService: 'acts',
  forceComputeServiceDown: 'acts',
  forceComputeServiceUp: 'acts',
  instancesOnHost: 'reads',
  listInstances: 'reads',
  instancesChangedSince: 'reads',
  getInstance: 'reads',
  addInstanceTag: 'acts',
  removeInstanceTag: 'acts',
  instanceActions: 'reads',
  liveMigrate: 'acts',
  coldMigrate: 'acts',
  evacuateInstance: 'acts',
  confirmResize: 'acts',
  stopInstance: 'acts',
  startInstance: 'acts',
  abortMigration: 'acts',
  forceCompleteMigration: 'acts',
  migrations: 'reads',
  runningMigration: 'reads',
  serverGroups: 'reads',
  aggregates: 'reads',
  availabilityZones: 'reads',
  portsOnHost: 'reads',
  hypervisors: 'reads',
  hypervisorInstances: 'reads',
  networkAgents: 'reads',
  resourceProviders: 'reads',
  providerNames: 'reads',
  closedHosts: 'reads',
  candidateHosts: 'reads',
  consumersOn: 'reads',
  projects: 'reads',
  volumes: 'reads',
  volumeServices: 'reads',
  disableVolumeService: 'acts',
  enableVolumeService: 'acts',
  failoverHosts: 'reads',
  setOnMaintenance: 'acts',
  recoveries: 'reads',
}

/** The effects of each port by name: the Lease gate and cached reads depend on them. */
export const PORT_ACCESS = {
  kubernetes: KUBERNETES,
  maintenanceApi: MAINTENANCE_API,
  ceph: CEPH,
  osds: OSDS,
  microceph: MICROCEPH,
  juju: JUJU,
  commands: COMMANDS,
  watcher: WATCHER,
  openstack: OPENSTACK,
  prometheus: PROMETHEUS,
} as const satisfies {
  readonly [Port in Exclude<keyof MaintenanceWorld, 'cluster' | 'versions' | 'clocks' | 'apiServerClock'>]: unknown
}
