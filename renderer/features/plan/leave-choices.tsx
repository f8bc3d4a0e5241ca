import { Checkbox } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { choicesOnReturn } from './choices-of-plan.ts'

interface Props {
  readonly plan: Plan
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** What may be chosen when a node comes back. */
export function LeaveChoices({ plan, choices, onChoose }: Props): ReactNode {
  const { spreading, waiting, starting } = choicesOnReturn(plan)
  if (!spreading && !waiting && !starting) {
    return (
      <p className="quiet">Bringing a node back has no choices: it is checked, enabled, uncordoned and verified.</p>
    )
  }
  return (
    <>
      <h3>Choices</h3>
      {spreading ? (
        <Checkbox
          checked={!(choices.disableInstanceRebalancing ?? plan.options.disableInstanceRebalancing)}
          onChange={({ currentTarget }) => onChoose({ disableInstanceRebalancing: !currentTarget.checked })}
        >
          Offer to spread instances again
          <span className="quiet small block">
            Once the node takes instances, Watcher is asked; what it recommends is shown, and you decide.
          </span>
        </Checkbox>
      ) : null}
      {starting ? (
        <Checkbox
          checked={choices.startInstances ?? plan.options.startInstances}
          onChange={({ currentTarget }) => onChoose({ startInstances: currentTarget.checked })}
        >
          Start instances that ran before
          <span className="quiet small block">
            Those that ran when the maintenance began and are down now. Otherwise they are only named.
          </span>
        </Checkbox>
      ) : null}
      {waiting ? (
        <Checkbox
          checked={choices.waitForClean ?? plan.options.waitForClean}
          onChange={({ currentTarget }) => onChoose({ waitForClean: currentTarget.checked })}
        >
          Wait until Ceph is clean
          <span className="quiet small block">The run ends when every placement group is active and clean.</span>
        </Checkbox>
      ) : null}
    </>
  )
}
