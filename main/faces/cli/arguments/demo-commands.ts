import { SITUATIONS } from '../../../../shared/domain/demo-situations.ts'
import type { CommandSpec } from './argument-specs.ts'

/** Commands of the embedded clouds. */
export const demoCommands: readonly CommandSpec[] = [
  {
    path: ['demo'],
    summary: 'keep the embedded demo clouds running until Ctrl-C, for kubectl and openstack',
    about: [
      'Prints their kubeconfig and clouds.yaml and commands to try. `demo tour` shows a maintenance from start to end.',
      'demo-mosk has the node maintenance API: application controllers answer in a process of their own, and an LCM waits until its update plan is commenced and then updates the cloud, so that the observer has something to see. Annotate a node with demo.lockkeeper.dev/reboot=now to reboot it.',
      'demo-sunbeam is three nodes that do everything, with Watcher, MicroCeph and a Juju controller that operates its machines; begin with sun-1.',
    ],
    operands: [],
    flags: [
      {
        name: 'update',
        value: { kind: 'switch' },
        help: 'the LCM of demo-mosk begins its update at once',
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
        help: 'demo-sunbeam has sun-4 too, a compute-only machine outside of Kubernetes',
      },
      {
        name: 'storage-only',
        value: { kind: 'switch' },
        help: 'demo-sunbeam has sun-5 too, a storage-only machine outside of Kubernetes',
      },
      {
        name: 'play',
        value: { kind: 'text', placeholder: 'SITUATION=NODE' },
        repeatable: true,
        help: `a compute node of demo-plain is in a situation that real clouds were seen in: ${SITUATIONS.join(', ')}`,
      },
      {
        name: 'kubernetes',
        value: { kind: 'choice', choices: ['1.36', '1.20'] },
        help: 'the release whose answers their API servers give; 1.36 when absent',
      },
    ],
    examples: ['demo', 'demo --update', 'demo --play renamed-compute=cmp-02 --play auto-disabled=cmp-04', 'demo tour'],
    needs: 'nothing',
    load: async () => (await import('../commands/demo.ts')).keepDemo,
  },
  {
    path: ['demo', 'tour'],
    summary: 'enter and leave a compute node of the embedded demo cloud, verified',
    about: ['The whole job on clouds that live in this process only. Nothing outside it is touched.'],
    operands: [],
    flags: [],
    examples: ['demo tour'],
    needs: 'nothing',
    load: async () => (await import('../commands/demo-tour.ts')).tourDemo,
  },
]
