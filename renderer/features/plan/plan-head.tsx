import { Button, Tag } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo } from 'react'
import { effectsOf, type InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ageWords, spanWords } from '../../../shared/grammar/durations.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { planAge } from '../../ui/plan/plan-age.ts'
import { PlanVerdictTag } from '../../ui/plan/plan-verdict.tsx'
import type { PlanStanding } from '../../ui/plan/plan-words.ts'
import type { ForecastState, MadePlan } from '../../ui/plan/use-plan.ts'
import { hasChanged, type World, worldOf } from '../../ui/plan/world-of-plan.ts'

interface Props {
  readonly cluster: string
  readonly made: MadePlan
  /** Whether the plan drawn is the one in hand: one that could not be made anew says nothing of now. */
  readonly standing: PlanStanding
  readonly forecast: ForecastState
  readonly onCheckAgain: () => void
}

/** Whether the plan may start, how old it is, and whether the world is still the one it was made for. */
export function PlanHead({ cluster, made, standing, forecast, onCheckAgain }: Props): ReactNode {
  const { checked, madeAtMs } = made
  const warnings = checked.checks.reduce((sum, { answer }) => sum + answer.warnings.length, 0)
  const age = useTicks(store => planAge(madeAtMs, store.nowMs))
  const planned = useMemo(() => effectsOf(checked).instances, [checked])
  const changed = useHasChanged(cluster, checked.plan.node, made.world, planned)
  return (
    <header className="plan-head row wrap">
      <PlanVerdictTag checked={checked} standing={standing} large />
      {warnings > 0 ? <Tag intent="warning">{counted(warnings, 'warning')}</Tag> : null}
      <span className="quiet">{counted(checked.checks.length, 'check')} made</span>
      <Duration forecast={forecast} />
      <span className="plan-head-end row">
        {changed ? (
          <b className="caution" role="status">
            The world has changed since.
          </b>
        ) : null}
        <span className={age === 'fresh' ? 'quiet' : 'caution'}>
          checked <Elapsed sinceMs={madeAtMs} />
        </span>
        <Button
          size="small"
          icon={<RefreshIcon />}
          text="Check again"
          loading={standing === 'making'}
          intent={age !== 'fresh' || changed ? 'primary' : 'none'}
          onClick={onCheckAgain}
        />
      </span>
    </header>
  )
}

function Duration({ forecast }: { readonly forecast: ForecastState }): ReactNode {
  if (forecast.kind !== 'read') return null
  const { evacuationMs, basis, instances } = forecast.forecast
  if (instances.length === 0) return null
  return evacuationMs === null ? (
    <span className="quiet" title={basis}>
      Time to move: not known yet
    </span>
  ) : (
    <span title={basis}>Moves take {spanWords(evacuationMs.low, evacuationMs.high)}</span>
  )
}

function Elapsed({ sinceMs }: { readonly sinceMs: number }): ReactNode {
  const ms = useTicks(store => Math.max(0, store.nowMs - sinceMs))
  return <>{ms < 2000 ? 'now' : `${ageWords(ms)} ago`}</>
}

function useHasChanged(
  cluster: string,
  node: string,
  before: World | null,
  planned: readonly InstanceEffect[],
): boolean {
  return useViews(store => hasChanged(before, worldOf(lastOf(store.byCluster.get(cluster)), node), planned))
}
