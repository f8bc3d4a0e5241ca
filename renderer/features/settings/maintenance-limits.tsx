import { FormGroup, HTMLSelect, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { minutes } from '../../../shared/domain/durations.ts'
import { MaintenanceApiSettings } from '../../../shared/domain/maintenance-api.ts'

interface Props {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

const NUMBERS = [
  {
    key: 'computeMax',
    label: 'Compute nodes at once',
    help: "As nwl_parallel_max_compute of the cluster. 1: only one node's lock inactive at a time, as the vendor's page has it.",
    unit: 1,
    most: 500,
  },
  {
    key: 'gatewayMax',
    label: 'Gateway nodes at once',
    help: 'As nwl_parallel_max_gateway. Control-plane nodes: always one.',
    unit: 1,
    most: 100,
  },
  {
    key: 'blockedAfterMs',
    label: 'Ask after (minutes)',
    help: 'A lock that has not moved for so long becomes a question to the operator.',
    unit: minutes(1),
    most: 24 * 60,
  },
] as const

/** How many nodes may be inactive at once, by role, and after how long somebody is asked. */
export function MaintenanceLimits({ settings, onEdit }: Props): ReactNode {
  const id = useId()
  return (
    <div className="set-grid">
      {NUMBERS.map(({ key, label, help, unit, most }) => (
        <FormGroup key={key} label={label} labelFor={`${id}-${key}`} helperText={help}>
          <NumericInput
            id={`${id}-${key}`}
            value={settings[key] / unit}
            min={1}
            max={most}
            buttonPosition="none"
            clampValueOnBlur
            minorStepSize={null}
            onValueChange={value => {
              const whole = Math.round(value)
              if (whole >= 1 && whole <= most) onEdit({ [key]: whole * unit })
            }}
          />
        </FormGroup>
      ))}
      <FormGroup
        label="A role at its limit holds back"
        labelFor={`${id}-role-limits`}
        helperText="Controllers in the cluster hold back every node."
      >
        <HTMLSelect
          id={`${id}-role-limits`}
          fill
          value={settings.roleLimits}
          options={[
            { value: 'any', label: 'every node, as controllers in the cluster do' },
            { value: 'own', label: 'only nodes of that role' },
          ]}
          onChange={({ currentTarget }) => {
            const chosen = MaintenanceApiSettings.shape.roleLimits.safeParse(currentTarget.value)
            if (chosen.success) onEdit({ roleLimits: chosen.data })
          }}
        />
      </FormGroup>
    </div>
  )
}
