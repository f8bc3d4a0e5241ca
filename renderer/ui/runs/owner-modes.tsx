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

/** Each instance that a run waits for the owner of, with its migration mode to be set in place: one by one, where all at once would be too much. */
export function OwnerModes({ cluster, instances }: Props): ReactNode {
  return (
    <ul className="run-owner-modes" aria-label="Migration modes">
      {instances.map(({ id, name }) => (
        <OwnerMode key={id} cluster={cluster} id={id} name={name} />
      ))}
    </ul>
  )
}

/** `notify` is what the run waits with, so it is no way on. */
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
        <span role="status">Requested. The run goes by it at its next look.</span>
      ) : (
        <HTMLSelect
          minimal
          value=""
          aria-label={`Migration mode of ${name}`}
          options={[
            { value: '', label: 'Migration mode…', disabled: true },
            ...WAYS_ON.map(action => ({ value: action, label: MARK_WORDS[action] })),
            { value: HOSTS_DEFAULT, label: 'No mark: the mode of its host decides' },
          ]}
          onChange={({ currentTarget: { value } }) => set(value)}
        />
      )}
    </li>
  )
}
