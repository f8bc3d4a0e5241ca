import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { KUBERNETES } from '../places.ts'

/** A change reaches exactly the object that was judged, in the version that was judged. */
export const PRECONDITION_MUTANTS: readonly Mutant[] = [
  {
    name: 'an-eviction-names-no-uid',
    harm: 'A pod that took the name of the one that was meant is evicted.',
    changes: [{ file: `${KUBERNETES}/eviction.ts`, from: '    preconditions: { uid: pod.uid },\n', to: '' }],
    caughtBy: unit(
      'adapters/kubernetes/drain',
      '5.6 where we deliberately differ V9: a plan sends one dry-run eviction per pod that leaves, and touches nothing',
    ),
  },
  {
    name: 'a-namesake-is-taken-for-the-pod',
    harm: 'A pod that took the name of the one that was meant is evicted.',
    changes: [
      {
        file: `${KUBERNETES}/eviction.ts`,
        from: "  if (found.uid !== meant.uid) return { kind: 'left', how: 'replaced' }\n",
        to: '',
      },
    ],
    caughtBy: unit('adapters/kubernetes/eviction', 'V1: the pod that was meant'),
  },
  {
    name: 'a-pod-on-another-node-is-evicted',
    harm: 'A pod that runs on another node by now is evicted there.',
    changes: [
      {
        file: `${KUBERNETES}/eviction.ts`,
        from: "  if (found.nodeName !== node) return { kind: 'left', how: 'moved' }\n",
        to: '',
      },
    ],
    caughtBy: unit('adapters/kubernetes/eviction', 'V1: the pod that was meant same UID on another node'),
  },
  {
    name: 'pods-are-evicted-from-a-node-that-takes-pods',
    harm: 'Evicted pods come straight back to the node.',
    changes: [{ file: `${KUBERNETES}/drain.ts`, from: 'if (!cordoned.value.unschedulable) {', to: 'if (false) {' }],
    caughtBy: unit(
      'adapters/kubernetes/drain',
      '5.6 where we deliberately differ V2: nothing is evicted from a node that is not cordoned',
    ),
  },
  {
    name: 'an-eviction-is-asked-for-twice',
    harm: 'A pod that terminates is evicted again after a lost answer.',
    changes: [
      {
        file: `${KUBERNETES}/drain-pod.ts`,
        from: "  if (asked && seen.pod.deletionAt !== null) return { kind: 'accepted' }\n",
        to: '',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/drain-whole-node',
      'resuming, and the journal a pod whose eviction was announced before and that terminates is only waited for',
    ),
  },
  {
    name: 'without-a-list-of-kinds-pods-are-deleted',
    harm: 'Pods are deleted past every disruption budget because a proxy answered the discovery.',
    changes: [
      {
        file: `${KUBERNETES}/eviction.ts`,
        from: "if (!served.value?.has('pods')) {",
        to: "if (served.value === null) return ok(null)\n  if (!served.value.has('') && false) {",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/invalid-answers',
      "kubernetes.planDrain, when GET /api\\/v1$/ is answered with a proxy's 404: a failure",
    ),
  },
  {
    name: 'a-deletion-names-no-uid',
    harm: 'A maintenance request that somebody made since is deleted.',
    changes: [
      {
        file: `${KUBERNETES}/objects.ts`,
        from: "const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } }",
        to: "const body = { kind: 'DeleteOptions', apiVersion: 'v1' }",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/exact-objects',
      'a deletion names the UID, so that an object that was recreated under the name stays',
    ),
  },
  {
    name: 'an-uncordon-names-no-version',
    harm: 'The cordon that somebody set right before is taken away.',
    changes: [
      {
        file: `${KUBERNETES}/cordon.ts`,
        from: 'atVersion === undefined ? { spec } : { metadata: { resourceVersion: atVersion }, spec }',
        to: '{ spec }',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/cordon-and-access',
      '5.1 cordon of one version alone, the server refuses it once the node was written since',
    ),
  },
  {
    name: 'taints-are-written-over',
    harm: 'A taint that somebody put on the node at the same time is lost.',
    changes: [{ file: `${KUBERNETES}/taints.ts`, from: '      metadata: { resourceVersion },\n', to: '' }],
    caughtBy: unit('adapters/kubernetes/taints', 'a taint that somebody puts on the node at the same time stays'),
  },
  {
    name: 'a-lock-is-written-whatever-version-it-has',
    harm: 'Two controllers overwrite each other’s state of a lock.',
    changes: [
      {
        file: `${KUBERNETES}/lock-writer.ts`,
        from: 'body: { metadata: { resourceVersion }, status: decided.status }',
        to: 'body: { status: decided.status }',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/lock-writer',
      'a write that lost against another starts again from the new state',
    ),
  },
  {
    name: 'finalizers-are-written-over',
    harm: 'The finalizer of another controller is lost, and the request goes before it is ready.',
    changes: [
      {
        file: `${KUBERNETES}/lock-writer.ts`,
        from: '{ body: { metadata: { ...decided.metadata, resourceVersion } } }',
        to: '{ body: { metadata: { ...decided.metadata } } }',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/lock-writer',
      'finalizers of others stay, also those that come at the same time: the write names the version it builds on',
    ),
  },
  {
    name: 'a-lock-made-anew-is-written',
    harm: 'The lock of a node that was deleted and made again gets the state of the old one.',
    changes: [
      { file: `${KUBERNETES}/lock-writer.ts`, from: '    if (uid !== target.uid) return whenRecreated\n', to: '' },
    ],
    caughtBy: unit(
      'adapters/kubernetes/lock-writer',
      'a request that was recreated meanwhile has no finalizer of Lockkeeper’s: nothing is written',
    ),
  },
  {
    name: 'an-answer-about-another-object-is-believed',
    harm: 'A patch counts as done although the answer is about an object that was made again.',
    changes: [
      {
        file: `${KUBERNETES}/objects.ts`,
        from: 'if (patch.uid !== null && object.metadata.uid !== patch.uid) {',
        to: 'if (patch.uid !== null && false) {',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/exact-objects',
      'a patch that is answered with another object of that name is not done',
    ),
  },
]
