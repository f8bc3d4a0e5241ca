import { type ReactNode, useCallback } from 'react'
import type { LockProgress } from '../../../shared/domain/run-progress.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { LockLine } from '../../ui/lock-line.tsx'

interface Props {
  readonly cluster: string
  readonly locks: readonly LockProgress[]
  readonly isOpen: boolean
}

/** Each lock that a step waits for: whose it is, how it stands and what its controller said last. */
export function LockRows({ cluster, locks, isOpen }: Props): ReactNode {
  const nameOf = useCallback(
    (id: string) => lastOf(useViews.getState().byCluster.get(cluster))?.instances.get(id)?.name ?? id,
    [cluster],
  )
  const settled = locks.filter(lock => !lock.isOpen).length
  return (
    <details open={isOpen}>
      <summary>
        {settled} of {counted(locks.length, 'lock')} as it should be
      </summary>
      <ul className="lock-lines" aria-label="Locks">
        {locks.map(({ name, controller, state, message }) => (
          <LockLine key={name} lock={{ ...UNTOLD, controller, state, errorMessage: message }} instanceName={nameOf} />
        ))}
      </ul>
    </details>
  )
}

/** What a run's journal does not keep of a lock. */
const UNTOLD = { innerState: null, progress: null, release: null, deletingSince: null, faults: [] }
