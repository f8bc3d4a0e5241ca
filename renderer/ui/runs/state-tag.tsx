import type { ReactNode } from 'react'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { conditionTitle } from '../../../shared/words/runs.ts'
import { useConnection } from '../../stores/connection.ts'
import { toneOf } from './live-runs.ts'
import './runs.css'

/** The state of a run, as a word with its colour; unknown for an active run while the console does not answer. */
export function StateTag({ condition }: { readonly condition: RunCondition }): ReactNode {
  const isAnswering = useConnection(
    ({ connection }) => connection.kind === 'connected' || connection.kind === 'connecting',
  )
  const word = conditionTitle(condition)
  if (!isAnswering && condition.kind !== 'over') {
    return (
      <span
        className="badge run-tone-rest"
        title={`The console does not answer, so the state of the run is unknown. Last known: ${word}.`}
      >
        Unknown
      </span>
    )
  }
  return <span className={`badge run-tone-${toneOf(condition)}`}>{word}</span>
}
