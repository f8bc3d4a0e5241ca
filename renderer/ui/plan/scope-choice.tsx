import { Radio, RadioGroup } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { MaintenanceScope } from '../../../shared/domain/plan.ts'
import { SCOPE_WORDS } from './plan-words.ts'

interface Props {
  readonly label: string
  readonly scope: MaintenanceScope
  readonly onChoose: (scope: MaintenanceScope) => void
}

/** What the work may do to a node (seed 001, scopes): the same words for one node, for batches and for an update. */
export function ScopeChoice({ label, scope, onChoose }: Props): ReactNode {
  return (
    <RadioGroup
      className="plan-scope"
      label={label}
      selectedValue={scope}
      onChange={event => {
        const chosen = MaintenanceScope.safeParse(event.currentTarget.value)
        if (chosen.success) onChoose(chosen.data)
      }}
    >
      <Radio value="os">
        May reboot it (os)<span className="quiet small block">{SCOPE_WORDS.os}</span>
      </Radio>
      <Radio value="drain">
        Restarts services (drain)<span className="quiet small block">{SCOPE_WORDS.drain}</span>
      </Radio>
    </RadioGroup>
  )
}
