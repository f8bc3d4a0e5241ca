import { FormGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { ClusterLimits } from '../../../shared/domain/cluster.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { SettingsPartProps } from './general-settings.tsx'

interface Limit {
  readonly key: keyof ClusterLimits
  readonly label: string
  readonly help: string
  /** The size of one step of the field, in milliseconds or pieces. */
  readonly unit: number
  readonly least: number
  readonly most: number
}

const LIMITS: readonly Limit[] = [
  {
    key: 'migrationsPerSource',
    label: 'Live migrations at a time per node',
    help: 'More is faster and loads the network more.',
    unit: 1,
    least: 1,
    most: 64,
  },
  {
    key: 'migrationAttempts',
    label: 'Attempts per instance',
    help: 'Unless the operator or the node says otherwise.',
    unit: 1,
    least: 1,
    most: 20,
  },
  {
    key: 'drainTimeoutMs',
    label: 'Give up a drain after (minutes)',
    help: '0: never.',
    unit: minutes(1),
    least: 0,
    most: 24 * 60,
  },
  {
    key: 'returnTimeoutMs',
    label: 'Wait for services to come back (seconds)',
    help: 'nova-compute and network agents on the way back.',
    unit: seconds(1),
    least: 1,
    most: 24 * 3600,
  },
]

/** Limits of parallel work, and of waiting. */
export function LimitSettings({ draft: { limits }, onEdit }: SettingsPartProps): ReactNode {
  const id = useId()
  return (
    <section id="set-limits" className="panel" aria-labelledby={id}>
      <h2 id={id}>Limits</h2>
      <div className="set-grid">
        {LIMITS.map(limit => (
          <FormGroup key={limit.key} label={limit.label} labelFor={`${id}-${limit.key}`} helperText={limit.help}>
            <NumericInput
              id={`${id}-${limit.key}`}
              value={limits[limit.key] / limit.unit}
              min={limit.least}
              max={limit.most}
              buttonPosition="none"
              clampValueOnBlur
              minorStepSize={null}
              onValueChange={value => {
                const whole = Math.round(value)
                if (whole < limit.least || whole > limit.most) return
                onEdit({ limits: { [limit.key]: whole * limit.unit } })
              }}
            />
          </FormGroup>
        ))}
      </div>
    </section>
  )
}
