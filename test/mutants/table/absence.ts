import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { STEPS } from '../places.ts'

/** Absence is proved twice, and each counted thing is requested separately (docs/decisions/0025). */
export const ABSENCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'no-second-source-for-instances',
    harm: 'An empty list of instances is enough to call a host empty, and running instances go down with it.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: 'const doubt = proofVerdict(proof, [read])',
        to: 'const doubt = null',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      "absence of instances an empty list of the host's servers: Placement has nothing there either, and all servers of the cloud show one",
    ),
  },
  {
    name: 'no-second-source-before-nothing-to-do',
    harm: 'A plan says that no instance has to move because a list was empty.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: 'const blockers = proofBlockers(await proveInstances(listedOf(host.value), ctx))',
        to: 'const blockers = proofBlockers(await proveInstances(listedOf(host.value), ctx)).slice(9)',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of instances the check of migrate-instances does not take an empty list for an empty host',
    ),
  },
  {
    name: 'counted-instances-are-not-asked-for',
    harm: 'An instance that fell out of every list counts as moved.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: '[...named, ...moving.map(({ instanceId }) => instanceId), ...planned]',
        to: '[...named, ...moving.map(({ instanceId }) => instanceId), ...planned.slice(99)]',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of instances every instance that the plan counted is found elsewhere or was deleted: one in no list has not moved',
    ),
  },
  {
    name: 'migrations-to-the-host-are-not-asked-for',
    harm: 'An instance that arrives on the host right now is not seen.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: '[...named, ...moving.map(({ instanceId }) => instanceId), ...planned]',
        to: '[...named, ...planned]',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      "absence of instances an empty list of the host's servers: an instance migrates to the host",
    ),
  },
  {
    name: 'placement-is-not-asked',
    harm: 'What Placement still has on the host contradicts nothing.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: '[...named, ...moving.map(({ instanceId }) => instanceId), ...planned]',
        to: '[...moving.map(({ instanceId }) => instanceId), ...planned]',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      "absence of instances an empty list of the host's servers: Placement has nothing there either, and all servers of the cloud show one",
    ),
  },
  {
    name: 'unknown-consumers-are-no-doubt',
    harm: 'Credentials that do not see every instance call a host empty.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: 'if (orphans.length > 0) {',
        to: 'if (orphans.length > 99) {',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      "absence of instances an empty list of the host's servers: Placement has one that Nova does not know",
    ),
  },
  {
    name: 'two-silent-lists-are-proof',
    harm: 'Nova and Placement that both report nothing prove that a host is empty.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: 'const agreeOnNothing = placed.ok && placed.value?.length === 0 && instances.length === 0',
        to: 'const agreeOnNothing = placed.ok && placed.value?.length === 0 && instances.length < 0',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      "absence of instances an empty list of the host's servers: Placement has nothing there either, and all servers of the cloud show one",
    ),
  },
  {
    name: 'a-cell-that-is-down-has-no-instances',
    harm: 'A host whose cell does not answer counts as empty.',
    changes: [
      {
        file: `${STEPS}/compute/migrate-instances.ts`,
        from: 'if (host.value.unreachable.length > 0)',
        to: 'if (host.value.unreachable.length > 99)',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of instances a cell that does not answer leaves untold what is on the host',
    ),
  },
  {
    name: 'an-instance-of-which-nova-tells-half-is-gone',
    harm: 'An instance whose cell is away counts as elsewhere.',
    changes: [
      {
        file: `${STEPS}/compute/prove-instances.ts`,
        from: 'if (now.partial) return',
        to: 'if (now.partial && id === host) return',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of instances an instance of which Nova tells only a part, because its cell is away, is not elsewhere',
    ),
  },
  {
    name: 'no-proof-that-pods-are-gone',
    harm: 'A node is called drained by a list without the pods that run there.',
    changes: [
      {
        file: `${STEPS}/general/drain-node.ts`,
        from: 'const proof = await provePodsGone(node, staying, ctx)',
        to: 'const proof: Awaited<ReturnType<typeof provePodsGone>> = { left: [], unreported: null }',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of pods a pod that the plan counted is proved gone by asking for it, not by a list without it',
    ),
  },
  {
    name: 'counted-pods-are-not-asked-for',
    harm: 'A pod that fell out of every list counts as gone.',
    changes: [
      {
        file: `${STEPS}/general/pods-gone.ts`,
        from: 'const leaving = counted.filter(({ kind, id }) => kind === LEAVING && !gone.has(id))',
        to: 'const leaving = counted.filter(({ kind, id }) => kind === LEAVING && !gone.has(id)).slice(99)',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of pods a pod that the plan counted is proved gone by asking for it, not by a list without it',
    ),
  },
  {
    name: 'pods-that-stay-are-not-asked-for',
    harm: 'An empty list of pods counts although the DaemonSet pods of the node have to be in it.',
    changes: [
      {
        file: `${STEPS}/general/pods-gone.ts`,
        from: 'const stayed = staying.length > 0 ? [] : counted.filter(({ kind }) => kind === STAYING)',
        to: 'const stayed = staying.length > 0 ? [] : counted.filter(({ kind }) => kind === STAYING).slice(99)',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of pods an empty list of pods, though a pod that was to stay still runs',
    ),
  },
  {
    name: 'a-cut-list-of-pods-makes-a-plan',
    harm: 'A plan shows no pods because the list of the node was cut.',
    changes: [
      {
        file: `${STEPS}/general/drain-node.ts`,
        from: 'if (doubt !== null) ',
        to: "if (doubt?.code === '') ",
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of pods a pod that nobody counted and only the list of all pods shows is not a pod that left',
    ),
  },
]
