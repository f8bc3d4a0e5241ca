import { Button, ProgressBar } from '@blueprintjs/core'
import { CogIcon, GridViewIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { effectsAfterAccepting, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import type { UpdateOptions } from '../../../shared/domain/update.ts'
import { updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { closeSeveral } from '../../stores/several.ts'
import { useTicks } from '../../stores/ticks.ts'
import { openWindowsOf, useWindows } from '../../stores/windows.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { type LanePlace, listsOf, moveLanes } from '../../ui/plan/lane-order.ts'
import { PlanAfterwards } from '../../ui/plan/plan-afterwards.tsx'
import { type LeavingInstance, PlanBlockers } from '../../ui/plan/plan-blockers.tsx'
import { PlanChecks } from '../../ui/plan/plan-checks.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import { PlanFold } from '../../ui/plan/plan-fold.tsx'
import { PlanInstances } from '../../ui/plan/plan-instances.tsx'
import { PlanPods } from '../../ui/plan/plan-pods.tsx'
import { PlanSheet } from '../../ui/plan/plan-sheet.tsx'
import { PlanVerdict } from '../../ui/plan/plan-verdict.tsx'
import { PlanWarnings } from '../../ui/plan/plan-warnings.tsx'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import { namesIn, readDraft, type UpdateDraft } from '../../ui/plan/update-draft.ts'
import { lastMade, type MadePlan } from '../../ui/plan/use-plan.ts'
import { factsByNode } from './plan-facts.ts'
import { PlanLanes } from './plan-lanes.tsx'
import { SeveralOptions } from './several-options.tsx'
import { SeveralFacts, SeveralLeftOut, SeveralNodes } from './several-parts.tsx'
import { usePlanAhead } from './use-plan-ahead.ts'
import { type UpdatePlanInHand, useUpdatePlan } from './use-update-plan.ts'
import '../../ui/plan/plan.css'
import './several.css'

/** `out`: all go out and stay out; `back`: one after another, out, the work, and back. */
export type SeveralWay = 'out' | 'back'

interface Props {
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly way: SeveralWay
  readonly onWay: (way: SeveralWay) => void
}

/** The plan for several nodes: the verdict and what blocks it, the nodes in their order, and the one confirmation. */
export function SeveralPlan({ cluster, nodes, way, onWay }: Props): ReactNode {
  const work = useUpdatePlan(cluster, nodes, way)
  const { draft, proposal, plan, isOfDraft, choices, check, proposeAgain } = work
  const cancel = useRef<HTMLButtonElement>(null)
  const [leaving, setLeaving] = useState<LeavingInstance | null>(null)
  const made = plan === null ? null : lastMade(plan)
  const effects = useMemo(() => (made === null ? null : effectsAfterAccepting(made.checked)), [made])
  const status: PlanStatus = plan?.kind === 'made' && !isOfDraft ? 'other-choices' : (plan?.kind ?? 'making')
  const count = draft === null ? nodes.length : placedIn(draft).length
  const reading = useMemo(() => (draft === null ? null : readDraft(draft, null)), [draft])
  const options = reading?.kind === 'ready' ? reading.options : null
  const checkAgain = useCallback(() => {
    if (options === null) proposeAgain()
    else check(options, choices)
  }, [options, choices, check, proposeAgain])
  const isMaking = proposal.kind === 'reading' || plan?.kind === 'making' || status === 'other-choices'
  const inHand = made === null || effects === null || draft === null ? null : { made, effects, draft, options }
  const parts = {
    cluster,
    nodes,
    way,
    onWay,
    work,
    status,
    leaving,
    onLeave: (id: string) => setLeaving({ id }),
    onCheck: checkAgain,
  }
  return (
    <PlanSheet
      title={wayTitle(way, count)}
      cluster={cluster}
      checked={{ atMs: made?.madeAtMs ?? null, isMaking, onCheckAgain: checkAgain }}
      notice={
        proposal.kind === 'failed' ? (
          <FailureCallout title="No plan could be made" failure={proposal.failure} onRetry={proposeAgain} />
        ) : plan?.kind === 'failed' ? (
          <FailureCallout title="No plan could be made" failure={plan.failure} onRetry={checkAgain} />
        ) : made === null ? (
          <div className="plan-making" role="status">
            <p>
              <b>Checking {counted(nodes.length, 'node')}.</b>{' '}
              <span className="quiet">Reads only; nothing changes.</span>
            </p>
            <ProgressBar intent="primary" aria-label={`Checking ${counted(nodes.length, 'node')}`} />
          </div>
        ) : null
      }
      left={
        <>
          {inHand === null ? null : <Verdict {...parts} {...inHand} />}
          {draft === null ? null : (
            <SeveralLeftOut
              leftOut={leftOutOf({ nodes, draft, work }).filter(({ why }) => why !== null)}
              onPutBack={node => work.edit(moveLanes(draft, [node], lastPlace(draft)))}
            />
          )}
          {inHand === null ? null : <SeveralLeft {...parts} {...inHand} />}
        </>
      }
      right={inHand === null ? null : <SeveralRight {...parts} {...inHand} />}
      foot={
        inHand === null ? (
          <footer className="sheet-foot row">
            <span className="space" />
            <Button ref={cancel} variant="minimal" text="Cancel" onClick={closeSeveral} />
          </footer>
        ) : (
          <PlanConfirm
            cluster={cluster}
            made={inHand.made}
            status={status}
            confirm={wayTitle(way, count)}
            cancel={cancel}
            onCancel={closeSeveral}
            onCheckAgain={checkAgain}
            onStarted={run => {
              closeSeveral()
              goTo(clusterRoute(cluster, 'history', { runId: run.id }))
            }}
          />
        )
      }
      first={cancel}
      onClose={closeSeveral}
    />
  )
}

function wayTitle(way: SeveralWay, count: number): string {
  const many = counted(count, 'node')
  return way === 'out' ? `Take ${many} out of service` : `Maintain ${many} one after another`
}

function placedIn({ controlNodes, groups }: UpdateDraft): readonly string[] {
  return [controlNodes, ...groups.map(group => group.nodes)].flatMap(namesIn)
}

/** After the last node of the order. */
function lastPlace(draft: UpdateDraft): LanePlace {
  const last = listsOf(draft).at(-1)
  return last === undefined ? { kind: 'new' } : { kind: 'end', list: last.list }
}

interface PartProps extends Props {
  readonly work: UpdatePlanInHand
  readonly status: PlanStatus
  readonly made: MadePlan
  readonly effects: PlanEffects
  readonly draft: UpdateDraft
  readonly options: UpdateOptions | null
  readonly leaving: LeavingInstance | null
  readonly onLeave: (id: string) => void
  readonly onCheck: () => void
}

/** The chosen nodes that the plan does not touch, with the reason if known. */
function leftOutOf({ nodes, draft, work }: Pick<PartProps, 'nodes' | 'draft' | 'work'>) {
  const placed = new Set(placedIn(draft))
  const left = work.proposal.kind === 'read' ? work.proposal.proposal.left : []
  return nodes
    .filter(node => !placed.has(node))
    .map(node => ({ node, why: left.find(each => each.node === node)?.why ?? null }))
}

/** Whether it can start, and about how long it takes if that was measured. */
function Verdict({ cluster, way, draft, options, made, status }: PartProps): ReactNode {
  const { ahead, nowMs } = usePlanAhead(cluster, draft, way === 'back' ? options : null)
  const isTimed = way === 'back' && ahead.times.from !== 'order'
  const about = isTimed ? durationWords(Math.max(0, ahead.end.lowMs - nowMs)) : null
  return <PlanVerdict checked={made.checked} status={status} about={about} />
}

/** What blocks, the facts, and what opens. */
function SeveralLeft(props: PartProps): ReactNode {
  const { cluster, way, onWay, work, made, effects, draft, options, leaving, onCheck } = props
  const { checked } = made
  const choose = (change: PlanChoices) => {
    if (options !== null) work.check(options, { ...work.choices, ...change })
  }
  const steps = useMemo(() => new Map(checked.plan.steps.map(step => [step.id, updateNodeOf(step)])), [checked])
  return (
    <>
      <PlanBlockers
        cluster={cluster}
        checked={checked}
        instances={effects.instances}
        onMarked={onCheck}
        leaving={leaving}
        onChoose={choose}
        leaveOut={stepId => {
          const node = steps.get(stepId) ?? null
          return node === null || placedIn(draft).length < 2
            ? null
            : { node, act: () => work.edit(moveLanes(draft, [node], { kind: 'out' })) }
        }}
      />
      <SeveralFacts effects={effects} way={way} />
      <div className="plan-folds">
        <PlanWarnings checked={checked} instances={effects.instances} search="" />
        <PlanChecks checked={checked} search="" />
        <PlanPods pods={effects.pods} search="" />
        <PlanFold icon={<CogIcon size={14} />} line="Options">
          <SeveralOptions cluster={cluster} draft={draft} way={way} onEdit={work.edit} />
        </PlanFold>
      </div>
      <PlanAfterwards
        words="When they are empty"
        options={[
          { value: 'out', label: 'Stay out' },
          { value: 'back', label: 'One by one, and back' },
        ]}
        value={way}
        onWay={onWay}
      />
    </>
  )
}

/** The nodes in their order, then every instance. */
function SeveralRight(props: PartProps): ReactNode {
  const { cluster, way, work, made, effects, draft, options, onLeave, onCheck } = props
  const facts = useMemo(() => factsByNode(made.checked, effects), [made, effects])
  const table = (
    <PlanInstances
      cluster={cluster}
      instances={effects.instances}
      checked={made.checked}
      forecast={{ kind: 'not-asked' }}
      places={null}
      onMarked={onCheck}
      onLeave={onLeave}
      exclusion={null}
    />
  )
  return way === 'out' ? (
    <>
      <SeveralNodes nodes={placedIn(draft)} facts={facts} />
      {table}
    </>
  ) : (
    <>
      <Order
        cluster={cluster}
        draft={draft}
        options={options}
        work={work}
        facts={facts}
        leftOut={leftOutOf(props).filter(({ why }) => why === null)}
      />
      <PlanFold open icon={<GridViewIcon size={14} />} line={counted(effects.instances.length, 'instance')}>
        {table}
      </PlanFold>
    </>
  )
}

interface OrderProps extends Pick<PartProps, 'cluster' | 'draft' | 'options' | 'work'> {
  readonly facts: ReturnType<typeof factsByNode>
  readonly leftOut: ReturnType<typeof leftOutOf>
}

/** The order as lanes on the time axis, to be changed by dragging. */
function Order({ cluster, draft, options, work, facts, leftOut }: OrderProps): ReactNode {
  const scroller = useRef<HTMLElement>(null)
  const { ahead, nowMs } = usePlanAhead(cluster, draft, options)
  const list = useWindows(store => store.list)
  const endsAt = useTicks(store => openWindowsOf(list, cluster, store.nowMs)[0]?.window.endsAt ?? null)
  return (
    <PlanLanes
      draft={draft}
      leftOut={leftOut}
      ahead={ahead}
      nowMs={nowMs}
      windowEndMs={endsAt === null ? null : Date.parse(endsAt)}
      hasPhases={false}
      facts={facts}
      scroller={scroller}
      onEdit={work.edit}
    />
  )
}
