import type { Finding } from '../../../shared/words/steps/coded.ts'

/** Why a run starts nothing more. `lease-away` and `pause` may end; the others are final for this driver. */
export type StopReason =
  /** Its Lease expired or was removed, and no other holder is known: the run tries to take it back. */
  | { readonly kind: 'lease-away' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'detach'; readonly by: string; readonly handsOver?: true }
  | { readonly kind: 'abort'; readonly by: string; readonly reason: string }
  | { readonly kind: 'lease-lost'; readonly why: Finding }
  /** Another process drives the run now; this one may not even write. */
  | { readonly kind: 'replaced' }
  /** The journal cannot be written: later nobody could tell what the run did. */
  | { readonly kind: 'journal-refused'; readonly why: string }

/** Urgency of a reason: a more urgent one replaces an earlier one. */
const URGENCY: Readonly<Record<StopReason['kind'], number>> = {
  'lease-away': 0,
  pause: 1,
  detach: 2,
  abort: 3,
  'lease-lost': 4,
  replaced: 5,
  'journal-refused': 6,
}

/** The one way to stop a run: all its waits and requests use the signal (style G24). */
export interface StopSwitch {
  readonly signal: AbortSignal
  reason(): StopReason | null
  stop(reason: StopReason): void
  /** Starts nothing new (a node, a phase); what is in progress finishes, then the run pauses. */
  hold(): void
  isHeld(): boolean
  /** Continues after a pause and cancels a hold: a new signal, no reason. Does nothing after a final stop. */
  unpause(): void
  /** Continues when the Lease is back: like {@link unpause}, but cancels nothing else. */
  leaseIsBack(): void
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
    unpause: () => {
      held = false
      if (reason?.kind === 'pause') fresh()
    },
    leaseIsBack: () => {
      if (reason?.kind === 'lease-away') fresh()
    },
    changed: () => new Promise(resolve => waiting.push(resolve)),
  }
}
