import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

const APPLICATIONS_FIRST = 'main/lcm/controllers/application-order.ts'

/** Requirements that the vendors' pages state explicitly. */
export const SEED_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-failed-lock-is-waited-for',
    harm: 'A run waits ten minutes for a controller that gave up, and reports nobody.',
    changes: [
      {
        file: `${STEPS}/requests/await-locks.ts`,
        from: 'if (gaveUp.length > 0 &&',
        to: 'if (gaveUp.length > 9 &&',
      },
    ],
    caughtBy: unit(
      'procedures/mosk',
      'entering and leaving through the node maintenance API (seed 003; docs/domain.md A.2 to A.4) seed 001: a lock whose controller gave up is asked about at once, in its own words, whatever kind of sentence they are',
    ),
  },
  {
    name: 'kubernetes-labels-make-an-openstack-node',
    harm: 'Masters of Kubernetes get locks of OpenStack, and an update asks for the maintenance of nodes that carry none of it.',
    changes: [
      {
        file: 'shared/domain/roles.ts',
        from: 'control: own.length === 0 ? rules.control : own }',
        to: 'control: rules.control }',
      },
    ],
    caughtBy: unit(
      'domain/roles',
      'what OpenStack has on a node (docs/domain.md A.10) seed 003: nothing on a master of Kubernetes alone',
    ),
  },
  {
    name: 'an-openstack-master-without-its-lock-gets-no-request',
    harm: 'A master that carries OpenStack is drained in an update without its controllers being asked, because its lock was missing when the plan was made.',
    changes: [
      {
        file: 'main/procedures/plans/rolling/update-node.ts',
        from: "...(carriesOpenStack(node, cluster) ? ['openstack'] : []),",
        to: '',
      },
    ],
    caughtBy: unit(
      'procedures/rolling/plan-update',
      'nodes of an update seed 003: of masters only those with collocated roles get a request: by a label of OpenStack’s or by any lock, not by Kubernetes’ own label',
    ),
  },
  {
    name: 'an-agent-that-is-listed-no-more-is-not-missed',
    harm: 'A node is back in service without the network agent that it had.',
    changes: [
      {
        file: 'main/lcm/controllers/openstack-agents.ts',
        from: '  return gone.length === 0\n',
        to: '  return gone.length >= 0\n',
      },
    ],
    caughtBy: unit(
      'lcm/controllers/openstack-controller',
      'the way back seed 000: an agent that was alive when the node went is missed when Neutron no longer lists it; one that never was is not',
    ),
  },
  {
    name: 'by-default-a-majority-of-monitors-is-enough',
    harm: 'On Sunbeam a storage node goes though fewer services of Ceph stay than the vendor asks for.',
    changes: [
      {
        file: 'shared/domain/ceph-services.ts',
        from: "cluster.flavour === 'sunbeam' || access === 'microceph' ? 'fixed' : 'majority'\n  if",
        to: "access === 'none' ? 'fixed' : 'majority'\n  if",
      },
    ],
    caughtBy: unit('procedures/storage/services-rule', 'flavour sunbeam, setting null, release 19: fixed'),
  },
  {
    name: 'ceph-does-not-wait-for-openstack',
    harm: 'Ceph lets the cluster go, and is updated, while OpenStack is still updated.',
    changes: [
      {
        file: APPLICATIONS_FIRST,
        from: "return locks.every(lock => lock.state === 'inactive') ? null :",
        to: 'return locks.length > 0 ? null :',
      },
    ],
    caughtBy: unit(
      'lcm/controllers/ceph-controller',
      'the Ceph controller seed 003, phase 2: the cluster lock of Ceph waits for that of OpenStack',
    ),
  },
  {
    name: 'an-openstack-without-a-lock-is-not-waited-for',
    harm: 'Ceph and all others go first, because the controller of OpenStack has not made its lock yet.',
    changes: [
      {
        file: APPLICATIONS_FIRST,
        from: "return cluster.maintenanceApi.controllers.openstack === 'none' ? null :",
        to: "return cluster.maintenanceApi.controllers.openstack !== 'console' ? null :",
      },
    ],
    caughtBy: unit(
      'lcm/controllers/ceph-controller',
      'the Ceph controller seed 003, phase 2: the cluster lock of Ceph waits for that of OpenStack',
    ),
  },
  {
    name: 'others-do-not-wait-for-ceph',
    harm: 'StackLight and Tungsten Fabric let the cluster go before Ceph is updated.',
    changes: [
      {
        file: APPLICATIONS_FIRST,
        from: "return ceph.every(lock => lock.state === 'inactive')",
        to: "return ceph.every(lock => lock.state !== 'failed')",
      },
    ],
    caughtBy: unit(
      'lcm/controllers/stacklight-controller',
      'seed 003, other applications: the StackLight controller seed 003: its lock is not released before those of OpenStack and Ceph',
    ),
  },
  {
    name: 'a-lock-says-updated-before-it-is',
    harm: 'An application lets the cluster go although the object that shows its update does not say so.',
    changes: [
      { file: APPLICATIONS_FIRST, from: 'return isSo ? null : because(', to: 'return isSo || value ? null : because(' },
    ],
    caughtBy: unit(
      'lcm/controllers/stacklight-controller',
      'seed 003, other applications: the StackLight controller seed 003, phase 5: where the request says how it is seen to be updated, it is released when it is',
    ),
  },
  {
    name: 'an-application-is-waited-for-before-it-is-started',
    harm: 'An update waits for the lock of an application whose update it has yet to start.',
    changes: [
      {
        file: 'main/procedures/plans/rolling/plan-update.ts',
        from: '{ controller: null, ...(later.length === 0 ? {} : { later }) },',
        to: '{ controller: null, ...(later.length < 9 ? {} : { later }) },',
      },
    ],
    caughtBy: unit(
      'procedures/rolling/update-application',
      'in the plan of an update phase 2 does not wait for the locks of those',
    ),
  },
  {
    name: 'an-application-is-patched-twice',
    harm: 'An update that an operator cancelled is started again, because the answer to the first patch was lost.',
    changes: [
      {
        file: `${STEPS}/rolling/patch-application.ts`,
        from: '.find(version => version !== resourceVersion)',
        to: '.find(version => version === null)',
      },
    ],
    caughtBy: unit(
      'procedures/rolling/update-application',
      'the update of an application whose answer was lost with its process, and that was changed back: a person is asked, it is not patched twice',
    ),
  },
  {
    name: 'a-command-starts-another-application',
    harm: 'A command that was confirmed for one application runs for another, after somebody changed the plan in the journal.',
    changes: [
      {
        file: 'main/platform/settings/command-seal.ts',
        from: 'JSON.stringify([...sealed, application])',
        to: 'JSON.stringify(sealed)',
      },
    ],
    caughtBy: unit('compose/commands', 'a command that starts an application is bound to it, and starts no other'),
  },
  {
    name: 'an-update-beside-a-command-that-goes-on',
    harm: 'A second update starts its own command beside one that still works on the same cloud.',
    changes: [
      {
        file: 'main/run-control/command-work.ts',
        from: "plan.kind === 'update' ? await whyUpdateContinues",
        to: "plan.kind === 'home' ? await whyUpdateContinues",
      },
    ],
    caughtBy: unit(
      'run-control/command-work',
      'no update starts while a command that an earlier one started for an application still runs',
    ),
  },
]
