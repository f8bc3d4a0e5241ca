import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { KUBERNETES, STEPS } from '../places.ts'

/** One driver a node: how a Lease is taken, kept and given back (docs/decisions/0026). */
export const FENCING_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-lease-is-changed-whatever-version-it-has',
    harm: 'Two consoles take one Lease at the same instant, and both work on the node.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'const body = { metadata: { ...metadata, resourceVersion, uid }, spec }',
        to: 'const body = { metadata: { ...metadata, uid, ...(resourceVersion === undefined ? {} : {}) }, spec }',
      },
    ],
    caughtBy: unit('adapters/kubernetes/leases', 'only patches are sent, each naming the version it builds on'),
  },
  {
    name: 'a-live-lease-is-taken',
    harm: 'A console takes a node on which another one works.',
    changes: [{ file: `${KUBERNETES}/leases.ts`, from: 'ours || isGone(by) ||', to: 'ours || by !== null ||' }],
    caughtBy: unit('adapters/kubernetes/leases', 'a held node is not taken, and the second one learns who holds it'),
  },
  {
    name: 'a-lease-expires-by-the-clock-of-its-holder',
    harm: 'A console whose clock is ahead takes a node on which another one works.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'leaseStateOf(holder, seen, clock.monotonicMs())',
        to: "{ ...leaseStateOf(holder, seen, clock.monotonicMs()), freeInMs: Math.max(0, Date.parse(holder.renewedAt ?? '') + holder.durationSeconds * 1000 - clock.now()) }",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a holder is gone when its record was seen unchanged for as long as it lasts, and not before before this process watched for that long it is held, however old its record is',
    ),
  },
  {
    name: 'a-lease-without-a-time-is-free',
    harm: 'A Lease whose record names no lasting is taken at once.',
    changes: [
      {
        file: 'shared/domain/lease-state.ts',
        from: 'Number.isFinite(durationSeconds) && durationSeconds > 0 ? durationSeconds : USUAL_SECONDS',
        to: 'durationSeconds > 0 ? durationSeconds : 0',
      },
      {
        file: 'shared/domain/lease-state.ts',
        from: 'Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS)',
        to: 'Math.min(seconds, LONGEST_SECONDS)',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a holder is gone when its record was seen unchanged for as long as it lasts, and not before a record whose duration is none lasts a sane time',
    ),
  },
  {
    name: 'a-lease-without-a-spec-is-free',
    harm: 'A cut answer about a Lease lets a console take the node.',
    changes: [
      {
        file: `${KUBERNETES}/lease-object.ts`,
        from: "const spec = objectOrNullIn(object, 'spec')\n",
        to: "const spec = objectOrNullIn(object, 'spec') ?? {}\n",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a holder is gone when its record was seen unchanged for as long as it lasts, and not before an answer without a spec does not say that nobody holds it',
    ),
  },
  {
    name: 'anybodys-lease-is-confirmed',
    harm: 'A run that lost its node reads the Lease of its successor as its own.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: "return ok(by.identity === request.identity ? { kind: 'ours' } : { kind: 'lost', by })",
        to: "return ok(by.identity !== '' ? { kind: 'ours' } : { kind: 'lost', by })",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a holder is gone when its record was seen unchanged for as long as it lasts, and not before after it, it is taken over with a transition, and who held it learns that it is lost',
    ),
  },
  {
    name: 'anybodys-lease-is-renewed',
    harm: 'A run that lost its node takes it back while its successor works there.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: "if (by.identity !== request.identity) return { answer: { kind: 'lost', by } }",
        to: "if (by.identity === '') return { answer: { kind: 'lost', by } }",
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a holder is gone when its record was seen unchanged for as long as it lasts, and not before after it, it is taken over with a transition, and who held it learns that it is lost',
    ),
  },
  {
    name: 'anybodys-lease-is-given-back',
    harm: 'A run that lost its node frees the Lease of its successor.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'if (lease === null || lease.holder?.identity !== request.identity) return { answer: undefined }',
        to: 'if (lease === null) return { answer: undefined }',
      },
    ],
    caughtBy: unit('adapters/kubernetes/leases', 'release leaves a Lease alone that is no longer ours'),
  },
  {
    name: 'a-journal-without-its-end-goes-on',
    harm: 'A restored journal does again what the lost end of it had done.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'if (head != null && request.journal?.holds(head) === false)',
        to: 'if (head != null && request.journal === undefined)',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'how far the journal of the driver went has to be in the journal of a console that continues that run, and of no other',
    ),
  },
  {
    name: 'a-node-is-taken-beside-an-update',
    harm: 'A node is maintained while an update works on its cluster.',
    changes: [
      {
        file: `${STEPS}/general/node-lease.ts`,
        from: 'if (update.ok && (update.value === null || isGone(update.value))) return taken',
        to: 'if (update.ok) return taken',
      },
    ],
    caughtBy: unit(
      'procedures/node-lease',
      'a node is not taken while the whole cluster is updated, and its own Lease is given back (style G26)',
    ),
  },
  {
    name: 'each-claim-has-the-same-name',
    harm: 'A process that was replaced takes the Lease of its successor for its own.',
    changes: [
      {
        file: `${STEPS}/general/node-lease.ts`,
        from: 'return `${identityPrefix(runId)}${fence.id}/${fence.epoch}`',
        to: 'return `${identityPrefix(runId)}${fence.id}`',
      },
    ],
    caughtBy: unit(
      'procedures/node-lease',
      'each claim of a run has a separate name, and takes at once only the Lease of a dead driver',
    ),
  },
  {
    name: 'every-earlier-driver-counts-as-gone',
    harm: 'A second process takes the Lease of a run that another one drives.',
    changes: [
      {
        file: `${STEPS}/general/node-lease.ts`,
        from: 'return isDriverGone(driverId)',
        to: 'return isDriverGone(driverId) || true',
      },
    ],
    caughtBy: unit(
      'procedures/node-lease',
      'each claim of a run has a separate name, and takes at once only the Lease of a dead driver',
    ),
  },
  {
    name: 'a-list-of-leases-may-lack-one',
    harm: 'A cut list of Leases shows a held node as free.',
    changes: [
      {
        file: `${KUBERNETES}/leases.ts`,
        from: 'if (lease.value !== null) return failed(notWhole(name, session.host))',
        to: 'if (lease.value === undefined) return failed(notWhole(name, session.host))',
      },
    ],
    caughtBy: unit(
      'adapters/kubernetes/leases',
      'a list of all Leases that lacks the Lease which this console just took is not whole',
    ),
  },
]
