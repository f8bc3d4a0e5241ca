import type { CephSimulator } from '../ceph/ceph-simulator.ts'
import type { MicroCeph, MicroCephEnd } from '../ceph/microceph.ts'
import type { ActionCall, ActionEnd, ExecEnd, JujuWorld, SimulatedApplication } from './juju-world.ts'

/** Services on the machines of demo-sunbeam; a test can change them at any time. */
export interface SunbeamMachines {
  readonly dqlite: Map<string, boolean>
  readonly ovn: Map<string, Set<OvnService>>
}

/** The services that MicroOVN can enable on a machine. */
type OvnService = 'central' | 'chassis' | 'switch'

const OVN_SERVICES: readonly OvnService[] = ['central', 'chassis', 'switch']

/** Makes the state in which all services of these machines work. */
export function sunbeamMachines(hosts: readonly string[]): SunbeamMachines {
  return {
    dqlite: new Map(hosts.map(host => [host, true])),
    ovn: new Map(hosts.map(host => [host, new Set(OVN_SERVICES)])),
  }
}

/** Makes the model `openstack-machines` of a Sunbeam cloud: its snaps, commands and charm actions change the other simulators. */
export function sunbeamWorld(parts: {
  readonly hosts: readonly string[]
  /** Machines that only have MicroCeph. */
  readonly storageOnly: readonly string[]
  readonly machines: SunbeamMachines
  readonly ceph: CephSimulator
  readonly microceph: MicroCeph
  readonly onOvn: (host: string) => void
}): JujuWorld {
  const { hosts, storageOnly, microceph } = parts
  const machines = [...hosts, ...storageOnly]
  const unitsOn = (on: readonly string[], name: string) =>
    on.map((_, index) => ({ name: `${name}/${index}`, machine: String(index) }))
  const application = (
    name: string,
    more: Partial<Pick<SimulatedApplication, 'config' | 'actions' | 'units'>> = {},
  ): SimulatedApplication => ({
    name,
    units: unitsOn(hosts, name),
    config: {},
    actions: {},
    ...more,
  })
  return {
    model: { owner: 'admin', name: 'openstack-machines', cloudType: 'manual' },
    machines: machines.map((hostname, index) => ({
      id: String(index),
      hostname,
      address: `10.20.0.${index + 11}`,
    })),
    applications: [
      application('k8s', { config: { 'bootstrap-datastore': 'dqlite' } }),
      application('microceph', {
        units: unitsOn(machines, 'microceph'),
        actions: {
          'enter-maintenance': call => microCephAction(call, () => microceph.enter(call.hostname, choicesOf(call))),
          'exit-maintenance': call => microCephAction(call, () => microceph.exit(call.hostname, choicesOf(call))),
        },
      }),
      application('microovn'),
      application('openstack-hypervisor'),
    ],
    onExec: ({ hostname, command }) => runCommand(parts, hostname, wordsOf(command)),
  }
}

/** Reads the options with the charm's defaults (charm-microceph `actions.yaml`). */
function choicesOf({ parameters }: ActionCall) {
  return {
    dryRun: parameters['dry-run'] === true,
    checkOnly: parameters['check-only'] === true,
    ignoreCheck: parameters['ignore-check'] === true,
    force: parameters.force === true,
    setNoout: parameters['set-noout'] !== false,
    stopOsds: parameters['stop-osds'] === true,
  }
}

/** Sets the results in the charm's form (charm-microceph `src/maintenance.py`). */
function microCephAction(call: ActionCall, run: () => MicroCephEnd): ActionEnd {
  const { checkOnly, ignoreCheck } = choicesOf(call)
  const { steps, errors } =
    checkOnly && ignoreCheck ? { steps: [], errors: 'check-only and ignore-check cannot be used together' } : run()
  const actions = Object.fromEntries(
    steps.map(({ id, description, error }, index) => [`step-${index + 1}`, { description, error, id }]),
  )
  const failed = errors !== ''
  return {
    status: failed ? 'failed' : 'completed',
    output: { actions, errors, status: failed ? 'failure' : 'success' },
  }
}

function runCommand(
  parts: {
    readonly hosts: readonly string[]
    readonly machines: SunbeamMachines
    readonly ceph: CephSimulator
    readonly microceph: MicroCeph
    readonly onOvn: (host: string) => void
  },
  host: string,
  words: readonly string[],
): ExecEnd {
  const [program = '', verb = '', subject = ''] = words
  switch (program) {
    case 'sudo':
      return runCommand(parts, host, words.slice(1))
    case 'ceph':
    case 'microceph.ceph':
      return parts.ceph.command(['ceph', ...words.slice(1)]) ?? failedWith(1, 'error connecting to the cluster')
    case 'snap':
      return verb === 'services'
        ? snapServices(parts, host, subject)
        : failedWith(1, `error: unknown command "${verb}"`)
    case 'microovn':
      return microOvn(parts, host, verb, subject)
    default:
      return failedWith(127, `/bin/bash: line 1: ${program}: command not found`)
  }
}

function snapServices(
  { machines, microceph }: { readonly machines: SunbeamMachines; readonly microceph: MicroCeph },
  host: string,
  asked: string,
): ExecEnd {
  const rows: readonly (readonly [string, boolean])[] = [
    ['k8s.k8s-dqlite', machines.dqlite.get(host) === true],
    ['microceph.mgr', true],
    ['microceph.mds', true],
    ['microceph.mon', true],
    ['microceph.osd', !microceph.isStopped(host)],
  ]
  const shown = rows.filter(([name]) => asked === '' || name === asked || name.startsWith(`${asked}.`))
  if (shown.length === 0)
    return failedWith(1, `error: snap "${asked.split('.')[0]}" has no service "${asked.split('.')[1]}"`)
  const line = (cells: readonly string[]) => `${cells.map(cell => cell.padEnd(16)).join(' ')}`.trimEnd()
  const lines = shown.map(([name, active]) =>
    line([name, active ? 'enabled' : 'disabled', active ? 'active' : 'inactive', '-']),
  )
  return {
    exitCode: 0,
    stdout: `${[line(['Service', 'Startup', 'Current', 'Notes']), ...lines].join('\n')}\n`,
    stderr: '',
  }
}

function microOvn(
  {
    hosts,
    machines,
    onOvn,
  }: { readonly hosts: readonly string[]; readonly machines: SunbeamMachines; readonly onOvn: (host: string) => void },
  host: string,
  verb: string,
  subject: string,
): ExecEnd {
  if (verb === 'status') {
    const lines = hosts.flatMap((name, index) => [
      `- ${name} (10.20.0.${index + 11})`,
      `  Services: ${OVN_SERVICES.filter(service => machines.ovn.get(name)?.has(service)).join(', ')}`,
    ])
    return { exitCode: 0, stdout: `MicroOVN deployment summary:\n${lines.join('\n')}\n`, stderr: '' }
  }
  const service = OVN_SERVICES.find(each => each === subject)
  if ((verb !== 'enable' && verb !== 'disable') || service === undefined) {
    return failedWith(1, `Error: unknown command "${verb} ${subject}" for "microovn"`)
  }
  const services = machines.ovn.get(host) ?? new Set<OvnService>()
  const wanted = verb === 'enable'
  if (services.has(service) === wanted) {
    return failedWith(1, `Error: command failed: failed to ${verb} service '${service}': already ${verb}d`)
  }
  if (wanted) services.add(service)
  else services.delete(service)
  machines.ovn.set(host, services)
  onOvn(host)
  return { exitCode: 0, stdout: `Service ${service} ${verb}d\n`, stderr: '' }
}

function failedWith(exitCode: number, text: string): ExecEnd {
  return { exitCode, stdout: '', stderr: `${text}\n` }
}

/** Splits a shell command at blanks; quoted text stays together. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/['"]/g, ''))
}
