import type { RunSummary } from '../../../shared/contract/index.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { isReached } from '../../../shared/domain/run-ending.ts'
import { conditionWord } from '../../../shared/words/conditions.ts'
import { RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { ALL_RUNS, type RunFilter } from '../../stores/looks.ts'

const PASSES: Readonly<Record<RunFilter['states'], (run: RunSummary) => boolean>> = {
  all: () => true,
  open: ({ condition }) => condition.kind !== 'over',
  'needs-you': ({ condition }) => needsSomebody(condition),
  failed: ({ condition }) =>
    condition.kind === 'over' && !isReached(condition.ending) && condition.outcome !== 'handed-over',
  done: ({ condition }) => condition.kind === 'over' && isReached(condition.ending),
}

/** The runs of a cluster or node that pass: unfinished ones first, of them those that need you, then the newest. */
export function listedRuns(
  list: readonly RunSummary[],
  cluster: string,
  node: string | null,
  filter: RunFilter = ALL_RUNS,
): readonly RunSummary[] {
  const passes = PASSES[filter.states]
  const text = filter.text.trim().toLowerCase()
  return list
    .filter(
      run =>
        run.cluster === cluster &&
        (node === null || run.node === node) &&
        passes(run) &&
        (text === '' || textOf(run).includes(text)),
    )
    .sort((a, b) => orderOf(a) - orderOf(b) || b.createdAt.localeCompare(a.createdAt))
}

function orderOf({ condition }: RunSummary): number {
  return condition.kind === 'over' ? 2 : needsSomebody(condition) ? 0 : 1
}

function textOf({ id, node, operator, machine, summary, kind, condition }: RunSummary): string {
  return [id, node, operator, machine, summary, RUN_KIND_WORDS[kind], conditionWord(condition)].join(' ').toLowerCase()
}

/** The run a number of rows away in the list; stays at its ends. */
export function runBeside(runs: readonly RunSummary[], id: string | null, by: number): RunSummary | null {
  const at = runs.findIndex(run => run.id === id)
  const to = at < 0 ? 0 : Math.min(runs.length - 1, Math.max(0, at + by))
  return runs[to] ?? null
}
