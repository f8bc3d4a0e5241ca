import { Checkbox } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { Plan, RunOptions } from '../../../shared/domain/plan.ts'
import { SaidChoice } from './said-choice.tsx'

interface Props {
  readonly plan: Plan
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** What only a person knows about a machine that is off, and what may be lost with it. */
export function RescueChoices({ plan: { options }, choices, onChoose }: Props): ReactNode {
  const overrides = choices.overrides ?? options.overrides
  return (
    <>
      <SaidChoice
        label="How do you know that the machine is off?"
        hint="A machine without a network does not answer either, and still runs its instances."
        value={choices.machineIsOff ?? options.machineIsOff}
        onSay={machineIsOff => onChoose({ machineIsOff })}
      />
      <SaidChoice
        label="How do other nodes reach its disks?"
        hint="The disks that Nova keeps for instances, on Ceph or NFS. If empty, only instances on volumes are rebuilt."
        value={choices.sharedDisks ?? options.sharedDisks}
        onSay={sharedDisks => onChoose({ sharedDisks })}
      />
      <SaidChoice
        label="Why may local disks be lost?"
        hint="Instances on a local disk are rebuilt empty from their images. If empty, they stay on the dead node."
        value={dataLossReason(overrides)}
        onSay={reason => onChoose({ overrides: acceptingDataLoss(overrides, reason) })}
      />
      <Checkbox
        checked={choices.outOfServiceTaint ?? options.outOfServiceTaint}
        onChange={({ currentTarget }) => onChoose({ outOfServiceTaint: currentTarget.checked })}
      >
        Force-delete its pods
        <span className="quiet small block">
          Taint node.kubernetes.io/out-of-service: Kubernetes removes the pods by force and detaches their volumes.
        </span>
      </Checkbox>
    </>
  )
}

type Overrides = RunOptions['overrides']

function dataLossReason(overrides: Overrides): string {
  return overrides.find(({ flag }) => flag === 'allow-data-loss')?.reason ?? ''
}

/** The overrides with or without the loss of local disks, which needs a reason. Nothing blocks without it, so no blocker offers it. */
export function acceptingDataLoss(overrides: Overrides, reason: string): Overrides {
  const others = overrides.filter(({ flag }) => flag !== 'allow-data-loss')
  return reason === '' ? others : [...others, { flag: 'allow-data-loss', reason }]
}
