import type { ReactNode } from 'react'
import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import type { ClusterWorkloadLock } from '../../shared/domain/maintenance-api.ts'
import { withInstanceNames } from '../../shared/words/instance-names.ts'
import { LOCK_WORDS } from '../../shared/words/nodes.ts'
import { Age } from './when.tsx'
import './lock-line.css'

const KIND_WORDS = {
  none: '',
  progress: 'continues automatically',
  blocked: 'needs you',
  trouble: 'in trouble, tries again automatically',
} as const

interface Props {
  readonly lock: Pick<
    ClusterWorkloadLock,
    'controller' | 'state' | 'errorMessage' | 'innerState' | 'progress' | 'release' | 'deletingSince' | 'faults'
  >
  /** The name of an instance; null if unknown. */
  readonly instanceName: (id: string) => string | null
}

/** A workload lock in words: its controller, its state, its message, and whether you must act. */
export function LockLine({ lock, instanceName }: Props): ReactNode {
  const message = parseLockMessage(lock.errorMessage)
  const begun = lock.innerState === 'active' && lock.state === 'active'
  return (
    <li className={`lock-line lock-line-${lock.state}`}>
      <div>
        <b>{lock.controller === '' ? 'no controller named' : lock.controller}</b>
        <span className="lock-state">{LOCK_WORDS[lock.state]}</span>
        {lock.release === null ? null : <span className="quiet">release {lock.release}</span>}
        {lock.deletingSince === null ? null : <span className="caution">being deleted</span>}
      </div>
      {begun ? <div className="quiet">Its controller has started on this node.</div> : null}
      {lock.progress === null ? null : (
        <div className="quiet">
          {lock.progress.percentage === null ? '' : `${lock.progress.percentage} % `}
          {lock.progress.description}
        </div>
      )}
      {message.kind === 'none' ? null : (
        <div className={message.kind === 'trouble' ? 'bad' : message.kind === 'blocked' ? 'caution' : ''}>
          {withInstanceNames(message.text, instanceName)}{' '}
          <span className="quiet">
            {KIND_WORDS[message.kind]}
            {message.at === null ? null : (
              <>
                , <Age at={message.at} />
              </>
            )}
          </span>
        </div>
      )}
      {lock.faults.map(fault => (
        <div key={fault} className="bad">
          Unexpected: {fault}
        </div>
      ))}
    </li>
  )
}
