import { systemClock } from '../../../main/clock/clock.ts'
import {
  type JujuSimulator,
  type JujuSimulatorOptions,
  startJujuSimulator,
} from '../../../main/demo/juju/juju-simulator.ts'
import type { ActionHandler, ExecHandler, JujuWorld } from '../../../main/demo/juju/juju-world.ts'

/** Three machines with MicroCeph and Kubernetes on each, as Sunbeam deploys them. */
export function sampleWorld(
  more: { readonly onExec?: ExecHandler; readonly actions?: Readonly<Record<string, ActionHandler>> } = {},
): JujuWorld {
  const machines = ['cp-1', 'cp-2', 'cp-3'].map((hostname, index) => ({
    id: String(index),
    hostname,
    address: `10.0.0.${index + 1}`,
  }))
  const unitsOf = (application: string) => machines.map(({ id }) => ({ name: `${application}/${id}`, machine: id }))
  return {
    model: { owner: 'admin', name: 'openstack-machines', cloudType: 'manual' },
    machines,
    applications: [
      { name: 'k8s', units: unitsOf('k8s'), config: { 'bootstrap-datastore': 'dqlite' }, actions: {} },
      {
        name: 'microceph',
        units: unitsOf('microceph'),
        config: {},
        actions: more.actions ?? {
          'enter-maintenance': ({ hostname, parameters }) => ({
            status: 'completed',
            output: { hostname, 'set-noout': parameters['set-noout'] ?? null },
          }),
        },
      },
    ],
    onExec:
      more.onExec ?? (({ hostname, command }) => ({ exitCode: 0, stdout: `${hostname}: ${command}\n`, stderr: '' })),
  }
}

/** A controller for one test, which ends with it. */
export async function withController(
  options: Partial<JujuSimulatorOptions>,
  work: (controller: JujuSimulator) => Promise<void>,
): Promise<void> {
  const controller = await startJujuSimulator({ clock: systemClock, world: sampleWorld(), ...options })
  try {
    await work(controller)
  } finally {
    await controller.stop()
  }
}
