import type { Finding } from '../../../shared/words/steps/coded.ts'

/** Why a run stops starting things. `lease-away` and `pause` may go on again; the others are final for this driver. */
export type StopReason =
  /** Its Lease ran out or was taken off it, and nobody else is known to hold it: the run tries to take it back. */
  | { readonly kind: 'lease-away' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'detach'; readonly by: string; readonly handsOver?: true }
  | { readonly kind: 'abort'; readonly by: string; readonly reason: string }
  | { readonly kind: 'lease-lost'; readonly why: Finding }
  /** Another process drives the run now; this one may not even write. */
  | { readonly kind: 'replaced' }
  /** The journal cannot be written: nobody could tell later what the run did. */
  | { readonly kind: 'journal-refused'; readonly why: string }

/** How urgent a reason is: a later, more urgent one replaces the earlier. */
const URGENCY: Readonly<Record<StopReason['kind'], number>> = {
  'lease-away': 0,
  pause: 1,
  detach: 2,
  abort: 3,
  'lease-lost': 4,
  replaced: 5,
  'journal-refused': 6,
}

/** The one way to stop a run: every wait and request of it hears the signal (style G24). */
export interface StopSwitch {
  readonly signal: AbortSignal
  reason(): StopReason | null
  stop(reason: StopReason): void
  /** Nothing new (a node, a phase) is to be begun; what is under way is finished, then the run pauses. */
  hold(): void
  isHeld(): boolean
  /** Goes on after a pause, and calls a hold off: a fresh signal, no reason. Does nothing when stopped for good. */
  goOn(): void
  /** Goes on when the Lease is back: as {@link goOn}, but nothing else is called off. */
  leaseIsBack(): void
  /** Resolves when the reason changes: pausing, going on, stopping for good. */
  changed(): Promise<void>
}

export function createStopSwitch(): StopSwitch {
  let controller = new AbortController()
  let reason: StopReason | null = null
  let held = false
  let waiting: (() => void)[] = []
  const report = () => {
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }
  const fresh = () => {
    reason = null
    controller = new AbortController()
    report()
  }
  return {
    get signal() {
      return controller.signal
    },
    reason: () => reason,
    stop: next => {
      if (reason !== null && URGENCY[next.kind] <= URGENCY[reason.kind]) return
      reason = next
      controller.abort()
      report()
    },
    hold: () => {
      held = true
    },
    isHeld: () => held,
    goOn: () => {
      held = false
      if (reason?.kind === 'pause') fresh()
    },
    leaseIsBack: () => {
      if (reason?.kind === 'lease-away') fresh()
    },
    changed: () => new Promise(resolve => waiting.push(resolve)),
  }
}
