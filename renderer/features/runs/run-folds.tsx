import { type ReactNode, useMemo } from 'react'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { factText, MIGRATION_FAILED } from '../../../shared/domain/run-facts.ts'
import { factsInOrder } from '../../../shared/domain/run-history.ts'
import { stepTally } from '../../../shared/domain/step-tally.ts'
import { stepTallyWords } from '../../../shared/words/step-tally.ts'
import { RunSteps } from '../../ui/runs/run-steps.tsx'
import { Said } from '../../ui/said.tsx'
import { When } from '../../ui/when.tsx'
import { RunLog } from './run-log.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** What only some readers open: steps, what Nova said, and the log. */
export function RunFolds({ view, events, leftAt }: Props): ReactNode {
  const acting = view.steps.filter(({ step }) => step.verbs.includes('apply'))
  const done = acting.filter(({ state }) => DONE.has(state)).length
  return (
    <div className="run-folds">
      <details className="run-fold panel-card" aria-label="Steps">
        <summary>
          <h3>Steps</h3>
          <span className="quiet">
            {view.endedAt === null ? `${done} of ${acting.length} done` : stepTallyWords(stepTally(view.steps))}
          </span>
        </summary>
        <RunSteps view={view} events={events} leftAt={leftAt} />
      </details>
      <NovaSaid view={view} />
      <RunLog events={events} view={view} />
    </div>
  )
}

const DONE: ReadonlySet<RunView['steps'][number]['state']> = new Set(['applied', 'verified', 'nothing-to-do'])

/** Why moves failed, in Nova's words. */
function NovaSaid({ view }: { readonly view: RunView }): ReactNode {
  const lines = useMemo(
    () =>
      factsInOrder(view.steps).flatMap(fact =>
        fact.fact === MIGRATION_FAILED
          ? [{ at: fact.at, name: factText(fact, 'name') ?? '', why: factText(fact, 'why') ?? '' }]
          : [],
      ),
    [view],
  )
  if (lines.length === 0) return null
  return (
    <details className="run-fold panel-card">
      <summary>
        <h3>What Nova said</h3>
        <span className="quiet">{lines.length}</span>
      </summary>
      <ul className="plain-list small breaks">
        {lines.map(({ at, name, why }) => (
          <li key={`${at} ${name}`}>
            <When at={at} short /> <b className="mono">{name}</b> <Said text={why} />
          </li>
        ))}
      </ul>
    </details>
  )
}
