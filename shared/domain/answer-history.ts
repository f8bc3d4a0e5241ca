import type { RunEvent, RunEventBody } from './run.ts'
import { factText, WAITS_FOR } from './run-facts.ts'

/** A question of a run that was answered. */
export interface ToldAnswer extends Omit<Extract<RunEventBody, { kind: 'gate-answered' }>, 'kind'> {
  readonly at: string
  /** It was asked because something was not as it should be. */
  readonly isOfTrouble: boolean
  /** What its step waited for when the answer came; null: the journal does not say. */
  readonly waitedFor: string | null
  /** The step looks again: what it overrides then is told of the check. */
  readonly leansOnAnswer: boolean
}

/** What was asked and waited for so far, as far as the next answer leans on it. */
interface AsksSoFar {
  readonly gates: Map<string, Extract<RunEventBody, { kind: 'gate-opened' }>>
  readonly waits: Map<string, string | null>
}

/** The answer that an event tells of; null: none. What it asks or waits for is kept for the answers after it. */
export function answerIn({ at, body }: Pick<RunEvent, 'at' | 'body'>, { gates, waits }: AsksSoFar): ToldAnswer | null {
  if (body.kind === 'fact' && body.fact === WAITS_FOR) waits.set(body.stepId, factText(body, 'what'))
  if (body.kind === 'gate-opened') gates.set(body.gateId, body)
  if (body.kind !== 'gate-answered') return null
  const { kind: _, ...answer } = body
  const asked = gates.get(body.gateId)
  return {
    ...answer,
    at,
    isOfTrouble: asked !== undefined && isOfTrouble(asked),
    waitedFor: waits.get(body.stepId) ?? null,
    leansOnAnswer: asked?.leansOnAnswer === true,
  }
}

/**
 * Whether a question was asked because something was not as it should be: one that also offers to try again. One without that choice was planned: a pause, or
 * work that only a person can call done.
 */
export function isOfTrouble({ choices }: { readonly choices: readonly string[] }): boolean {
  return choices.includes('retry') || !choices.includes('continue')
}
