import type { Clock } from '../../../platform/clock/clock.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import type { JujuFaultTable } from './juju-faults.ts'
import type { JujuWorld, SimulatedApplication, SimulatedMachine, SimulatedUnit } from './juju-world.ts'

interface StatusParts {
  readonly clock: Clock
  readonly faults: JujuFaultTable
  readonly version: string
}

const BASE = { name: 'ubuntu', channel: '24.04/stable' }
const AGENT_SILENT = 'agent is not communicating with the server'

/** Answers Client.FullStatus (Juju `rpc/params/status.go`). */
export function fullStatus(world: JujuWorld, parts: StatusParts): unknown {
  const since = isoNow(parts.clock)
  return {
    model: {
      name: world.model.name,
      type: 'iaas',
      'cloud-tag': `cloud-${world.model.cloudType}`,
      version: parts.version,
      'available-version': '',
      'model-status': statusEntry(since, 'available'),
      'meter-status': { color: '', message: '' },
      sla: 'unsupported',
    },
    machines: Object.fromEntries(
      world.machines.map(machine => [
        machine.id,
        machineStatus(machine, parts.faults.isAgentLost(machine.hostname), since),
      ]),
    ),
    applications: Object.fromEntries(
      world.applications.map(application => [
        application.name,
        applicationStatus(world, parts.faults, application, since),
      ]),
    ),
    'remote-applications': {},
    offers: {},
    relations: [],
    'controller-timestamp': since,
    branches: {},
  }
}

function statusEntry(since: string, status: string, info = '') {
  return { status, info, data: {}, since, kind: '', version: '', life: '' }
}

function machineStatus(machine: SimulatedMachine, isLost: boolean, since: string) {
  return {
    id: machine.id,
    hostname: machine.hostname,
    'agent-status': isLost ? statusEntry(since, 'down', AGENT_SILENT) : statusEntry(since, 'started'),
    'instance-status': statusEntry(since, 'running'),
    'modification-status': statusEntry(since, 'idle'),
    'dns-name': machine.address,
    'ip-addresses': [machine.address],
    'instance-id': `manual:${machine.address}`,
    'display-name': '',
    base: BASE,
    containers: {},
    constraints: '',
    hardware: 'arch=amd64',
    jobs: ['JobHostUnits'],
    'has-vote': false,
    'wants-vote': false,
  }
}

function applicationStatus(world: JujuWorld, faults: JujuFaultTable, application: SimulatedApplication, since: string) {
  return {
    charm: `ch:amd64/${application.name}-1`,
    'charm-version': '',
    'charm-profile': '',
    base: BASE,
    exposed: false,
    life: '',
    relations: {},
    'can-upgrade-to': '',
    'subordinate-to': [],
    status: statusEntry(since, 'active'),
    'workload-version': '',
    'endpoint-bindings': {},
    'public-address': '',
    'meter-statuses': {},
    units: Object.fromEntries(
      application.units.map((unit, index) => [
        unit.name,
        { ...unitStatus(world, faults, unit, since), ...(index === 0 ? { leader: true } : {}) },
      ]),
    ),
  }
}

function unitStatus(world: JujuWorld, faults: JujuFaultTable, unit: SimulatedUnit, since: string) {
  const machine = world.machines.find(({ id }) => id === unit.machine)
  const isLost = machine !== undefined && faults.isAgentLost(machine.hostname)
  return {
    'agent-status': isLost ? statusEntry(since, 'lost', AGENT_SILENT) : statusEntry(since, 'idle'),
    'workload-status': isLost
      ? statusEntry(since, 'unknown', 'agent lost, see `juju show-status-log`')
      : statusEntry(since, 'active'),
    'workload-version': '',
    machine: unit.machine,
    'opened-ports': [],
    'public-address': machine?.address ?? '',
    charm: '',
    subordinates: {},
  }
}
