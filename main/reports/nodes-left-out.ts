import { counted, someOf } from '../../shared/grammar/counts.ts'
import { answersOf, type Material, stepOf } from './material.ts'

/** Nodes of the cloud that no run of the report was to work on, by the last look at all of them; null: nobody looked at all. */
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

/** Which nodes of the cloud were left out, in a sentence; empty: none, or nobody looked. */
export function leftOutWords(left: readonly string[] | null): string {
  if (left === null || left.length === 0) return ''
  return `${counted(left.length, 'node')} of the cloud ${left.length === 1 ? 'was' : 'were'} not in this work: ${someOf(left)}.`
}
