import { Checkbox } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { Plan } from '../../../shared/domain/plan.ts'

interface Props {
  readonly plan: Plan
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** The choices when a run is undone, from the steps of its plan; instances may also stay. */
export function choicesOnUndo({ steps, options }: Pick<Plan, 'steps' | 'options'>): {
  readonly homing: boolean
  readonly starting: boolean
} {
  const has = (wanted: string) => steps.some(({ kind }) => kind === wanted)
  return { homing: has('bring-home') || !options.home, starting: has('instances-return') }
}

export function UndoChoices({ plan, choices, onChoose }: Props): ReactNode {
  const { homing, starting } = choicesOnUndo(plan)
  if (!homing && !starting) {
    return <p className="quiet">No choices: this run moved and stopped no instance.</p>
  }
  return (
    <>
      {homing ? (
        <Checkbox
          checked={choices.home ?? plan.options.home}
          onChange={({ currentTarget }) => onChoose({ home: currentTarget.checked })}
        >
          Bring back the instances it moved
          <span className="quiet small block">Instances that moved since then stay where they are.</span>
        </Checkbox>
      ) : null}
      {starting ? (
        <Checkbox
          checked={choices.startInstances ?? plan.options.startInstances}
          onChange={({ currentTarget }) => onChoose({ startInstances: currentTarget.checked })}
        >
          Start the instances it stopped<span className="quiet small block">Otherwise they are only listed.</span>
        </Checkbox>
      ) : null}
    </>
  )
}
