import type { RunEvent, RunEventBody } from './run.ts'
import { factText, WAITS_FOR } from './run-facts.ts'

export interface ReportedAnswer extends Omit<Extract<RunEventBody, { kind: 'gate-answered' }>, 'kind'> {
  readonly at: string
  /** Whether it answers a problem, not a planned question. */
  readonly isOfTrouble: boolean
  /** What its step waited for when the answer came; null: the journal does not say. */
  readonly waitedFor: string | null
  /** Whether the step checks again after the answer; that check then shows what the answer overrides. */
  readonly leansOnAnswer: boolean
}

/** The open questions by id, and what each step waits for. */
interface AsksSoFar {
  readonly gates: Map<string, Extract<RunEventBody, { kind: 'gate-opened' }>>
  readonly waits: Map<string, string | null>
}

/** The answer in an event, or null. Adds the event's question or wait to the given maps, because later answers need them. */
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

/** Whether a question reports a problem: it offers to try again. Planned questions (a pause, or work that only a person can confirm) do not. */
export function isOfTrouble({ choices }: { readonly choices: readonly string[] }): boolean {
  return choices.includes('retry') || !choices.includes('continue')
}
