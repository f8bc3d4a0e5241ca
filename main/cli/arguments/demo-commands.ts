import type { CommandSpec } from './argument-specs.ts'

/** Commands of the embedded clouds. */
export const demoCommands: readonly CommandSpec[] = [
  {
    path: ['demo'],
    summary: 'keep the embedded demo clouds running until Ctrl-C, for kubectl and openstack',
    about: [
      'Prints their kubeconfig and clouds.yaml and commands to try. `demo tour` shows a maintenance from start to end.',
    ],
    operands: [],
    flags: [],
    examples: ['demo', 'demo tour'],
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
