import type { RunWaited, Waited } from '../domain/run-waited.ts'
import type { WaitedFor } from '../domain/wait-history.ts'
import { durationWords } from '../grammar/durations.ts'

const WHOM: Readonly<Record<WaitedFor, string>> = {
  answer: 'for you',
  owner: 'for owners',
  operator: 'for an operator',
  controller: 'for controllers',
  budget: 'for disruption budgets',
  world: 'for the cloud',
}

/** How long a run waited and for whom, the longest first; nothing under a second. */
export function waitedParts(
  waited: RunWaited,
  nowMs: number,
): readonly { readonly whom: string; readonly lasted: string }[] {
  return [...waited.whom]
    .map(([whom, own]) => ({ whom, ms: lastedMs(own, nowMs) }))
    .filter(({ ms }) => ms >= 1000)
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ whom, ms }) => ({ whom: WHOM[whom], lasted: durationWords(ms) }))
}

function lastedMs({ ms, since }: Waited, nowMs: number): number {
  return ms + (since === null ? 0 : nowMs - Date.parse(since))
}
