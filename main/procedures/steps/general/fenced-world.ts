import type { Result } from '../../../../shared/domain/result.ts'
import { PORT_ACCESS, type PortAccess } from '../../../ports/port-access.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { LeaseGate } from '../../../runs/engine/lease-keeper.ts'

/** The world of a run: it reads the Lease before each call that changes anything (style G26), and sends no refused call. */
export function fencedWorld(world: MaintenanceWorld, gate: LeaseGate): MaintenanceWorld {
  const { kubernetes, openstack, watcher, juju, microceph, osds } = world
  return {
    ...world,
    kubernetes: {
      ...fencedPort(kubernetes, PORT_ACCESS.kubernetes, gate),
      setUnschedulable: (node, unschedulable, more) =>
        kubernetes.setUnschedulable(node, unschedulable, { ...more, gate }),
      drain: (node, options, more) => kubernetes.drain(node, options, { ...more, gate }),
      leases: kubernetes.leases,
    },
    maintenanceApi: fencedPort(world.maintenanceApi, PORT_ACCESS.maintenanceApi, gate),
    ceph: fencedPort(world.ceph, PORT_ACCESS.ceph, gate),
    openstack: openstack === null ? null : fencedPort(openstack, PORT_ACCESS.openstack, gate),
    watcher: watcher === null ? null : fencedPort(watcher, PORT_ACCESS.watcher, gate),
    juju: juju === null ? null : fencedPort(juju, PORT_ACCESS.juju, gate),
    microceph: microceph === null ? null : fencedPort(microceph, PORT_ACCESS.microceph, gate),
    osds: osds === null ? null : fencedPort(osds, PORT_ACCESS.osds, gate),
    commands: fencedPort(world.commands, PORT_ACCESS.commands, gate),
  }
}

type Call = (...given: unknown[]) => Promise<Result<unknown>>

/** Calls that only read go straight to the port. */
export function fencedPort<Port extends object>(port: Port, effects: PortAccess<Port>, gate: LeaseGate): Port {
  const fenced: Partial<Record<keyof Port, unknown>> = {}
  for (const name of Object.keys(effects) as (keyof Port & string)[]) {
    const call = port[name]
    fenced[name] = effects[name] === 'acts' ? behind(gate, call as Call, port) : call
  }
  return fenced as Port
}

function behind(gate: LeaseGate, call: Call, port: object): Call {
  return (...given) => gate(() => call.apply(port, given), signalAmong(given))
}

/** Its last argument, or a property of it. */
function signalAmong(given: readonly unknown[]): AbortSignal | undefined {
  const last = given.at(-1)
  if (last instanceof AbortSignal) return last
  const named = typeof last === 'object' && last !== null && 'signal' in last ? last.signal : undefined
  return named instanceof AbortSignal ? named : undefined
}
