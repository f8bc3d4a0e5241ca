import { Button } from '@blueprintjs/core'
import { UndoIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import {
  endsInService,
  isNodePlan,
  type Plan,
  planSubject,
  type RunKind,
  takesOut,
} from '../../../shared/domain/plan.ts'
import type { RunOutcome, RunView } from '../../../shared/domain/run.ts'
import { completedAllSteps, isReached, mayMoveRest, type RunEnding } from '../../../shared/domain/run-ending.ts'
import { changedThings } from '../../../shared/words/changed-things.ts'
import { resumeRun } from '../../bridge/runs.ts'
import { openPlanDialog, type PlanWish } from '../../stores/plan-dialog.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { mayBringHome, undoableNow, undoOf } from './after-run.ts'

interface Props {
  readonly view: RunView
  readonly ending: RunEnding
}

/** What you can do next, the most likely first, and the report. */
export function NextSteps({ view, ending }: Props): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const list = useRuns(store => store.list)
  const undone = useMemo(() => undoOf(view, list ?? []), [view, list])
  const undoable = useMemo(() => undoableNow(view, list ?? []), [view, list])
  const { plan, state } = view
  if (state.kind !== 'finished') return null
  const { outcome } = state
  const isUndone = undone !== null && completedAllSteps(undone)
  const isOfNode = isNodePlan(plan)
  const lay = (wish: PlanWish, node = planSubject(plan)) =>
    openPlanDialog({ ...wish, cluster: plan.cluster, nodes: [node] })
  const resume = async () => {
    setAsking(true)
    const answer = await resumeRun(view.id)
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <>
      <div className="run-next row wrap">
        {outcome === 'failed' && !isUndone ? (
          <Button
            size="large"
            intent="primary"
            text="Resume where it stopped"
            loading={asking}
            onClick={() => void resume()}
          />
        ) : null}
        {outcome === 'handed-over' ? (
          <Button size="large" text="Resume here, if no runner has it" loading={asking} onClick={() => void resume()} />
        ) : null}
        {undoable.map(node => (
          <Button
            key={node}
            size="large"
            icon={<UndoIcon />}
            intent={outcome === 'aborted' ? 'primary' : 'none'}
            text={isOfNode ? undoText(view) : `Undo on ${node}…`}
            onClick={() => lay({ kind: 'undo', undoes: view.id }, node)}
          />
        ))}
        {isReached(ending) || outcome === 'handed-over' ? null : <Again plan={plan} ending={ending} lay={lay} />}
        {isOfNode && takesOut(plan.kind) && isStillOut(view, plan.kind, outcome) && !isUndone ? (
          <Button
            size="large"
            intent={isReached(ending) ? 'primary' : 'none'}
            onClick={() => lay({ kind: 'leave' })}
            text={
              <>
                Bring <span className="mono">{plan.node}</span> back
              </>
            }
          />
        ) : null}
        {mayBringHome(view) ? (
          <Button size="large" text="Bring its instances back…" onClick={() => lay({ kind: 'home' })} />
        ) : null}
        <ExportReport subject={{ kind: 'run', id: view.id }} isLarge />
      </div>
      {failure === null ? null : <FailureCallout title="The run was not resumed" failure={failure} />}
    </>
  )
}

interface AgainProps {
  readonly plan: Plan
  readonly ending: RunEnding
  readonly lay: (wish: PlanWish) => void
}

/** Tries again what was not reached; instances that stayed are moved live, or with downtime. */
function Again({ plan, ending, lay }: AgainProps): ReactNode {
  if (!isNodePlan(plan)) return null
  const again = (choices?: PlanChoices): PlanWish =>
    plan.kind === 'undo'
      ? { kind: 'undo', undoes: plan.undoes }
      : { kind: plan.kind, ...(choices === undefined ? {} : { choices }) }
  if (ending.kind !== 'NodeNotEmpty') return <Button size="large" text="Try again" onClick={() => lay(again())} />
  if (!mayMoveRest(ending)) return <Button size="large" text="See what blocks it…" onClick={() => lay(again())} />
  if (plan.kind === 'rescue')
    return <Button size="large" intent="primary" text="Rescue the rest…" onClick={() => lay(again())} />
  return (
    <>
      <Button size="large" intent="primary" text="Try live again" onClick={() => lay(again())} />
      {plan.flavour === 'mosk' ? null : (
        <Button size="large" text="Move with downtime…" onClick={() => lay(again({ disableMigration: 'live' }))} />
      )}
    </>
  )
}

function undoText(view: RunView): string {
  const changed = changedThings(view).filter(({ undo }) => undo !== '').length
  return changed === 2 ? 'Undo both' : changed > 2 ? 'Undo all' : 'Undo'
}

/** Whether a node that a run took out of service may still be out. */
function isStillOut(view: RunView, kind: RunKind, outcome: RunOutcome): boolean {
  if (outcome === 'aborted' && changedThings(view).length === 0) return false
  return outcome !== 'checks-failed' && outcome !== 'handed-over' && !(outcome === 'done' && endsInService(kind))
}
