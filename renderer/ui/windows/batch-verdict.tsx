import { memo, type ReactNode } from 'react'
import type { BatchCapacity, JudgedBatch } from '../../../shared/domain/batches.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import './batch-verdict.css'

interface Props {
  /** Null if not judged yet. */
  readonly judged: JudgedBatch | null
  /** False if it judges an earlier arrangement. */
  readonly isCurrent: boolean
  /** How long the batch takes, empty if unknown; given where cards show its nodes and what blocks them. */
  readonly takes?: string
}

/** The verdict on a batch: whether the rest of the cloud has room for its instances, and the rules it breaks. */
export const BatchVerdict = memo(function BatchVerdict({ judged, isCurrent, takes }: Props): ReactNode {
  if (judged === null) return isCurrent ? null : <p className="win-verdict quiet">Checking…</p>
  const said = takes !== undefined ? judged.problems.filter(({ rule }) => rule !== 'plan-blocked') : judged.problems
  return (
    <div className={`win-verdict${isCurrent ? '' : ' win-old'}`}>
      {takes !== undefined && judged.capacity.kind === 'fits' ? (
        <p className="quiet">{[movesWords(judged.capacity.moving), takes].filter(part => part !== '').join(', ')}</p>
      ) : (
        <Capacity capacity={judged.capacity} isWhole={judged.problems.length === 0} />
      )}
      {said.length === 0 ? null : (
        <ul className="win-problems">
          {said.map(({ rule, weight, words }) => (
            <li key={`${rule} ${words}`} className={weight === 'hard' ? 'bad' : 'caution'}>
              {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
})

function movesWords(moving: number): string {
  return moving === 0 ? 'No instance moves' : `${counted(moving, 'instance')} ${moving === 1 ? 'moves' : 'move'}`
}

interface CapacityProps {
  readonly capacity: BatchCapacity
  /** There is no other problem: room alone does not make a batch good. */
  readonly isWhole: boolean
}

function Capacity({ capacity, isWhole }: CapacityProps): ReactNode {
  switch (capacity.kind) {
    case 'fits':
      return (
        <p className={isWhole ? 'good' : ''}>
          {capacity.moving === 0 ? movesWords(0) : `Room for ${counted(capacity.moving, 'instance')} to move`}
        </p>
      )
    case 'does-not-fit':
      return (
        <details className="bad">
          <summary>
            Does not fit: {capacity.instances.length} of {counted(capacity.moving, 'instance')}
          </summary>
          <ul>
            {capacity.instances.map(({ id, name, host, why }) => (
              <li key={id} title={id}>
                <b>{name}</b> on {host}: {why}
              </li>
            ))}
          </ul>
        </details>
      )
    case 'cannot-tell':
      return (
        <p className="caution">
          Cannot tell whether {counted(capacity.moving, 'instance')} fit: {capacity.why}
        </p>
      )
  }
}
