import { ProgressBar } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { isOutOfTheWay } from '../../../shared/domain/instance-state.ts'
import type { Copying } from '../../../shared/domain/migration-pace.ts'
import type { MigrationProgress } from '../../../shared/domain/run-progress.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { COPYING_WORDS } from '../../../shared/words/copying.ts'
import { Elapsed } from './elapsed.tsx'

interface Props {
  readonly migrations: readonly MigrationProgress[]
  readonly isOpen: boolean
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

type Way = MigrationProgress['state'] | Exclude<Copying, 'copying'> | 'unknown'

const WAY_WORDS: Readonly<Record<Way, string>> = {
  running: COPYING_WORDS.copying,
  'not-converging': COPYING_WORDS['not-converging'],
  still: COPYING_WORDS.still,
  unknown: 'unknown: not followed to the end',
  moved: 'moved',
  again: 'failed, tried again',
  'given-up': 'gave up',
  stopped: 'stopped',
  started: 'stopped, and started again',
  settled: 'no longer needs a move',
  left: 'still here',
}

const WAY_TONES: Readonly<Partial<Record<Way, string>>> = {
  'not-converging': 'caution',
  still: 'caution',
  unknown: 'caution',
  moved: 'good',
  again: 'caution',
  'given-up': 'bad',
}

/** Each migration: from where to where, its progress, attempts and time. */
export function MigrationRows({ migrations, isOpen, leftAt }: Props): ReactNode {
  const moved = migrations.filter(({ state }) => state === 'moved').length
  const running = migrations.filter(({ state, copying }) => state === 'running' && copying === 'copying').length
  const troubled = migrations.length - running - migrations.filter(({ state }) => isOutOfTheWay(state)).length
  return (
    <details open={isOpen}>
      <summary>
        {listed([
          `${moved} moved`,
          ...(running > 0 ? [`${running} ${leftAt === null ? 'migrating' : 'not followed to its end'}`] : []),
          ...(troubled > 0 ? [`${troubled} in trouble`] : []),
        ])}
      </summary>
      <table className="table long-table">
        <thead>
          <tr>
            <th scope="col">Instance</th>
            <th scope="col">From and to</th>
            <th scope="col">Memory copied</th>
            <th scope="col">State</th>
            <th scope="col">Attempt</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {migrations.map(each => (
            <tr key={each.subject}>
              <td>
                <b>{each.name}</b>
              </td>
              <td>
                {each.from ?? '?'} → {each.state === 'moved' ? each.note : <span className="quiet">Nova chooses</span>}
              </td>
              <td>{leftAt === null || each.state !== 'running' ? <Copied migration={each} /> : null}</td>
              <td className={WAY_TONES[wayOf(each, leftAt)]}>
                {WAY_WORDS[wayOf(each, leftAt)]}
                {each.state === 'moved' || each.note === '' ? null : <div className="quiet">{each.note}</div>}
              </td>
              <td>{each.attempt}</td>
              <td>
                <Elapsed from={each.startedAt} to={each.endedAt ?? leftAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function wayOf({ state, copying }: MigrationProgress, leftAt: string | null): Way {
  if (state !== 'running') return state
  return leftAt !== null ? 'unknown' : copying === 'copying' ? 'running' : copying
}

function Copied({ migration }: { readonly migration: MigrationProgress }): ReactNode {
  const { state, percent, bytes: copied, name } = migration
  if (state === 'moved') return <span className="quiet">all</span>
  if (state !== 'running') return null
  if (percent === null) return <span title="Nova has not reported it yet">unknown</span>
  return (
    <div className="run-copied">
      <ProgressBar value={percent / 100} stripes={false} intent="primary" aria-label={`${name}: memory copied`} />
      <span className="number">
        {percent} %{copied === null ? '' : `, ${bytes(copied.copied)} of ${bytes(copied.total)}`}
      </span>
    </div>
  )
}
