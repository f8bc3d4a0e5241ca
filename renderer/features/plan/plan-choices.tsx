import { Checkbox, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import { StuckRule } from '../../../shared/domain/instance-choice.ts'
import type { CheckedPlan, Plan, RunOptions } from '../../../shared/domain/plan.ts'
import type { PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { ScopeChoice } from '../../ui/plan/scope-choice.tsx'
import { choicesOffered, choicesOnReturn } from './choices-of-plan.ts'
import { MovingChoices } from './moving-choices.tsx'
import { RescueChoices } from './rescue-choices.tsx'
import { SaidChoice } from './said-choice.tsx'

interface Props {
  readonly cluster: string
  readonly effects: PlanEffects
  readonly checked: CheckedPlan
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

const ATTEMPTS = [1, 2, 3, 5, 10, 20] as const

/** The operator's choices; every change makes a new plan. */
export function PlanChoicesForm({ cluster, effects, checked, choices, onChoose }: Props): ReactNode {
  const { options } = checked.plan
  const scope = choices.scope ?? options.scope
  const attemptsId = useId()
  if (checked.plan.kind === 'leave') {
    return <LeaveChoices plan={checked.plan} choices={choices} onChoose={onChoose} />
  }
  if (checked.plan.kind === 'rescue') {
    return (
      <>
        <RescueChoices plan={checked.plan} choices={choices} onChoose={onChoose} />
        <MovesAtOnce label="Rebuilt at a time" choices={choices} options={options} onChoose={onChoose} />
        <ReasonChoice value={choices.reason ?? options.reason} onChoose={reason => onChoose({ reason })} />
      </>
    )
  }
  if (checked.plan.kind === 'home') {
    return (
      <>
        <MovesAtOnce label="Live migrations at a time" choices={choices} options={options} onChoose={onChoose} />
        <ReasonChoice value={choices.reason ?? options.reason} onChoose={reason => onChoose({ reason })} />
      </>
    )
  }
  const offered = choicesOffered(checked.plan, scope)
  const attempts = choices.attempts === undefined ? options.attempts : choices.attempts
  return (
    <>
      <ScopeChoice label="The work on the node" scope={scope} onChoose={chosen => onChoose({ scope: chosen })} />
      {offered.moving ? (
        <MovingChoices cluster={cluster} plan={checked.plan} effects={effects} choices={choices} onChoose={onChoose} />
      ) : null}
      {offered.migrating ? (
        <>
          <MovesAtOnce label="Live migrations at a time" choices={choices} options={options} onChoose={onChoose} />
          <StuckChoice rule={choices.stuck ?? options.stuck} onChoose={stuck => onChoose({ stuck })} />
          <label className="plan-field" htmlFor={attemptsId}>
            <span>Attempts per instance</span>
            <HTMLSelect
              id={attemptsId}
              value={attempts ?? ''}
              onChange={({ currentTarget: { value } }) => onChoose({ attempts: value === '' ? null : Number(value) })}
            >
              <option value="">node's setting, else 3</option>
              {[...new Set([...ATTEMPTS, ...(attempts === null ? [] : [attempts])])].map(count => (
                <option key={count}>{count}</option>
              ))}
            </HTMLSelect>
          </label>
        </>
      ) : null}
      {offered.storage ? <StorageChoices options={options} choices={choices} onChoose={onChoose} /> : null}
      <NumberChoice
        label="Longest drain, in minutes"
        hint="0: no limit"
        value={Math.round((choices.drainTimeoutMs ?? options.drainTimeoutMs) / minutes(1))}
        min={0}
        max={24 * 60}
        onChoose={amount => onChoose({ drainTimeoutMs: minutes(amount) })}
      />
      {checked.plan.kind === 'maintain' ? (
        <ReturnChoices plan={checked.plan} choices={choices} onChoose={onChoose} />
      ) : null}
      <ReasonChoice value={choices.reason ?? options.reason} onChoose={reason => onChoose({ reason })} />
      <Checkbox
        checked={choices.deleteEmptyDirData ?? options.deleteEmptyDirData}
        onChange={({ currentTarget }) => onChoose({ deleteEmptyDirData: currentTarget.checked })}
      >
        Delete emptyDir data
        <span className="quiet small block">
          Files that evicted pods keep on the node are lost. OpenStack pods keep caches there.
        </span>
      </Checkbox>
    </>
  )
}

function MovesAtOnce({
  label,
  choices,
  options,
  onChoose,
}: { readonly label: string; readonly options: RunOptions } & Pick<Props, 'choices' | 'onChoose'>): ReactNode {
  return (
    <NumberChoice
      label={label}
      value={choices.concurrency ?? options.concurrency}
      min={1}
      max={64}
      onChoose={concurrency => onChoose({ concurrency })}
    />
  )
}

/** What to do about a live migration without progress. */
function StuckChoice({
  rule,
  onChoose,
}: {
  readonly rule: StuckRule
  readonly onChoose: (rule: StuckRule) => void
}): ReactNode {
  const id = useId()
  return (
    <>
      <label className="plan-field" htmlFor={id}>
        <span>A live migration that makes no progress</span>
        <HTMLSelect
          id={id}
          value={rule.do}
          options={[
            { value: 'ask', label: 'asks you' },
            { value: 'force-complete', label: 'is forced to complete' },
            { value: 'abort-and-retry', label: 'is aborted and tried again' },
            { value: 'abort-and-leave', label: 'is aborted, and the instance stays' },
            { value: 'cold', label: 'is aborted, and the instance moves with downtime' },
          ]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = StuckRule.safeParse({ ...rule, do: value })
            if (chosen.success) onChoose(chosen.data)
          }}
        />
      </label>
      <NumberChoice
        label="after minutes"
        value={Math.round(rule.afterMs / minutes(1))}
        min={1}
        max={24 * 60}
        onChoose={amount => onChoose({ ...rule, afterMs: minutes(amount) })}
      />
    </>
  )
}

/** The reason, kept in the journal and on the maintenance request. */
function ReasonChoice({
  value,
  onChoose,
}: {
  readonly value: string
  readonly onChoose: (value: string) => void
}): ReactNode {
  return <SaidChoice label="Reason, for other operators" value={value} onSay={onChoose} />
}

interface NumberProps {
  readonly label: string
  readonly hint?: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChoose: (value: number) => void
}

/** A number counts when the field is left or on Enter: not every digit makes a plan. */
function NumberChoice({ label, hint, value, min, max, onChoose }: NumberProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const settle = () => {
    const amount = typed === null || typed.trim() === '' ? Number.NaN : Math.round(Number(typed))
    if (!Number.isNaN(amount)) {
      const within = Math.min(max, Math.max(min, amount))
      if (within !== value) onChoose(within)
    }
    setTyped(null)
  }
  return (
    <label className="plan-field" htmlFor={id}>
      <span>
        {label}
        {hint === undefined ? null : <span className="quiet"> ({hint})</span>}
      </span>
      <input
        id={id}
        className="bp6-input"
        type="number"
        min={min}
        max={max}
        value={typed ?? String(value)}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={settle}
        onKeyDown={({ key }) => {
          if (key === 'Enter') settle()
        }}
      />
    </label>
  )
}

interface StorageChoicesProps {
  readonly options: RunOptions
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

function StorageChoices({ options, choices, onChoose }: StorageChoicesProps): ReactNode {
  return (
    <fieldset className="plan-group">
      <legend>Storage</legend>
      <Checkbox
        checked={choices.stopOsds ?? options.stopOsds}
        onChange={({ currentTarget }) => onChoose({ stopOsds: currentTarget.checked })}
      >
        Stop its OSDs<span className="quiet small block">They stay stopped until the node comes back.</span>
      </Checkbox>
      <Checkbox
        checked={choices.crushRebalancing ?? options.crushRebalancing}
        onChange={({ currentTarget }) => onChoose({ crushRebalancing: currentTarget.checked })}
      >
        Let Ceph rebalance meanwhile
        <span className="quiet small block"> noout is not set: Ceph copies data of long-stopped OSDs to others. </span>
      </Checkbox>
    </fieldset>
  )
}

interface LeaveChoicesProps {
  readonly plan: Plan
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** The choices when a node comes back. */
function LeaveChoices({ plan, choices, onChoose }: LeaveChoicesProps): ReactNode {
  const { spreading, waiting, starting, homing } = choicesOnReturn(plan)
  if (!spreading && !waiting && !starting && !homing) {
    return <p className="quiet">No choices: Lockkeeper checks, enables, uncordons and verifies the node.</p>
  }
  return <ReturnChoices plan={plan} choices={choices} onChoose={onChoose} />
}

/** The choices of the way back, as a separate run or at the end of one. */
function ReturnChoices({ plan, choices, onChoose }: LeaveChoicesProps): ReactNode {
  const { spreading, waiting, starting, homing } = choicesOnReturn(plan)
  const home = homing && (choices.home ?? plan.options.home)
  return (
    <>
      {spreading ? (
        <Checkbox
          checked={!home && !(choices.disableInstanceRebalancing ?? plan.options.disableInstanceRebalancing)}
          disabled={home}
          onChange={({ currentTarget }) => onChoose({ disableInstanceRebalancing: !currentTarget.checked })}
        >
          Offer to spread instances again
          <span className="quiet small block">Watcher recommends moves once the node takes instances; you decide.</span>
        </Checkbox>
      ) : null}
      {homing ? (
        <Checkbox checked={home} onChange={({ currentTarget }) => onChoose({ home: currentTarget.checked })}>
          Bring its instances back
          <span className="quiet small block">
            Those that the maintenance moved off it, if they fit and nobody moved them since
            {spreading ? '; Watcher does not spread instances then' : ''}.
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
            Those that ran before the maintenance and are down now. Otherwise they are only listed.
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
