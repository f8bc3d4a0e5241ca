import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { setMarks } from '../instances/set-marks.ts'
import './runs.css'

interface Props {
  readonly cluster: string
  readonly instances: RunWait['instances']
}

/** The instances whose owners a run waits for, each with its migration mode to set. */
export function OwnerModes({ cluster, instances }: Props): ReactNode {
  return (
    <ul className="run-owner-modes" aria-label="Migration modes">
      {instances.map(({ id, name }) => (
        <OwnerMode key={id} cluster={cluster} id={id} name={name} />
      ))}
    </ul>
  )
}

/** `notify` is the mode that waits, so it does not help. */
const WAYS_ON = ['live_migrate', 'poweroff'] as const
const HOSTS_DEFAULT = 'default'

function OwnerMode({ cluster, id, name }: { readonly cluster: string } & RunWait['instances'][number]): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const set = (value: string) => {
    setAsked(true)
    const actions = WAYS_ON.filter(action => action === value)
    void setMarks(cluster, [id], actions).then(setAsked)
  }
  return (
    <li className="row">
      <b className="mono cut">{name}</b>
      {isAsked ? (
        <span role="status">Requested. The run uses it at its next check.</span>
      ) : (
        <HTMLSelect
          minimal
          value=""
          aria-label={`Migration mode of ${name}`}
          options={[
            { value: '', label: 'Migration mode…', disabled: true },
            ...WAYS_ON.map(action => ({ value: action, label: MARK_WORDS[action] })),
            { value: HOSTS_DEFAULT, label: 'No mode: the mode of its node decides' },
          ]}
          onChange={({ currentTarget: { value } }) => set(value)}
        />
      )}
    </li>
  )
}
