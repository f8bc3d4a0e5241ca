import { Button, Checkbox, PopoverNext } from '@blueprintjs/core'
import { TwoColumnsIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { hideColumns, INSTANCE_COLUMNS, type InstanceColumn } from '../../stores/instance-lists.ts'
import { COLUMNS } from './instance-columns.ts'
import { toggled } from './selection-moves.ts'

interface Props {
  readonly hidden: ReadonlySet<InstanceColumn>
}

/** Which columns lists of instances show; kept until the page is closed. The name always is. */
export function ColumnMenu({ hidden }: Props): ReactNode {
  return (
    <PopoverNext
      placement="bottom-end"
      animation="minimal"
      arrow={false}
      content={
        <div className="inst-columns">
          {INSTANCE_COLUMNS.filter(column => column !== 'name').map(column => (
            <Checkbox
              key={column}
              checked={!hidden.has(column)}
              label={COLUMNS[column].title}
              onChange={() => hideColumns(toggled(hidden, column))}
            />
          ))}
        </div>
      }
    >
      <Button size="small" variant="minimal" icon={<TwoColumnsIcon size={14} />} text="Columns" />
    </PopoverNext>
  )
}
