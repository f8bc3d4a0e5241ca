import { Checkbox } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { RunOptions } from '../../../shared/domain/plan.ts'

interface Props {
  readonly options: RunOptions
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** What happens to the disks of a storage node. */
export function StorageChoices({ options, choices, onChoose }: Props): ReactNode {
  return (
    <fieldset className="plan-group">
      <legend>Storage</legend>
      <Checkbox
        checked={choices.stopOsds ?? options.stopOsds}
        onChange={({ currentTarget }) => onChoose({ stopOsds: currentTarget.checked })}
      >
        Stop its OSDs
        <span className="quiet small block">They stay stopped until the node is brought back.</span>
      </Checkbox>
      <Checkbox
        checked={choices.crushRebalancing ?? options.crushRebalancing}
        onChange={({ currentTarget }) => onChoose({ crushRebalancing: currentTarget.checked })}
      >
        Let Ceph rebalance meanwhile
        <span className="quiet small block">
          noout is not set: data of OSDs that are down for long is copied to others.
        </span>
      </Checkbox>
    </fieldset>
  )
}
