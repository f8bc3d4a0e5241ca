import { Button, Checkbox, Popover } from '@blueprintjs/core'
import { TwoColumns } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { INSTANCE_COLUMNS, toggleColumn, useInstanceLists } from '../../stores/instance-lists.ts'
import { COLUMNS } from './instance-columns.ts'

/** Which columns lists of instances show; kept until the page is closed. The name always is. */
export function ColumnMenu(): ReactNode {
  const hidden = useInstanceLists(store => store.hidden)
  return (
    <Popover
      placement="bottom-end"
      minimal
      content={
        <div className="inst-columns">
          {INSTANCE_COLUMNS.filter(column => column !== 'name').map(column => (
            <Checkbox
              key={column}
              checked={!hidden.has(column)}
              label={COLUMNS[column].title}
              onChange={() => toggleColumn(column)}
            />
          ))}
        </div>
      }
    >
      <Button size="small" variant="minimal" icon={<TwoColumns size={14} />} text="Columns" />
    </Popover>
  )
}
