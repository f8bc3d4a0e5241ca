import { factText, WAITS_FOR } from '../../shared/domain/run-facts.ts'
import { nodeOfStep, type ReportedRun, stepOf } from './material.ts'

/** A step that a person ended with "continue" while what it waited for was not there. */
export interface ContinuedStep {
  readonly at: string
  readonly gateId: string
  readonly by: string
  readonly title: string
  /** Empty: the whole cluster. */
  readonly node: string
  /** What it waited for when the answer came; null: the journal does not say. */
  readonly waitedFor: string | null
}

/**
 * Steps of a run that somebody continued past. A question that also offers to try again was asked because the world was not as the step needs it;
 * one without that choice was planned: a pause, or work that only a person can call done.
 */
export function continuedSteps(run: ReportedRun): readonly ContinuedStep[] {
  const troubled = new Set<string>()
  const waits = new Map<string, string | null>()
  const continued: ContinuedStep[] = []
  for (const { at, body } of run.events) {
    if (body.kind === 'fact' && body.fact === WAITS_FOR) waits.set(body.stepId, factText(body, 'what'))
    // With `leansOnAnswer` the step looks again: what it overrides then is told of the check.
    if (body.kind === 'gate-opened' && isOfTrouble(body) && body.leansOnAnswer !== true) troubled.add(body.gateId)
    if (body.kind !== 'gate-answered' || body.choice !== 'continue' || !troubled.has(body.gateId)) continue
    const { stepId, gateId, by } = body
    const step = stepOf(run, stepId)
    const title = step?.title ?? stepId
    continued.push({ at, gateId, by, title, node: nodeOfStep(run, step), waitedFor: waits.get(stepId) ?? null })
  }
  return continued
}

/** Whether a question was asked because something was not as it should be. */
export function isOfTrouble({ choices }: { readonly choices: readonly string[] }): boolean {
  return choices.includes('retry') || !choices.includes('continue')
}

/** Who continued past what, and what it still waited for then, in a sentence or two. */
export function continuedWords({ by, title, waitedFor }: ContinuedStep): string {
  const past = `${by} continued past "${title}"`
  return waitedFor === null ? `${past}, which was not done.` : `${past}. It still waited for: ${waitedFor}.`
}
