import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'
import { ENGINE } from '../places.ts'

/** A run acts only while it holds its Lease: what a look at it is worth, and what a stop or a sleep means (style G26). */
export const HELD_LEASE_MUTANTS: readonly Mutant[] = [
  {
    name: 'steps-get-the-bare-world',
    harm: 'No step looks at the Lease: two consoles work on one node.',
    changes: [
      {
        file: `${ENGINE}/drive-to-rest.ts`,
        from: 'lease.fenced(seen, held.gateFor({ transientRetry: retryOf(stepId), refuse, stop: stop.signal }))',
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
        file: `${ENGINE}/lease-gate.ts`,
        from: 'const looked = await look(lease, trouble, signal)',
        to: 'const looked = isInTime(lease) && !isLost(lease) ? ok(momentOf(clock)) : await look(lease, trouble, signal)',
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
        file: `${ENGINE}/lease-gate.ts`,
        from: "if (seen.value.kind === 'lost') {",
        to: "if (seen.value.kind === 'lost' && lease.isGone) {",
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'after an empty reading only a renewal proves the lease: an old answer about it looks like a new one',
    ),
  },
  {
    name: 'a-free-lease-counts-as-held',
    harm: 'A console acts on a node whose Lease nobody holds, so that any other may take it.',
    changes: [
      {
        file: `${ENGINE}/lease-gate.ts`,
        from: "if (seen.value.kind === 'free') {",
        to: "if (seen.value.kind === 'free' && lease.isGone) {",
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      "an effect is kept back where the look before it shows that 'nobody holds it'",
    ),
  },
  {
    name: 'a-look-may-be-a-minute-old',
    harm: 'A request is sent long after the look at the Lease, when another console may hold it.',
    changes: [{ file: `${ENGINE}/lease-gate.ts`, from: 'const FRESH_MS = 5_000', to: 'const FRESH_MS = 60_000' }],
    caughtBy: unit(
      'runs/engine/held-lease',
      "between look and request 'the reading takes long': the lease is read again before the request is sent",
    ),
  },
  {
    name: 'an-old-answer-proves-the-lease',
    harm: 'After a silent API server a cached answer about the Lease lets a run act on a lost node.',
    changes: [
      {
        file: `${ENGINE}/lease-gate.ts`,
        from: '? await requestInTime(lease, handle.renew, signal)',
        to: '? await requestInTime(lease, handle.confirm, signal)',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      'after an empty reading only a renewal proves the lease: an old answer about it looks like a new one',
    ),
  },
  {
    name: 'the-lease-does-not-run-out',
    harm: 'A run that cannot renew its Lease continues after the Lease expired.',
    changes: [
      {
        file: `${ENGINE}/lease-state.ts`,
        from: 'return !isLost(lease) && isInTime(lease)',
        to: 'return !isLost(lease)',
      },
    ],
    caughtBy: unit('runs/engine/held-lease', 'a lease that nobody renews is held as long as it lasts, and no longer'),
  },
  {
    name: 'sent-although-the-lease-ran-out-on-the-way',
    harm: 'A request is sent after the Lease ran out while a credential was renewed.',
    changes: [{ file: `${ENGINE}/lease-gate.ts`, from: '        if (!mayAct(lease)) return false\n', to: '' }],
    caughtBy: unit('runs/engine/held-lease', "an effect is sent where the clock 'was set back' since the look: false"),
  },
  {
    name: 'sleep-of-the-machine-is-no-time',
    harm: 'A laptop that slept for an hour acts on its old Lease when it wakes.',
    changes: [
      {
        file: `${ENGINE}/lease-state.ts`,
        from: 'return Math.max(clock.monotonicMs() - since.monotonicMs, clock.now() - since.wallMs)',
        to: 'return clock.monotonicMs() - since.monotonicMs',
      },
    ],
    caughtBy: unit(
      'runs/engine/held-lease',
      "between look and request 'a lid was closed': the lease is read again before the request is sent",
    ),
  },
  {
    name: 'a-clock-set-back-hides-the-sleep',
    harm: 'A machine whose clock was set back acts on a Lease of which nobody knows how old it is.',
    changes: [
      {
        file: `${ENGINE}/lease-state.ts`,
        from: 'return !wasSetBack && elapsedMs(since, clock) <= ms',
        to: 'return (wasSetBack || true) && elapsedMs(since, clock) <= ms',
      },
    ],
    caughtBy: unit('runs/engine/held-lease', "an effect is sent where the clock 'was set back' since the look: false"),
  },
  {
    name: 'the-lease-is-not-asked-for-after-sleep',
    harm: 'After a sleep the run continues without reading its Lease.',
    changes: [
      {
        file: `${ENGINE}/drive-to-rest.ts`,
        from: "      lease.hold?.reacquire(because('MachineSlept', { ms: slept.ms }))\n",
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
        file: `${ENGINE}/lease-gate.ts`,
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
    name: 'a-lost-lease-fails-the-run',
    harm: 'A run whose node went to another console cannot be resumed.',
    changes: [
      {
        file: `${ENGINE}/run-rest.ts`,
        from: "      return leave(record, { code: 'LeaseLost', node, cause: reason.why.message })\n",
        to: "      return finish(record, 'failed', reason.why)\n",
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
        from: 'if (!renewed.ok) return retryIn(lease, renewed.failure)',
        to: 'if (!renewed.ok) return giveUp(lease, takenBy(renewed.failure)) ?? null',
      },
    ],
    caughtBy: unit(
      'runs/engine/defences',
      'a lease whose renewal hangs stops the run before the next effect once it would have run out',
    ),
  },
  {
    name: 'a-pause-is-forgotten-while-the-lease-is-away',
    harm: 'A run continues although an operator paused it.',
    changes: [{ file: `${ENGINE}/stop-switch.ts`, from: '  pause: 1,', to: '  pause: 0,' }],
    caughtBy: unit(
      'runs/engine/stop-switch',
      'a pause requested while the Lease is away still counts when the Lease is back',
    ),
  },
]
