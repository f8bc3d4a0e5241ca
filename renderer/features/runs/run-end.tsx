import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import {
  endsInService,
  isNodePlan,
  type Plan,
  planSubject,
  type RunKind,
  takesOut,
} from '../../../shared/domain/plan.ts'
import { downAtLast } from '../../../shared/domain/ran-before.ts'
import type { RunOutcome, RunView, StepView } from '../../../shared/domain/run.ts'
import {
  completedAllSteps,
  endingOf,
  isReached,
  mayMoveRest,
  type RunEnding,
} from '../../../shared/domain/run-ending.ts'
import { NODE_VERDICT } from '../../../shared/domain/run-facts.ts'
import { type StepTally, stepTally } from '../../../shared/domain/step-tally.ts'
import { undoneSteps } from '../../../shared/domain/undone-steps.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { conditionWord } from '../../../shared/words/conditions.ts'
import { stayWords, urgentFirst } from '../../../shared/words/node-verdict.ts'
import { acceptedLine, endingDetail, endingTitle } from '../../../shared/words/run-ending.ts'
import { conditionTitle } from '../../../shared/words/runs.ts'
import { stepTallyWords } from '../../../shared/words/step-tally.ts'
import { resumeRun } from '../../bridge/runs.ts'
import { changeList, listKey, NO_INSTANCE_FILTER } from '../../stores/instance-lists.ts'
import { openPlanDialog, type PlanWish } from '../../stores/plan-dialog.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { MarkMenu, type OpenMarkMenu } from '../../ui/instances/mark-menu.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { Said } from '../../ui/said.tsx'
import { Age } from '../../ui/when.tsx'
import { mayBringHome, undoableNow, undoOf } from './after-run.ts'

/** How a run ended: what it verified or what happened, what stays changed, what was undone, and what to do next. */
export function RunEnd({ view }: { readonly view: RunView }): ReactNode {
  const { state, steps, endedAt } = view
  const list = useRuns(store => store.list)
  const undone = useMemo(() => undoOf(view, list ?? []), [view, list])
  const undoable = useMemo(() => undoableNow(view, list ?? []), [view, list])
  const isUndone = undone !== null && completedAllSteps(undone)
  if (state.kind !== 'finished') return null
  const { outcome, summary, leftBehind } = state
  const ending = endingOf(view, state)
  const condition = { kind: 'over', outcome, summary, ending } as const
  const verifying = steps.filter(({ step }) => step.verbs.includes('verify'))
  const held = verifying.filter(({ verify }) => verify?.kind === 'holds')
  const down = downAtLast(
    steps.flatMap(({ facts }) => facts),
    steps.map(({ step }) => step.input),
  )
  const isSealed = ending.kind === 'Finished' && ending.accepted.length === 0 && held.length === verifying.length
  const title = endingTitle(ending) ?? (isSealed && held.length > 0 ? 'Verified' : conditionTitle(condition))
  const tone = toneOf(condition)
  return (
    <section className={`run-end panel-card run-tone-${tone}`} aria-label="How it ended">
      <Seal tone={tone} />
      <div className="run-end-words">
        <h3>{title}</h3>
        <p>
          <Said text={endingDetail(ending) ?? summary} />
        </p>
        <StillThere ending={ending} cluster={view.plan.cluster} />
        {ending.accepted.length === 0 ? null : <Lines title="Accepted" lines={ending.accepted.map(acceptedLine)} />}
        {endedAt === null ? null : (
          <p className="quiet small">
            <Age at={endedAt} />
          </p>
        )}
        {outcome === 'done' && verifying.length > 0 ? <Verified held={held} tally={stepTally(steps)} /> : null}
        {down.length === 0 ? null : (
          <>
            <p className="caution">
              {counted(down.length, 'instance')} that ran before {down.length === 1 ? 'is' : 'are'} down:
            </p>
            <ul>
              {down.map(({ id, name }) => (
                <li key={id}>
                  <span className="mono">{name}</span> <span className="quiet mono">{id}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {leftBehind.length === 0 || isUndone ? null : <Lines title="Still changed" lines={leftBehind} />}
        <TookBack view={view} />
        {undone === null ? null : <UndoneBy run={undone} />}
        <Next view={view} isUndone={isUndone} undoable={undoable} />
      </div>
    </section>
  )
}

/** Every instance that is still on the node, why, and what you can do about it. */
function StillThere({ ending, cluster }: { readonly ending: RunEnding; readonly cluster: string }): ReactNode {
  const [menu, setMenu] = useState<OpenMarkMenu | null>(null)
  if (ending.kind !== 'NodeNotEmpty' || ending.verdict.kind !== 'NotEmpty') return null
  const { node, verdict } = ending
  if (verdict.instances.length === 0) return null
  return (
    <>
      <ul className="run-still-there plain-list" aria-label={`Still on ${node}`}>
        {urgentFirst(verdict.instances).map(instance => (
          <li key={instance.id} className="row wrap">
            <a
              className="mono strong"
              href={hashOf(clusterRoute(cluster, 'instances', { node }))}
              onClick={() => openInstance(cluster, node, instance.id)}
            >
              {instance.name}
            </a>
            <span className="grow">{stayWords(instance)}</span>
            {/* For an instance on another node, the mode of this node says nothing. */}
            {instance.code === 'AwaitsConfirmation' || instance.code === 'Arriving' ? null : (
              <Button
                size="small"
                text="Set its mode…"
                aria-label={`Set the migration mode of ${instance.name}`}
                aria-haspopup="menu"
                onClick={({ currentTarget }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect()
                  setMenu({ ids: [instance.id], left, top: bottom })
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <MarkMenu cluster={cluster} open={menu} onClose={() => setMenu(null)} />
    </>
  )
}

/** Makes the list of instances show only this one when it opens. */
function openInstance(cluster: string, node: string, id: string): void {
  changeList(listKey(cluster, node), { filter: NO_INSTANCE_FILTER, current: id, open: id })
}

function UndoneBy({ run }: { readonly run: RunSummary }): ReactNode {
  const link = (
    <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
      run <Said text={run.id} />
    </a>
  )
  if (completedAllSteps(run)) return <p className="strong">Undone by {link}.</p>
  return (
    <p className="caution">
      {link} undoes it: {conditionWord(run.condition)}.
    </p>
  )
}

/** Each fact that was verified in the cloud at the end. */
function Verified({ held, tally }: { readonly held: readonly StepView[]; readonly tally: StepTally }): ReactNode {
  return (
    <details open={held.length <= 8}>
      <summary>{stepTallyWords(tally)}</summary>
      <ul className="run-verified plain-list">
        {held
          .filter(({ facts }) => !facts.some(({ fact }) => fact === NODE_VERDICT))
          .map(({ step, verify }) => (
            <li key={step.id}>{verify?.reason}</li>
          ))}
      </ul>
    </details>
  )
}

/** What an incomplete run undid automatically. */
function TookBack({ view }: { readonly view: RunView }): ReactNode {
  if (view.state.kind !== 'finished' || view.state.outcome === 'done') return null
  const undone = undoneSteps(view)
  const lines = view.steps
    .filter(({ step, startedAt }) => undone.has(step.id) && startedAt !== null && step.risk !== 'none')
    .map(({ step }) => step.title)
  return lines.length === 0 ? null : <Lines title="Done, then undone" lines={lines} />
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  return (
    <>
      <p className="strong">{title}:</p>
      <ul>
        {lines.map(line => (
          <li key={line}>
            <Said text={line} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Whether a node that a run took out of service may still be out. */
function isStillOut(kind: RunKind, outcome: RunOutcome): boolean {
  return outcome !== 'checks-failed' && outcome !== 'handed-over' && !(outcome === 'done' && endsInService(kind))
}

interface NextProps {
  readonly view: RunView
  readonly isUndone: boolean
  /** The nodes on which it can be undone. */
  readonly undoable: readonly string[]
}

/** What you can do next, and the report. */
function Next({ view, isUndone, undoable }: NextProps): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const { plan, state } = view
  if (state.kind !== 'finished') return null
  const { outcome } = state
  const ending = endingOf(view, state)
  const again = wishOf(plan)
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
      <div className="row wrap">
        {outcome === 'failed' && !isUndone ? (
          <Button intent="primary" text="Resume where it stopped" loading={asking} onClick={() => void resume()} />
        ) : null}
        {outcome === 'handed-over' ? (
          <Button text="Resume here, if no runner has it" loading={asking} onClick={() => void resume()} />
        ) : null}
        {undoable.map(node => (
          <Button
            key={node}
            intent={outcome === 'aborted' ? 'primary' : 'none'}
            text={isNodePlan(plan) ? 'Undo what it did…' : `Undo what it did on ${node}…`}
            onClick={() => lay({ kind: 'undo', undoes: view.id }, node)}
          />
        ))}
        {isReached(ending) || outcome === 'handed-over' || again === null ? null : (
          <Button
            text={
              ending.kind !== 'NodeNotEmpty'
                ? 'Try again'
                : mayMoveRest(ending)
                  ? 'Move the rest…'
                  : 'See what blocks it…'
            }
            onClick={() => lay(again)}
          />
        )}
        {isNodePlan(plan) && takesOut(plan.kind) && isStillOut(plan.kind, outcome) && !isUndone ? (
          <Button
            intent={isReached(ending) ? 'primary' : 'none'}
            text={`Bring ${plan.node} back into service`}
            onClick={() => lay({ kind: 'leave' })}
          />
        ) : null}
        {mayBringHome(view) ? <Button text="Bring its instances back…" onClick={() => lay({ kind: 'home' })} /> : null}
        <ExportReport subject={{ kind: 'run', id: view.id }} />
      </div>
      {failure === null ? null : (
        <FailureCallout
          title={outcome === 'handed-over' ? 'The run was not resumed' : 'The run was not resumed'}
          failure={failure}
        />
      )}
    </>
  )
}

/** The wish for a plan like this one; null for a plan of many nodes. */
function wishOf(plan: Plan): PlanWish | null {
  if (!isNodePlan(plan)) return null
  return plan.kind === 'undo' ? { kind: 'undo', undoes: plan.undoes } : { kind: plan.kind }
}

function Seal({ tone }: { readonly tone: string }): ReactNode {
  return (
    <svg className="run-seal" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      <circle cx="20" cy="20" r="18" />
      {tone === 'verified' ? <path d="M12 20.5l5.5 6L28.5 14" /> : null}
      {tone === 'failed' ? <path d="M14 14l12 12M26 14l-12 12" /> : null}
      {tone === 'waits' ? <path d="M20 11v11M20 28v.8" /> : null}
      {tone === 'rest' ? <path d="M13 20h14" /> : null}
    </svg>
  )
}
