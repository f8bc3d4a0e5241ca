import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { setMarks } from '../instances/set-marks.ts'
import { ChoiceDialog } from './choice-button.tsx'
import { ownerChoices } from './choices.ts'
import './runs.css'

interface Props {
  readonly cluster: string
  readonly node: string | null
  readonly instances: RunWait['instances']
}

/** The instances whose owners a run waits for, each with its migration mode to set. */
export function OwnerModes({ cluster, node, instances }: Props): ReactNode {
  return (
    <ul className="run-owner-modes" aria-label="Migration modes">
      {instances.map(instance => (
        <OwnerMode key={instance.id} cluster={cluster} node={node} instance={instance} />
      ))}
    </ul>
  )
}

/** `notify` is the mode that waits, so it does not help. */
const WAYS_ON = ['live_migrate', 'poweroff'] as const
const HOSTS_DEFAULT = 'default'

interface ModeProps extends Pick<Props, 'cluster' | 'node'> {
  readonly instance: RunWait['instances'][number]
}

function OwnerMode({ cluster, node, instance }: ModeProps): ReactNode {
  const { id, name } = instance
  const [isAsked, setAsked] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const isProduction = useIsProduction(cluster)
  const stop = ownerChoices(cluster, { instances: [instance], node }).find(({ key }) => key === 'poweroff')
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
          onChange={({ currentTarget: { value } }) =>
            value === 'poweroff' && isProduction ? setConfirming(true) : set(value)
          }
        />
      )}
      {stop === undefined ? null : (
        <ChoiceDialog
          choice={stop}
          isOpen={confirming}
          onClose={() => setConfirming(false)}
          send={async reason => {
            const answer = await stop.send(reason)
            setAsked(answer?.ok === true)
            return answer
          }}
        />
      )}
    </li>
  )
}
