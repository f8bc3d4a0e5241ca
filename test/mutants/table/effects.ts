import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { KUBERNETES, OPENSTACK, STEPS } from '../places.ts'

/** A run reads its Lease before every kind of effect, and sends nothing once it has lost the Lease (style G26). */
export const EFFECT_MUTANTS: readonly Mutant[] = [
  {
    name: 'port-calls-are-not-fenced',
    harm: 'A run that lost its node to another console continues to change the cloud.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: "effects[name] === 'acts' ? behind(gate, call as Call, port) : call",
        to: 'call',
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'kubernetes.annotateNode is sent only after the Lease was read'),
  },
  {
    name: 'no-look-before-an-eviction',
    harm: 'Pods are evicted from a node that another console took meanwhile.',
    changes: [
      {
        file: `${KUBERNETES}/drain-pod.ts`,
        from: 'leaving.gate === undefined ? request() : leaving.gate(request, scope)',
        to: 'request()',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/drain-gate',
      'a pod that a drain evicts is asked to leave only after the pod and then the Lease were read',
    ),
  },
  {
    name: 'no-look-before-a-cordon',
    harm: 'A node is cordoned or uncordoned while another console works on it.',
    changes: [
      {
        file: `${KUBERNETES}/cordon.ts`,
        from: 'return gate === undefined ? patch() : gate(patch, signal)',
        to: 'return patch()',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/cordon-and-access',
      '5.1 cordon set to true: only the patch passes the gate of the Lease, and nothing is sent where that is shut',
    ),
  },
  {
    name: 'a-drain-has-no-gate',
    harm: 'Pods are evicted from a node that another console took meanwhile.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'kubernetes.drain(node, options, { ...more, gate })',
        to: 'kubernetes.drain(node, options, more)',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'kubernetes.drain of a run’s world is given its gate, to ask it before each request',
    ),
  },
  {
    name: 'a-cordon-has-no-gate',
    harm: 'A node is cordoned while another console works on it.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'kubernetes.setUnschedulable(node, unschedulable, { ...more, gate })',
        to: 'kubernetes.setUnschedulable(node, unschedulable, more ?? {})',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'kubernetes.setUnschedulable of a run’s world is given its gate, to ask it before each request',
    ),
  },
  {
    name: 'openstack-is-not-fenced',
    harm: 'A run that lost its node continues to move instances.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'openstack: openstack === null ? null : fencedPort(openstack, PORT_ACCESS.openstack, gate)',
        to: 'openstack',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'openstack.disableComputeService of a run’s world is kept back where the Lease does not hold',
    ),
  },
  {
    name: 'osds-are-not-fenced',
    harm: 'A run that lost its node continues to stop OSDs.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'osds: osds === null ? null : fencedPort(osds, PORT_ACCESS.osds, gate)',
        to: 'osds',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'osds.setRunning of a run’s world is kept back where the Lease does not hold',
    ),
  },
  {
    name: 'commands-are-not-fenced',
    harm: 'A run that lost its node starts the operator’s command there.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'commands: fencedPort(world.commands, PORT_ACCESS.commands, gate)',
        to: 'commands: world.commands',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'commands.start of a run’s world is kept back where the Lease does not hold',
    ),
  },
  {
    name: 'kubernetes-holds-nothing-back',
    harm: 'A change of Kubernetes is sent after the Lease ran out while the credential was renewed.',
    changes: [
      {
        file: `${KUBERNETES}/send-request.ts`,
        from: 'if (acts && !mayBeSent())',
        to: 'if (acts && !mayBeSent() && false)',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/cordon-and-access',
      '5.1 cordon what is read first may take hours: the patch is kept back where the Lease is held no more',
    ),
  },
  {
    name: 'openstack-holds-nothing-back',
    harm: 'A change of OpenStack is sent after the Lease ran out while the token was renewed.',
    changes: [
      { file: `${OPENSTACK}/session-wire.ts`, from: 'if (!isRead && !mayBeSent())', to: 'if (!isRead && false)' },
    ],
    caughtBy: unit(
      'adapters/openstack/keystone-session',
      'the token renewed while the Lease of a run ran out: the change is kept back, the token is not',
    ),
  },
  {
    name: 'juju-holds-nothing-back',
    harm: 'A change of Juju is sent after the Lease ran out while it was connected to.',
    changes: [
      {
        file: 'main/adapters/juju/juju-model.ts',
        from: 'if (!request.repeatable && !mayBeSent())',
        to: 'if (!request.repeatable && false)',
      },
    ],
    caughtBy: unit(
      'adapters/juju/juju-port',
      'a request that acts is withheld once the run lost its Lease; a read is sent',
    ),
  },
  {
    name: 'a-command-is-not-held-back',
    harm: 'The operator’s command is started after the Lease ran out.',
    changes: [
      {
        file: 'main/adapters/commands/machine-commands.ts',
        from: '      if (!mayBeSent()) return failed',
        to: '      if (false) return failed',
      },
      {
        file: 'main/adapters/commands/machine-commands.ts',
        from: '      if (!mayBeSent()) {',
        to: '      if (false) {',
      },
    ],
    caughtBy: unit(
      'adapters/commands/machine-commands',
      'nothing is started once the Lease is lost, and a later start is possible',
    ),
  },
]
