import { counted } from '../../grammar/counts.ts'
import type { Cause, FaultText, Finding, OfHost, TextsOf } from './coded.ts'

/** `host` null: the instance is on no host. */
type Where = {
  readonly host: string | null
}

/** The decision about an instance; `reason` empty: the operator gave none. */
type Decided = {
  readonly by: string | null
  readonly reason: string
  readonly isByRule: boolean
}

/** The result of a move: a phrase that follows the name of an instance. */
export const MOVE_FINDINGS = {
  DecidedToMigrateCold: (decided: Decided) => `it moves with downtime, ${decidedWords(decided)}`,
  DecidedToStop: (decided: Decided) => `it stops, ${decidedWords(decided)}`,
  DecidedToStay: (decided: Decided) => `it stays, ${decidedWords(decided)}`,
  ResizedMeanwhile: ({ host }: Where) =>
    `its owner resized it meanwhile, and it waits on ${host ?? 'no node'} until they confirm or revert that`,
  ArrivedUnconfirmed: ({ host, cause }: Where & Cause) =>
    `it arrived on ${host ?? 'another node'}, but Nova did not confirm its cold migration: ${cause}`,
  GivenUpAfterAttempts: ({ cause, attempts }: { readonly cause: Finding; readonly attempts: number }) =>
    `${cause.message} (gave up after ${counted(attempts, 'attempt')})`,
} satisfies TextsOf<string>

export const MOVE_FAULTS = {
  InstancesNotAllTold: ({ host, causes }: { readonly host: string; readonly causes: readonly string[] }) => ({
    message: `Nova cannot list all instances on ${host}: ${causes.join('; ')}.`,
    remedy: 'Fix the cell, then resume.',
  }),
  StoppedBeforeLook: (_host: OfHost) => ({
    message: 'The run stopped before it checked the node.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

function decidedWords({ by, reason, isByRule }: Decided): string {
  const who = isByRule ? 'by the rule of the plan' : `as ${by ?? 'an operator'} decided`
  return reason === '' ? who : `${who}: ${reason}`
}
