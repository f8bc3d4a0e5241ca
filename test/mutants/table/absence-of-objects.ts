import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { KUBERNETES, STEPS } from '../places.ts'

/** That a lock, a request, an OSD or an object is not there is no list’s word alone (docs/decisions/0025). */
export const OBJECT_ABSENCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-watch-that-lost-a-pod-makes-it-gone',
    harm: 'A drain ends while the pod runs, because its watch lost it.',
    changes: [
      {
        file: `${KUBERNETES}/drain-pod.ts`,
        from: 'if (isReportedGone || asked || options.skipWaitForDeleteSeconds > 0) {',
        to: "if (isReportedGone) return { kind: 'left' }\n    if (asked || options.skipWaitForDeleteSeconds > 0) {",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/drain-waits',
      '5.4 wait and time-out Wait for deleting to complete: the watch reports it at once, and the pod itself is read once more',
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
        from: 'if (node.objects.nodeLocks.length === 0 && answering.length > 0) {',
        to: 'if (node.objects.nodeLocks.length < 0) {',
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
      'absence of a request no list shows the request of the node, and it is there in a separate request',
    ),
  },
  {
    name: 'a-hidden-request-is-nothing-to-do',
    harm: 'A node counts as given back because the list of requests was empty.',
    changes: [
      {
        file: `${STEPS}/requests/remove-node-request.ts`,
        from: 'if (hidden.value.length > 0) return',
        to: 'if (hidden.value.length > 99) return',
      },
    ],
    caughtBy: unit(
      'procedures/absence',
      'absence of a request no list shows the request of the node, and it is there in a separate request',
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
        from: 'if (doubt !== null) return failed(unbelieved(doubt))',
        to: 'if (doubt !== null && without.length > 99) return failed(unbelieved(doubt))',
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
        from: '    if (running.length > 0) {\n      return failed(unbelieved(',
        to: '    if (running.length > 99) {\n      return failed(unbelieved(',
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
      'adapters/kubernetes/invalid-answers',
      "kubernetes.getLeaseAnnotations, when GET /leases\\/lockkeeper-node-held$/ is answered with a proxy's 404: a failure",
    ),
  },
  {
    name: 'a-list-has-pages-of-two-times',
    harm: 'A list with a hole between its pages counts as whole.',
    changes: [
      {
        file: `${KUBERNETES}/list.ts`,
        from: "else if (resourceVersion !== version) throw new MalformedAnswer(because('PagesOfDifferentTimes'))",
        to: '',
      },
    ],
    caughtBy: unit('adapters/kubernetes/list', 'pages of different times ends in a failure'),
  },
]
