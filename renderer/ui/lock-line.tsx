import type { ReactNode } from 'react'
import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import type { ClusterWorkloadLock } from '../../shared/domain/maintenance-api.ts'
import { withInstanceNames } from '../../shared/words/instance-names.ts'
import { LOCK_WORDS } from '../../shared/words/nodes.ts'
import { Age } from './when.tsx'
import './lock-line.css'

const KIND_WORDS = {
  none: '',
  progress: 'moves on by itself',
  blocked: 'waits for somebody',
  trouble: 'in trouble, tried again by itself',
} as const

interface Props {
  readonly lock: Pick<
    ClusterWorkloadLock,
    'controller' | 'state' | 'errorMessage' | 'innerState' | 'progress' | 'release' | 'deletingSince' | 'faults'
  >
  /** What the name of an instance is; null where it is not known. */
  readonly instanceName: (id: string) => string | null
}

/** A workload lock in words: whose it is, how it stands, what it says and whether somebody has to do something. */
export function LockLine({ lock, instanceName }: Props): ReactNode {
  const message = parseLockMessage(lock.errorMessage)
  const begun = lock.innerState === 'active' && lock.state === 'active'
  return (
    <li className={`lock-line lock-line-${lock.state}`}>
      <div>
        <b>{lock.controller === '' ? 'nobody named' : lock.controller}</b>
        <span className="lock-state">{LOCK_WORDS[lock.state]}</span>
        {lock.release === null ? null : <span className="quiet">release {lock.release}</span>}
        {lock.deletingSince === null ? null : <span className="caution">being deleted</span>}
      </div>
      {begun ? <div className="quiet">Its controller has begun with this node.</div> : null}
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
                , said <Age at={message.at} />
              </>
            )}
          </span>
        </div>
      )}
      {lock.faults.map(fault => (
        <div key={fault} className="bad">
          Not as it should be: {fault}
        </div>
      ))}
    </li>
  )
}
