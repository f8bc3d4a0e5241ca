import { counted, someOf } from '../../shared/grammar/counts.ts'
import { answersOf, historyOfRun, type Material, nodeOfStep, type ReportedRun, stepOf } from './material.ts'

/** A step that a person ended with "continue" while it still waited. */
export interface ContinuedStep {
  readonly at: string
  readonly gateId: string
  readonly by: string
  readonly title: string
  readonly node: string
  /** What it waited for at the answer; null if unknown. */
  readonly waitedFor: string | null
}

export function continuedSteps(run: ReportedRun): readonly ContinuedStep[] {
  const { answers } = historyOfRun(run)
  return answers
    .filter(({ choice, isOfTrouble, leansOnAnswer }) => choice === 'continue' && isOfTrouble && !leansOnAnswer)
    .map(({ at, gateId, by, stepId, waitedFor }) => {
      const step = stepOf(run, stepId)
      return { at, gateId, by, title: step?.title ?? stepId, node: nodeOfStep(run, step), waitedFor }
    })
}

/** The note that a person continued past a step, and what it waited for. */
export function continuedWords({ by, title, waitedFor }: ContinuedStep): string {
  const past = `${by} continued past "${title}"`
  return waitedFor === null ? `${past}, which was not done.` : `${past}. It still waited for: ${waitedFor}.`
}

/** Nodes of the cloud outside every plan, by the last check that read all nodes; null if no run read them all. */
export function nodesLeftOut({ runs, timeline }: Pick<Material, 'runs' | 'timeline'>): readonly string[] | null {
  const looks = runs.flatMap(run =>
    answersOf(run).flatMap(({ stepId, answer }) =>
      stepOf(run, stepId)?.kind === 'whole-cluster-verified' ? answer.evidence : [],
    ),
  )
  const all = looks.map(({ values }) => values.nodes).findLast(nodes => Array.isArray(nodes))
  if (!Array.isArray(all)) return null
  const names = all.flatMap(each =>
    typeof each === 'object' && each !== null && 'name' in each && typeof each.name === 'string' ? [each.name] : [],
  )
  return names.filter(name => timeline.lanes.every(({ node }) => node !== name))
}

/** The nodes of the cloud that were left out; empty if there is none, or unknown. */
export function leftOutWords(left: readonly string[] | null): string {
  if (left === null || left.length === 0) return ''
  return `${counted(left.length, 'node')} of the cloud ${left.length === 1 ? 'was' : 'were'} not in this work: ${someOf(left)}.`
}
