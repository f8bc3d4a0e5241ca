import type { Clock } from '../../../platform/clock/clock.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import type { JujuFaultTable } from './juju-faults.ts'
import type { JujuWorld, SimulatedUnit } from './juju-world.ts'

/** Answers Client.FullStatus (Juju `rpc/params/status.go`). */
export function fullStatus(
  world: JujuWorld,
  parts: { readonly clock: Clock; readonly faults: JujuFaultTable; readonly version: string },
): unknown {
  const { clock, faults, version } = parts
  const since = isoNow(clock)
  const reported = (status: string, info = '') => ({
    status,
    info,
    data: {},
    since,
    kind: '',
    version: '',
    life: '',
  })
  const lostOf = (unit: SimulatedUnit) => {
    const machine = world.machines.find(({ id }) => id === unit.machine)
    return machine !== undefined && faults.isAgentLost(machine.hostname)
  }
  return {
    model: {
      name: world.model.name,
      type: 'iaas',
      'cloud-tag': `cloud-${world.model.cloudType}`,
      version,
      'available-version': '',
      'model-status': reported('available'),
      'meter-status': { color: '', message: '' },
      sla: 'unsupported',
    },
    machines: Object.fromEntries(
      world.machines.map(machine => [
        machine.id,
        {
          id: machine.id,
          hostname: machine.hostname,
          'agent-status': faults.isAgentLost(machine.hostname)
            ? reported('down', 'agent is not communicating with the server')
            : reported('started'),
          'instance-status': reported('running'),
          'modification-status': reported('idle'),
          'dns-name': machine.address,
          'ip-addresses': [machine.address],
          'instance-id': `manual:${machine.address}`,
          'display-name': '',
          base: { name: 'ubuntu', channel: '24.04/stable' },
          containers: {},
          constraints: '',
          hardware: 'arch=amd64',
          jobs: ['JobHostUnits'],
          'has-vote': false,
          'wants-vote': false,
        },
      ]),
    ),
    applications: Object.fromEntries(
      world.applications.map(application => [
        application.name,
        {
          charm: `ch:amd64/${application.name}-1`,
          'charm-version': '',
          'charm-profile': '',
          base: { name: 'ubuntu', channel: '24.04/stable' },
          exposed: false,
          life: '',
          relations: {},
          'can-upgrade-to': '',
          'subordinate-to': [],
          status: reported('active'),
          'workload-version': '',
          'endpoint-bindings': {},
          'public-address': '',
          'meter-statuses': {},
          units: Object.fromEntries(
            application.units.map((unit, index) => [
              unit.name,
              {
                'agent-status': lostOf(unit)
                  ? reported('lost', 'agent is not communicating with the server')
                  : reported('idle'),
                'workload-status': lostOf(unit)
                  ? reported('unknown', 'agent lost, see `juju show-status-log`')
                  : reported('active'),
                'workload-version': '',
                machine: unit.machine,
                'opened-ports': [],
                'public-address': world.machines.find(({ id }) => id === unit.machine)?.address ?? '',
                charm: '',
                subordinates: {},
                ...(index === 0 ? { leader: true } : {}),
              },
            ]),
          ),
        },
      ]),
    ),
    'remote-applications': {},
    offers: {},
    relations: [],
    'controller-timestamp': since,
    branches: {},
  }
}
