import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { KUBERNETES, STEPS } from '../places.ts'

/** That something is not there is proved twice, and each counted thing is asked for by itself (docs/decisions/0025). */
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
    harm: 'Nova and Placement that both tell nothing prove that a host is empty.',
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
    name: 'no-proof-that-pods-are-gone',
    harm: 'A node is called drained by a list without the pods that run there.',
    changes: [
      {
        file: `${STEPS}/general/drain-node.ts`,
        from: 'const proof = await provePodsGone(node, staying, ctx)',
        to: 'const proof: { left: readonly string[]; untold: string | null } = { left: [], untold: null }',
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
        from: "if (doubt !== null) return cannotAsk(`The pods on ${node}`, failure('unreadable', doubt))",
        to: "if (doubt === '') return cannotAsk(`The pods on ${node}`, failure('unreadable', doubt))",
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of pods a pod that nobody counted and only the list of all pods shows is no pod that left',
    ),
  },
  {
    name: 'a-watch-that-lost-a-pod-makes-it-gone',
    harm: 'A drain ends while the pod runs, because its watch lost it.',
    changes: [
      {
        file: `${KUBERNETES}/drain-pod.ts`,
        from: 'if (isToldGone || asked || options.skipWaitForDeleteSeconds > 0) {',
        to: "if (isToldGone) return { kind: 'left' }\n    if (asked || options.skipWaitForDeleteSeconds > 0) {",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/drain-waits',
      '5.4 wait and time-out Wait for deleting to complete: the watch tells at once, and the pod itself is asked for once more',
    ),
  },
  {
    name: 'a-lock-that-vanished-is-inactive',
    harm: 'A node is touched although the lock that the plan saw was never inactive.',
    changes: [
      {
        file: `${STEPS}/requests/node-maintenance.ts`,
        from: '  if (gone.length > 0) {',
        to: '  if (gone.length > 99) {',
      },
    ],
    caughtBy: unit('procedures/absence', 'absence of locks the plan saw a lock that no list shows now'),
  },
  {
    name: 'an-expected-lock-may-be-missing',
    harm: 'A node is touched although OpenStack never answered for it.',
    changes: [
      {
        file: `${STEPS}/requests/node-maintenance.ts`,
        from: '  if (unseen.length > 0) {',
        to: '  if (unseen.length > 99) {',
      },
    ],
    caughtBy: unit('procedures/absence', 'absence of locks a lock that the role of the node calls for is not there'),
  },
  {
    name: 'no-lock-at-all-is-no-doubt',
    harm: 'An empty list of locks counts as all of them inactive.',
    changes: [
      {
        file: `${STEPS}/requests/node-maintenance.ts`,
        from: 'if (found.objects.nodeLocks.length === 0 && answering.length > 0) {',
        to: 'if (found.objects.nodeLocks.length < 0) {',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of locks a controller is set to answer and no node of the cluster has a lock',
    ),
  },
  {
    name: 'a-list-without-the-node-is-believed',
    harm: 'A list of nodes without the node says that nobody holds a lock on it.',
    changes: [
      {
        file: `${STEPS}/requests/node-maintenance.ts`,
        from: '  if (place === undefined) {\n    return failed(',
        to: '  if (place === undefined && names.length < 0) {\n    return failed(',
      },
      {
        file: `${STEPS}/requests/node-maintenance.ts`,
        from: 'const roles = rolesOf(place.labels, cluster.roleLabels)',
        to: 'const roles = rolesOf(place?.labels ?? {}, cluster.roleLabels)',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of locks a list of nodes without the node itself says nothing of whose locks it carries',
    ),
  },
  {
    name: 'a-hidden-request-is-gone',
    harm: 'A node counts as given back while its request is there.',
    changes: [
      {
        file: `${STEPS}/requests/remove-node-request.ts`,
        from: '    return hidden.value.length > 0\n',
        to: '    return hidden.value.length > 99\n',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of a request no list shows the request of the node, and it is there when asked for by itself',
    ),
  },
  {
    name: 'a-hidden-request-is-nothing-to-do',
    harm: 'A node counts as given back because the list of requests was empty.',
    changes: [
      {
        file: `${STEPS}/requests/remove-node-request.ts`,
        from: '    if (hidden.value.length > 0)\n',
        to: '    if (hidden.value.length > 99)\n',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of a request no list shows the request of the node, and it is there when asked for by itself',
    ),
  },
  {
    name: 'counted-osds-are-not-asked-for',
    harm: 'OSDs that Ceph lists no more count as removed, and are not protected.',
    changes: [
      {
        file: `${STEPS}/storage/storage-node.ts`,
        from: '  if (unsettled.length > 0) {',
        to: '  if (unsettled.length > 99) {',
      },
    ],
    caughtBy: unit(
      'procedures/storage/absent-osds',
      'stop-osds, where Ceph lists no OSD of the node what was counted there still reports, from nowhere: the plan is blocked, whatever is forced, and nothing is verified',
    ),
  },
  {
    name: 'a-host-missing-in-crush-has-no-osds',
    harm: 'A storage node is switched off without noout because the CRUSH map names its host otherwise.',
    changes: [
      {
        file: `${STEPS}/storage/storage-node.ts`,
        from: 'if (doubt !== null) return failed(unbelieved(`${none}, but ${doubt}.`))',
        to: "if (doubt === '') return failed(unbelieved(`${none}, but ${doubt}.`))",
      },
    ],
    caughtBy: unit(
      'procedures/storage/absent-osds',
      'stop-osds, where Ceph lists no OSD of the node an OSD reported to run there: the plan is blocked, whatever is forced, and nothing is verified',
    ),
  },
  {
    name: 'rooks-pods-contradict-nothing',
    harm: 'A storage node is switched off without noout although an OSD pod runs on it.',
    changes: [
      {
        file: `${STEPS}/storage/storage-node.ts`,
        from: '    if (running.length > 0) {\n      return failed(unbelieved(`${none}, but',
        to: '    if (running.length > 99) {\n      return failed(unbelieved(`${none}, but',
      },
    ],
    caughtBy: unit(
      'procedures/storage/absent-osds',
      'stop-osds, where Ceph lists no OSD of the node the pod of an OSD runs there: the plan is blocked, whatever is forced, and nothing is verified',
    ),
  },
  {
    name: 'a-proxys-404-is-absence',
    harm: 'A proxy’s 404 makes an object count as gone.',
    changes: [
      {
        file: `${KUBERNETES}/objects.ts`,
        from: "if (said.code === 'not-found' && words.name !== null) return said",
        to: "if (answer.status === 404 && words.name !== null) return { ...said, code: 'not-found' as const }",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/answers-that-are-none',
      "kubernetes.getLeaseAnnotations, when GET /leases\\/lockkeeper-node-held$/ is answered with a proxy's 404: a failure",
    ),
  },
  {
    name: 'a-list-has-pages-of-two-times',
    harm: 'A list with a hole between its pages counts as whole.',
    changes: [
      {
        file: `${KUBERNETES}/list.ts`,
        from: "else if (resourceVersion !== version) throw new Misfit('its pages are of different times')",
        to: '',
      },
    ],
    caughtBy: unit('adapters/kubernetes/list', 'pages of different times ends in a failure'),
  },
]
