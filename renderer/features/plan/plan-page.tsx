import { Button, Callout, InputGroup, ProgressBar } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeRunKind } from '../../../shared/domain/plan.ts'
import { countsOf, effectsOf } from '../../../shared/domain/plan-effects.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { closePlanDialog } from '../../stores/plan-dialog.ts'
import { useTicks } from '../../stores/ticks.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { lastMade, usePlan } from '../../ui/plan/use-plan.ts'
import { isByWatcher } from './choices-of-plan.ts'
import { PlanChoicesForm } from './plan-choices.tsx'
import { PlanHead } from './plan-head.tsx'
import { PlanSteps } from './plan-steps.tsx'

interface Props {
  readonly cluster: string
  readonly kind: NodeRunKind
  readonly node: string
  readonly cancel: RefObject<HTMLButtonElement | null>
  readonly onStarted: (run: RunSummary) => void
}

/** One node's plan: what stands in the way, what will happen to whom, and the one confirmation. */
export function PlanPage({ cluster, kind, node, cancel, onStarted }: Props): ReactNode {
  const { state, watches, forecast, choices, choose, checkAgain } = usePlan(cluster, node, kind)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const made = lastMade(state)
  const effects = useMemo(() => (made === null ? null : effectsOf(made.checked)), [made])
  const making = state.kind === 'making'
  const isOld = state.kind !== 'made'
  // What had the focus may be gone with the last plan: a key pressed now would reach nothing.
  useEffect(() => {
    if (state.kind !== 'making' && document.activeElement === document.body) cancel.current?.focus()
  }, [state, cancel])
  return (
    <section className="column grow" aria-label={`Plan for ${node}`} aria-busy={making}>
      {making ? <Making node={node} sinceMs={state.sinceMs} watches={watches} /> : null}
      {state.kind === 'failed' ? (
        <div className="plan-failure">
          <FailureCallout title={`No plan could be made for ${node}`} failure={state.failure} onRetry={checkAgain} />
        </div>
      ) : null}
      {made === null || effects === null ? (
        <div className="plan-scroll grow">
          {making ? (
            <p className="quiet plan-wait">The plan appears here as soon as every check has answered.</p>
          ) : null}
        </div>
      ) : (
        <>
          <PlanHead cluster={cluster} made={made} standing={state.kind} forecast={forecast} onCheckAgain={checkAgain} />
          <div className="plan-columns">
            <aside className="plan-side">
              <PlanChoicesForm
                cluster={cluster}
                effects={effects}
                checked={made.checked}
                choices={choices}
                onChoose={choose}
              />
            </aside>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key. */}
            <section className={`plan-scroll grow${isOld ? ' stale' : ''}`} tabIndex={0} aria-label="The plan">
              <InputGroup
                className="plan-search"
                size="small"
                type="search"
                leftElement={<SearchIcon className="plan-search-icon" />}
                placeholder="Find in this plan"
                aria-label="Find instances, pods and checks in this plan"
                value={typed}
                onValueChange={setTyped}
              />
              <PlanBlockers checked={made.checked} onChoose={choose} />
              <PlanInstances
                cluster={cluster}
                instances={effects.instances}
                forecast={forecast}
                search={search}
                onMarked={checkAgain}
                exclusion={
                  isByWatcher(made.checked.plan)
                    ? {
                        excluded: choices.excludedInstances ?? made.checked.plan.options.excludedInstances,
                        onExclude: excluded => choose({ excludedInstances: [...excluded] }),
                      }
                    : null
                }
              />
              <PlanPods pods={effects.pods} search={search} />
              <PlanSteps steps={made.checked.plan.steps} changes={effects.changes} />
              <PlanChecks checked={made.checked} search={search} />
            </section>
          </div>
        </>
      )}
      {made === null || effects === null ? (
        <footer className="plan-foot row wrap">
          <span className="plan-foot-words quiet">Nothing was touched.</span>
          <Button ref={cancel} text="Cancel" onClick={closePlanDialog} />
        </footer>
      ) : (
        <PlanConfirm
          cluster={cluster}
          made={made}
          counts={countsOf(effects)}
          standing={state.kind}
          cancel={cancel}
          onStarted={onStarted}
          onCancel={closePlanDialog}
          onCheckAgain={checkAgain}
        />
      )}
    </section>
  )
}

function Making({
  node,
  sinceMs,
  watches,
}: {
  readonly node: string
  readonly sinceMs: number
  readonly watches: readonly string[]
}): ReactNode {
  const ms = useTicks(store => store.nowMs - sinceMs)
  return (
    <Callout compact className="plan-making" role="status">
      <div className="plan-making-words">
        <b>Checking {node}.</b> <span className="quiet">Reads only; nothing is touched.</span>
        <span className="quiet" aria-hidden="true">
          {durationWords(ms)}
        </span>
      </div>
      {watches.map(words => (
        <p key={words}>{words}</p>
      ))}
      <ProgressBar intent="primary" aria-label={`Checking ${node}`} />
    </Callout>
  )
}
