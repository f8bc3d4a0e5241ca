import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { DEFAULT_STUCK_RULE } from '../../../shared/domain/instance-choice.ts'
import { DisabledMigration, type Plan, planSubject } from '../../../shared/domain/plan.ts'
import type { PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { ComputeStrategy } from '../../../shared/domain/role-maintenance.ts'
import { DISABLED_MIGRATION_WORDS, STRATEGY_WORDS } from '../../../shared/words/role-maintenance.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { useInstanceName } from '../../ui/use-instance-name.ts'

interface Props {
  readonly cluster: string
  readonly plan: Plan
  readonly effects: PlanEffects
  readonly choices: PlanChoices
  readonly onChoose: (change: PlanChoices) => void
}

/** How a compute node is emptied, and the allowed moves. */
export function MovingChoices({ cluster, plan, effects, choices, onChoose }: Props): ReactNode {
  const { options } = plan
  const id = useId()
  const strategy = choices.strategy ?? options.strategy ?? 'nova'
  const disabled = choices.disableMigration ?? options.disableMigration
  const coldIsOut = disabled === 'cold' || disabled === 'both'
  return (
    <fieldset className="plan-group">
      <legend>Instances</legend>
      <label className="plan-field" htmlFor={`${id}-strategy`}>
        <span>Emptied by</span>
        <HTMLSelect
          id={`${id}-strategy`}
          fill
          value={strategy}
          options={ComputeStrategy.options.map(value => ({ value, label: STRATEGY_WORDS[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = ComputeStrategy.safeParse(currentTarget.value)
            if (chosen.success) onChoose(choicesOfStrategy(chosen.data))
          }}
        />
      </label>
      <label className="plan-field" htmlFor={`${id}-disabled`}>
        <span>Not allowed</span>
        <HTMLSelect
          id={`${id}-disabled`}
          fill
          value={disabled}
          options={DisabledMigration.options.map(value => ({ value, label: DISABLED_MIGRATION_WORDS[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = DisabledMigration.safeParse(currentTarget.value)
            if (!chosen.success) return
            const without = chosen.data === 'cold' || chosen.data === 'both' ? { coldMigration: false } : {}
            onChoose({ disableMigration: chosen.data, ...without })
          }}
        />
      </label>
      <Checkbox
        checked={choices.coldMigration ?? options.coldMigration}
        disabled={coldIsOut}
        onChange={({ currentTarget }) => onChoose({ coldMigration: currentTarget.checked })}
      >
        Move stopped instances too
        <span className="quiet small block">
          {coldIsOut ? 'Moves with downtime are not allowed above.' : 'With cold migration; they stay stopped.'}
        </span>
      </Checkbox>
      {strategy === 'watcher' ? (
        <OfWatcher cluster={cluster} plan={plan} effects={effects} choices={choices} onChoose={onChoose} />
      ) : null}
    </fieldset>
  )
}

/**
 * Another strategy removes the choices that only the old one has: Watcher's exclusions, or the rule for migrations without
 * progress.
 */
function choicesOfStrategy(strategy: ComputeStrategy): PlanChoices {
  return strategy === 'nova'
    ? { strategy, backupNode: null, excludedInstances: [], novaForRest: false }
    : { strategy, stuck: DEFAULT_STUCK_RULE }
}

function OfWatcher({ cluster, plan, effects, choices, onChoose }: Props): ReactNode {
  const { options } = plan
  const node = planSubject(plan)
  const id = useId()
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const backup = choices.backupNode === undefined ? options.backupNode : choices.backupNode
  const hosts = useMemo(() => {
    const others = [...(nodes?.values() ?? [])].filter(
      other => other.roles.includes('compute') && other.name !== node && other.state !== 'decommissioned',
    )
    return [...new Set([...others.map(({ name }) => name), ...(backup === null ? [] : [backup])])].sort(naturally)
  }, [nodes, node, backup])
  return (
    <>
      <label className="plan-field" htmlFor={`${id}-backup`}>
        <span>Backup node</span>
        <HTMLSelect
          id={`${id}-backup`}
          fill
          value={backup ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose({ backupNode: value === '' ? null : value })}
        >
          <option value="">none: Nova chooses</option>
          {hosts.map(host => (
            <option key={host}>{host}</option>
          ))}
        </HTMLSelect>
      </label>
      <Checkbox
        checked={choices.novaForRest ?? options.novaForRest}
        onChange={({ currentTarget }) => onChoose({ novaForRest: currentTarget.checked })}
      >
        Move the rest through Nova
        <span className="quiet small block">Lockkeeper moves what Watcher would get wrong.</span>
      </Checkbox>
      <LeftOut
        cluster={cluster}
        shown={effects.instances.map(instance => instance.id)}
        excluded={choices.excludedInstances ?? options.excludedInstances}
        onChoose={onChoose}
      />
    </>
  )
}

interface LeftOutProps {
  readonly cluster: string
  /** Instances of the plan have a box in its list. */
  readonly shown: readonly string[]
  readonly excluded: readonly string[]
  readonly onChoose: (change: PlanChoices) => void
}

/** Left-out instances that are no longer in the plan, with a button to put them back. */
function LeftOut({ cluster, shown, excluded, onChoose }: LeftOutProps): ReactNode {
  const nameOf = useInstanceName(cluster)
  const hidden = excluded.filter(id => !shown.includes(id))
  if (hidden.length === 0) return null
  return (
    <ul className="plan-left-out" aria-label="Left out of Watcher's plan">
      {hidden.map(id => (
        <li key={id}>
          {nameOf(id) ?? id} is left out.{' '}
          <Button
            size="small"
            variant="minimal"
            text="Put it back"
            onClick={() => onChoose({ excludedInstances: excluded.filter(other => other !== id) })}
          />
        </li>
      ))}
    </ul>
  )
}
