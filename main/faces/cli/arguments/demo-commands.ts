import { SITUATIONS } from '../../../../shared/domain/demo-situations.ts'
import { TROUBLES } from '../../../../shared/domain/demo-troubles.ts'
import type { CommandSpec, FlagSpec } from './argument-specs.ts'

/** For commands that start the demo clouds. */
export const TROUBLE: FlagSpec = {
  name: 'trouble',
  value: { kind: 'text', placeholder: 'NAME' },
  repeatable: true,
  help: `a trouble that demo-plain has from the start: ${TROUBLES.join(', ')}`,
}

export const demoCommands: readonly CommandSpec[] = [
  {
    path: ['demo'],
    summary: 'run the demo clouds until Ctrl-C, for kubectl and openstack',
    about: [
      'Prints their kubeconfig, clouds.yaml and commands to try. `demo tour` shows a maintenance from start to end.',
      'demo-mosk has the node maintenance API: application controllers answer in a separate process, and an LCM updates the cloud once its update plan is commenced, so that you can watch an update. To reboot a node, annotate it with demo.lockkeeper.dev/reboot=now.',
      'demo-sunbeam has three nodes with all roles, Watcher, MicroCeph, and a Juju controller for its machines; start with sun-1.',
    ],
    operands: [],
    flags: [
      {
        name: 'update',
        value: { kind: 'switch' },
        help: 'the LCM of demo-mosk starts its update immediately',
      },
      {
        name: 'tungsten-fabric',
        value: { kind: 'switch' },
        help: "demo-mosk has vRouters instead of Neutron's agents",
      },
      {
        name: 'masakari',
        value: { kind: 'switch' },
        help: 'Masakari watches the compute nodes of demo-plain',
      },
      {
        name: 'juju-in-cluster',
        value: { kind: 'switch' },
        help: 'the Juju controller of demo-sunbeam is a pod on sun-3 instead of a machine outside',
      },
      {
        name: 'compute-only',
        value: { kind: 'switch' },
        help: 'demo-sunbeam also has sun-4, a compute-only machine outside of Kubernetes',
      },
      {
        name: 'storage-only',
        value: { kind: 'switch' },
        help: 'demo-sunbeam also has sun-5, a storage-only machine outside of Kubernetes',
      },
      {
        name: 'play',
        value: { kind: 'text', placeholder: 'SITUATION=NODE' },
        repeatable: true,
        help: `put a compute node of demo-plain into a situation seen on real clouds: ${SITUATIONS.join(', ')}`,
      },
      TROUBLE,
      {
        name: 'kubernetes',
        value: { kind: 'choice', choices: ['1.36', '1.20'] },
        help: 'the Kubernetes release of their API servers (default: 1.36)',
      },
    ],
    examples: [
      'demo',
      'demo --update',
      'demo --trouble stuck',
      'demo --play renamed-compute=cmp-02 --play auto-disabled=cmp-04',
      'demo tour',
    ],
    needs: 'nothing',
    load: async () => (await import('../commands/demo.ts')).keepDemo,
  },
  {
    path: ['demo', 'tour'],
    summary: 'watch a demo compute node go out of service and come back, verified',
    about: ['The clouds live in this process only. Nothing outside it changes.'],
    operands: [],
    flags: [],
    examples: ['demo tour'],
    needs: 'nothing',
    load: async () => (await import('../commands/demo-tour.ts')).tourDemo,
  },
]
