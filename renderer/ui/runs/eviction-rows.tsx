import type { ReactNode } from 'react'
import type { EvictionProgress } from '../../../shared/domain/pod-history.ts'
import { EVICTION_RANK } from '../../../shared/domain/run-progress.ts'
import { When } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'

interface Props {
  readonly evictions: readonly EvictionProgress[]
  readonly isOpen: boolean
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

const STATE_WORDS: Readonly<Record<EvictionProgress['state'], string>> = {
  requested: 'asked to leave',
  leaving: 'is leaving',
  held: 'has ended, and is kept',
  kept: 'eviction accepted, but nothing deletes it',
  refused: 'waits for its budget',
  left: 'left',
  failed: 'could not be evicted',
}

const STATE_TONES: Readonly<Partial<Record<EvictionProgress['state'], string>>> = {
  held: 'caution',
  kept: 'caution',
  refused: 'caution',
  left: 'good',
  failed: 'bad',
}

/** Each pod that must leave: what it waits for, since when, its attempts and time. */
export function EvictionRows({ evictions, isOpen, leftAt }: Props): ReactNode {
  const left = evictions.filter(({ state }) => state === 'left').length
  return (
    <details open={isOpen}>
      <summary>
        {left} of {evictions.length} pods left
      </summary>
      <table className="table long-table">
        <thead>
          <tr>
            <th scope="col">Pod</th>
            <th scope="col">State</th>
            <th scope="col">Attempt</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {[...evictions]
            .sort((a, b) => EVICTION_RANK[a.state] - EVICTION_RANK[b.state])
            .map(({ key, pod, state, note, retryAt, refusedSince, heldSince, attempt, startedAt, endedAt }) => (
              <tr key={key}>
                <td>
                  <b>{pod}</b>
                </td>
                <td className={STATE_TONES[state]}>
                  {STATE_WORDS[state]}
                  <Since at={refusedSince ?? heldSince} leftAt={leftAt} />
                  {note === '' ? null : <div className="quiet">{note}</div>}
                  {retryAt === null || leftAt !== null ? null : (
                    <div className="quiet">
                      Next attempt at <When at={retryAt} short />
                    </div>
                  )}
                </td>
                <td>{attempt}</td>
                <td>
                  <Elapsed from={startedAt} to={endedAt ?? leftAt} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  )
}

function Since({ at, leftAt }: { readonly at: string | null; readonly leftAt: string | null }): ReactNode {
  if (at === null) return null
  return (
    <span className="quiet">
      {' '}
      for <Elapsed from={at} to={leftAt} />
    </span>
  )
}
