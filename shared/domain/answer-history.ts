import type { RunEvent, RunEventBody } from './run.ts'
import { factText, WAITS_FOR } from './run-facts.ts'

export interface ReportedAnswer extends Omit<Extract<RunEventBody, { kind: 'gate-answered' }>, 'kind'> {
  readonly at: string
  readonly isOfTrouble: boolean
  /** Null if the journal does not say. */
  readonly waitedFor: string | null
  /** The step checks again after the answer; that check shows what the answer overrides. */
  readonly leansOnAnswer: boolean
}

interface AsksSoFar {
  readonly gates: Map<string, Extract<RunEventBody, { kind: 'gate-opened' }>>
  readonly waits: Map<string, string | null>
}

/** The answer in an event, or null. Adds the event's question or wait to the maps, because later answers need them. */
export function answerIn(
  { at, body }: Pick<RunEvent, 'at' | 'body'>,
  { gates, waits }: AsksSoFar,
): ReportedAnswer | null {
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

/** A problem offers to try again. A pause, or work that only a person can confirm, does not. */
export function isOfTrouble({ choices }: { readonly choices: readonly string[] }): boolean {
  return choices.includes('retry') || !choices.includes('continue')
}
