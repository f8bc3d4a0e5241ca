import { Button } from '@blueprintjs/core'
import { Cross, Undo } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { dismissRefusals } from '../../bridge/instances.ts'
import { undoOf, useEdits } from '../../stores/edits.ts'
import { changeInstanceFilter, type InstanceFilter, NO_INSTANCE_FILTER } from '../../stores/instance-lists.ts'
import { counted } from '../../words/numbers.ts'
import { takeBack } from './set-marks.ts'
import { tellOfEdits, useTold } from './told.ts'
import { useRefused } from './use-shown-instances.ts'

interface Props {
  readonly cluster: string
  readonly listKey: string
  readonly filter: InstanceFilter
}

/** What came of the last edit by hand, and the edits that were refused, until the operator has read them. */
export function ToldStrip({ cluster, listKey, filter }: Props): ReactNode {
  const told = useTold(({ last }) => last.get(cluster) ?? null)
  const undoable = useEdits(store => undoOf(store, cluster))
  const refused = useRefused(cluster)
  return (
    <div className="inst-told" role="status">
      {told === null ? null : (
        <p>
          <span>{told.words}</span>
          {told.undo !== null && undoable.includes(told.undo) ? (
            <Button
              size="small"
              variant="minimal"
              icon={<Undo size={12} />}
              text="Undo"
              onClick={() => void takeBack(cluster, told.undo ?? undefined)}
            />
          ) : null}
          <Button
            size="small"
            variant="minimal"
            icon={<Cross size={12} />}
            aria-label="Dismiss this message"
            onClick={() => tellOfEdits(cluster, null)}
          />
        </p>
      )}
      {refused.size === 0 ? null : (
        <p className="inst-alarm">
          <span>{`${counted(refused.size, 'instance')} not set as asked.`}</span>
          <Button
            size="small"
            variant="minimal"
            text={filter.odd === 'refused' ? 'Show all' : 'Show just those'}
            onClick={() =>
              changeInstanceFilter(
                listKey,
                filter.odd === 'refused' ? { odd: null } : { ...NO_INSTANCE_FILTER, odd: 'refused' },
              )
            }
          />
          <Button
            size="small"
            variant="minimal"
            text="Dismiss"
            onClick={() => {
              dismissRefusals(cluster, [...refused])
              if (filter.odd === 'refused') changeInstanceFilter(listKey, { odd: null })
            }}
          />
        </p>
      )}
    </div>
  )
}
