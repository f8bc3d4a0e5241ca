import type { RunView, StepView } from './run.ts'
import { factText } from './run-facts.ts'

/** They move instances through Nova one by one, and apply decisions about each. */
const HEEDING: ReadonlySet<string> = new Set(['migrate-instances', 'bring-home'])

export function heedsDecisions({ step }: Pick<StepView, 'step'>): boolean {
  return HEEDING.has(step.kind)
}

/** Unfinished steps first, with the instance's name. */
export function stepOfInstance(
  { steps }: Pick<RunView, 'steps'>,
  instanceId: string,
): { readonly step: StepView; readonly name: string } | null {
  const found = steps.filter(heedsDecisions).flatMap(step => {
    const name = nameIn(step, instanceId)
    return name === null || !step.step.verbs.includes('apply') ? [] : [{ step, name }]
  })
  return found.find(({ step }) => !OVER.has(step.state)) ?? found.at(-1) ?? null
}

export function mayStillHeed({ state }: Pick<StepView, 'state'>): boolean {
  return !OVER.has(state)
}

const OVER: ReadonlySet<StepView['state']> = new Set(['applied', 'verified', 'nothing-to-do', 'skipped'])

function nameIn({ counted, facts, check }: StepView, instanceId: string): string | null {
  const reported = facts.find(({ subject }) => subject === `server/${instanceId}`)
  const effect = check?.effects.find(each => each.kind === 'instance' && each.id === instanceId)
  const seen = counted.find(({ id, kind }) => id === instanceId && kind === 'instance')
  if (reported === undefined && effect === undefined && seen === undefined) return null
  const named = reported === undefined ? null : factText(reported, 'name')
  return named ?? (effect?.kind === 'instance' ? effect.name : null) ?? seen?.name ?? instanceId
}

/** Every instance that a decision can concern. */
export function instancesOfRun({
  steps,
}: Pick<RunView, 'steps'>): readonly { readonly id: string; readonly name: string }[] {
  const ids = steps
    .filter(heedsDecisions)
    .flatMap(({ counted, facts, check }) => [
      ...facts.flatMap(({ subject }) => (subject.startsWith('server/') ? [subject.slice('server/'.length)] : [])),
      ...counted.flatMap(({ id, kind }) => (kind === 'instance' ? [id] : [])),
      ...(check?.effects.flatMap(effect => (effect.kind === 'instance' ? [effect.id] : [])) ?? []),
    ])
  return [...new Set(ids)].map(id => ({ id, name: stepOfInstance({ steps }, id)?.name ?? id }))
}
