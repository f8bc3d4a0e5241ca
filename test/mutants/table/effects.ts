import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE, KUBERNETES, OPENSTACK, STEPS } from '../places.ts'

/** The Lease is looked at before every kind of effect, and nothing is sent once it is not held (style G26). */
export const EFFECT_MUTANTS: readonly Mutant[] = [
  {
    name: 'port-calls-are-not-fenced',
    harm: 'A run that lost its node to another console goes on to change the cloud.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: "deeds[name] === 'acts' ? behind(gate, call as Call, port) : call",
        to: 'call',
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'kubernetes.annotateNode is sent only after the Lease was read'),
  },
  {
    name: 'no-look-before-kubernetes-set-taint',
    harm: 'A run taints a node although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  setTaint: 'acts',", to: "  setTaint: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-kubernetes-annotate-node',
    harm: 'A run writes on a node although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  annotateNode: 'acts',", to: "  annotateNode: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-kubernetes-create-job',
    harm: 'A run starts a Job on a node although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  createJob: 'acts',", to: "  createJob: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-maintenance-api-create-node-request',
    harm: 'A run requests the maintenance of a node although another console holds the node.',
    changes: [
      { file: 'main/ports/deeds.ts', from: "  createNodeRequest: 'acts',", to: "  createNodeRequest: 'reads'," },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-maintenance-api-delete-request',
    harm: 'A run removes a maintenance request although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  deleteRequest: 'acts',", to: "  deleteRequest: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-ceph-set-noout',
    harm: 'A run changes noout although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  setNoout: 'acts',", to: "  setNoout: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-osds-set-running',
    harm: 'A run stops OSDs although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "setRunning: 'acts' }", to: "setRunning: 'reads' }" }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-microceph-enter-maintenance',
    harm: 'A run takes a MicroCeph node into maintenance although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "enterMaintenance: 'acts', ", to: "enterMaintenance: 'reads', " }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-juju-exec',
    harm: 'A run runs a command on a unit although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "exec: 'acts' }", to: "exec: 'reads' }" }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-commands-start',
    harm: 'A run starts the operator’s own command although another console holds the node.',
    changes: [
      {
        file: 'main/ports/deeds.ts',
        from: "  whyNot: 'itself',\n  start: 'acts',",
        to: "  whyNot: 'itself',\n  start: 'reads',",
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-watcher-start',
    harm: 'A run starts an action plan of Watcher although another console holds the node.',
    changes: [
      {
        file: 'main/ports/deeds.ts',
        from: "  skip: 'acts',\n  start: 'acts',",
        to: "  skip: 'acts',\n  start: 'reads',",
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-disable-compute-service',
    harm: 'A run disables nova-compute although another console holds the node.',
    changes: [
      {
        file: 'main/ports/deeds.ts',
        from: "  disableComputeService: 'acts',",
        to: "  disableComputeService: 'reads',",
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-enable-compute-service',
    harm: 'A run enables nova-compute although another console holds the node.',
    changes: [
      { file: 'main/ports/deeds.ts', from: "  enableComputeService: 'acts',", to: "  enableComputeService: 'reads'," },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-force-compute-service-down',
    harm: 'A run forces nova-compute down although another console holds the node.',
    changes: [
      {
        file: 'main/ports/deeds.ts',
        from: "  forceComputeServiceDown: 'acts',",
        to: "  forceComputeServiceDown: 'reads',",
      },
    ],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-live-migrate',
    harm: 'A run migrates an instance live although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  liveMigrate: 'acts',", to: "  liveMigrate: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-cold-migrate',
    harm: 'A run migrates an instance cold although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  coldMigrate: 'acts',", to: "  coldMigrate: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-evacuate-instance',
    harm: 'A run evacuates an instance although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  evacuateInstance: 'acts',", to: "  evacuateInstance: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-stop-instance',
    harm: 'A run stops an instance although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  stopInstance: 'acts',", to: "  stopInstance: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
  },
  {
    name: 'no-look-before-openstack-confirm-resize',
    harm: 'A run confirms a migration although another console holds the node.',
    changes: [{ file: 'main/ports/deeds.ts', from: "  confirmResize: 'acts',", to: "  confirmResize: 'reads'," }],
    caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
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
      'a pod that is to be evicted is asked to leave only after the Lease was looked at, and that after the pod',
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
    harm: 'A run that lost its node goes on to move instances.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'openstack: openstack === null ? null : fencedPort(openstack, DEEDS.openstack, gate)',
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
    harm: 'A run that lost its node goes on to stop OSDs.',
    changes: [
      {
        file: `${STEPS}/general/fenced-world.ts`,
        from: 'osds: osds === null ? null : fencedPort(osds, DEEDS.osds, gate)',
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
        from: 'commands: fencedPort(world.commands, DEEDS.commands, gate)',
        to: 'commands: world.commands',
      },
    ],
    caughtBy: unit(
      'procedures/fenced-world',
      'commands.start of a run’s world is kept back where the Lease does not hold',
    ),
  },
  {
    name: 'steps-get-the-bare-world',
    harm: 'No step looks at the Lease: two consoles work on one node.',
    changes: [
      {
        file: `${ENGINE}/drive-to-rest.ts`,
        from: 'lease.fenced(seen, held.gateFor({ outlasting: outlastingOf(stepId), refuse, stop: stop.signal }))',
        to: '(void refuse, seen)',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'a look at the lease that is refused by a rule ends the step at once, with what it said',
    ),
  },
  {
    name: 'a-lease-of-memory-is-enough',
    harm: 'A console acts on a node in the seconds after another one took it.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'const looked = await look(signal)',
        to: 'const looked = isHeld() ? ok(momentOf(clock)) : await look(signal)',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'a look at the lease that is refused by a rule ends the step at once, with what it said',
    ),
  },
  {
    name: 'a-lost-lease-is-not-noticed-before-an-effect',
    harm: 'A console acts on a node although it just read that another one holds it.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: "if (seen.value.kind === 'lost') {",
        to: "if (seen.value.kind === 'lost' && isGone) {",
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'after a look that told nothing only a renewal proves the lease: an old answer about it looks like a new one',
    ),
  },
  {
    name: 'a-look-may-be-a-minute-old',
    harm: 'A request is sent long after the look at the Lease, when another console may hold it.',
    changes: [{ file: `${ENGINE}/held-lease.ts`, from: 'const FRESH_MS = 5_000', to: 'const FRESH_MS = 60_000' }],
    caughtBy: unit(
      'runs/engine/held-lease',
      "between look and request 'it was read for so long': the lease is looked at again before the request is sent",
    ),
  },
  {
    name: 'an-old-answer-proves-the-lease',
    harm: 'After a silent API server a cached answer about the Lease lets a run act on a lost node.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'isDoubted ? await asked(handle.renew, signal) : await asked(handle.confirm, signal)',
        to: 'await asked(handle.confirm, signal)',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'after a look that told nothing only a renewal proves the lease: an old answer about it looks like a new one',
    ),
  },
  {
    name: 'sent-although-the-lease-ran-out-on-the-way',
    harm: 'A request is sent after the Lease ran out while a credential was renewed.',
    changes: [{ file: `${ENGINE}/held-lease.ts`, from: '            if (!mayAct()) return false\n', to: '' }],
    caughtBy: unit('runs/engine/held-lease', "an effect is sent where the clock 'was set back' since the look: false"),
  },
  {
    name: 'sleep-of-the-machine-is-no-time',
    harm: 'A laptop that slept for an hour acts on its old Lease when it wakes.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'return Math.max(clock.monotonicMs() - since.monotonicMs, clock.now() - since.wallMs)',
        to: 'return clock.monotonicMs() - since.monotonicMs',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      "between look and request 'a lid was closed': the lease is looked at again before the request is sent",
    ),
  },
  {
    name: 'a-clock-set-back-hides-the-sleep',
    harm: 'A machine whose clock was set back acts on a Lease of which nobody knows how old it is.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'return !wasSetBack && elapsedMs(since, clock) <= ms',
        to: 'return (wasSetBack || true) && elapsedMs(since, clock) <= ms',
      },
    ],
    caughtBy: unit('runs/engine/held-lease', "an effect is sent where the clock 'was set back' since the look: false"),
  },
  {
    name: 'the-lease-is-not-asked-for-after-sleep',
    harm: 'After a sleep the run goes on without looking at its Lease.',
    changes: [
      {
        file: `${ENGINE}/drive-to-rest.ts`,
        from: '      hold?.retake(`The machine slept for ${durationWords(slept.ms)}.`)\n',
        to: '',
      },
    ],
    caughtBy: unit(
      'runs/engine/sleep',
      'a machine that slept while it drove a run gives up a request whose connection died with the sleep, and looks at the world before it asks again',
    ),
  },
  {
    name: 'sent-after-the-stop',
    harm: 'A request that waited for a look at the Lease is sent minutes after a person stopped the run.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'stop === undefined || stop.aborted ? []',
        to: 'stop === undefined || !stop.aborted ? []',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'an effect that waits for a look at the lease is kept back when a person stops the run, though it does not hear the run’s signal itself',
    ),
  },
  {
    name: 'kubernetes-holds-nothing-back',
    harm: 'A change of Kubernetes is sent after the Lease ran out while the credential was renewed.',
    changes: [
      { file: `${KUBERNETES}/session.ts`, from: 'if (acts && !mayBeSent())', to: 'if (acts && !mayBeSent() && false)' },
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
      { file: `${OPENSTACK}/keystone-session.ts`, from: 'if (!isRead && !mayBeSent())', to: 'if (!isRead && false)' },
    ],
    caughtBy: unit(
      'adapters/openstack/keystone-session',
      'the token renewed while the Lease of a run ran out: the change is kept back, the token is not',
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
      'nothing is started once the Lease does not hold any more, and a later start is free',
    ),
  },
  {
    name: 'a-lost-lease-fails-the-run',
    harm: 'A run whose node went to another console cannot be resumed.',
    changes: [
      {
        file: `${ENGINE}/drive-to-rest.ts`,
        from: "      record.append({ kind: 'lease-lost', node, why: reason.why })\n",
        to: "      record.append({ kind: 'lease-lost', node, why: reason.why })\n      return finish(record, 'failed', reason.why)\n",
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'a lease that was lost while it was away interrupts the run, and nothing more is done',
    ),
  },
  {
    name: 'one-failed-renewal-is-the-end',
    harm: 'One lost request ends hours of work.',
    changes: [
      {
        file: `${ENGINE}/held-lease.ts`,
        from: 'else return retryIn(renewed.failure)',
        to: 'else giveUp(renewed.failure.message)',
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a lease whose renewal hangs stops the run before the next effect once it would have run out',
    ),
  },
]
