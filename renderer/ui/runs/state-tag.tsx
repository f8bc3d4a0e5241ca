import type { ReactNode } from 'react'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { conditionTitle } from '../../../shared/words/runs.ts'
import { useConnection } from '../../stores/connection.ts'
import { toneOf } from './live-runs.ts'
import './runs.css'

/** What a run is, in a word with its colour; of one that may have gone on while the console does not answer, that it is not known. */
export function StateTag({ condition }: { readonly condition: RunCondition }): ReactNode {
  const isAnswering = useConnection(
    ({ connection }) => connection.kind === 'connected' || connection.kind === 'connecting',
  )
  const word = conditionTitle(condition)
  if (!isAnswering && condition.kind !== 'over') {
    return (
      <span
        className="run-state run-tone-rest"
        title={`The console does not answer: whether anybody drives it is not known. Last heard: ${word}.`}
      >
        Not known
      </span>
    )
  }
  return <span className={`run-state run-tone-${toneOf(condition)}`}>{word}</span>
}
