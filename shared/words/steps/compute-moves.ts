import { counted } from '../../grammar/counts.ts'
import type { Cause, FaultText, Finding, OfHost, TextsOf } from './coded.ts'

/** `host` null: it is on none. */
type Where = {
  readonly host: string | null
}

/** Who decided about an instance, and why; `reason` empty: nobody said. */
type Decided = {
  readonly by: string | null
  readonly reason: string
  readonly isByRule: boolean
}

/** What becomes of a move; each goes on after the name of an instance. */
export const MOVE_FINDINGS = {
  DecidedToMigrateCold: (decided: Decided) => `it is migrated cold, ${decidedWords(decided)}`,
  DecidedToStop: (decided: Decided) => `it is stopped, ${decidedWords(decided)}`,
  DecidedToStay: (decided: Decided) => `it stays, ${decidedWords(decided)}`,
  ResizedMeanwhile: ({ host }: Where) =>
    `somebody resized it meanwhile, and it waits on ${host ?? 'no host'} until they confirm or revert that`,
  ArrivedUnconfirmed: ({ host, cause }: Where & Cause) =>
    `it arrived on ${host ?? 'another host'}, but its cold migration could not be confirmed: ${cause}`,
  GivenUpAfterAttempts: ({ cause, attempts }: { readonly cause: Finding; readonly attempts: number }) =>
    `${cause.message} (${counted(attempts, 'attempt')} made)`,
} satisfies TextsOf<string>

/** What is in the way of moves. */
export const MOVE_FAULTS = {
  InstancesNotAllTold: ({ host, causes }: { readonly host: string; readonly causes: readonly string[] }) => ({
    message: `Nova cannot tell every instance on ${host}: ${causes.join('; ')}.`,
    remedy: 'Mend the cell, then resume.',
  }),
  StoppedBeforeLook: (_host: OfHost) => ({
    message: 'The run stopped before the host was looked at.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

function decidedWords({ by, reason, isByRule }: Decided): string {
  const who = isByRule ? 'by the rule of the plan' : `as ${by ?? 'somebody'} decided`
  return reason === '' ? who : `${who}: ${reason}`
}
