import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import { changeInstanceFilter, type InstanceFilter, NO_INSTANCE_FILTER } from '../../stores/instance-lists.ts'
import { useRefused } from './use-shown-instances.ts'

interface Props {
  readonly cluster: string
  readonly listKey: string
  readonly filter: InstanceFilter
}

/** How many instances were not marked as asked, until the operator has read why. */
export function RefusedStrip({ cluster, listKey, filter }: Props): ReactNode {
  const refused = useRefused(cluster)
  if (refused.size === 0) return null
  return (
    <div className="inst-refused row wrap" role="status">
      <span>{`${counted(refused.size, 'instance')} not set as asked; the reason is on each row.`}</span>
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
    </div>
  )
}
