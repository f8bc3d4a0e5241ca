import { Button, PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo } from 'react'
import type { PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { rollingNoun } from '../../../shared/words/plans.ts'
import { clusterRoute, goTo, hashOf } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { forgetUpdateWish } from '../../stores/update-wish.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PlanConfirm } from '../../ui/plan/plan-confirm.tsx'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { UpdateForm } from '../../ui/plan/update-form.tsx'
import type { MadePlan } from '../../ui/plan/use-plan.ts'
import { WorkDetails, WorkKind } from '../../ui/plan/work-form.tsx'
import { AtATime } from './plan-lane.tsx'
import type { UpdatePlanInHand } from './use-update-plan.ts'

interface Props {
  readonly work: UpdatePlanInHand
  readonly draft: UpdateDraft
  /** How many nodes are in the order. */
  readonly count: number
  readonly hasPhases: boolean
  readonly made: MadePlan | null
  readonly effects: PlanEffects | null
  readonly status: PlanStatus
  readonly onCheck: () => void
}

/** One line: the few choices that everybody has, and the button that says what it does. */
export function UpdateFoot({ work, draft, count, hasPhases, made, effects, status, onCheck }: Props): ReactNode {
  const { cluster, edit } = work
  const nodes = counted(count, 'node')
  const confirm = hasPhases ? `Update ${nodes} of ${cluster}` : `Maintain ${nodes} of ${cluster}, one after another`
  return (
    <div className="upd-foot">
      {draft.work.kind === 'person' || draft.work.kind === 'boot-id' ? null : (
        <div className="upd-work row wrap">
          <WorkDetails work={draft.work} onChange={changed => edit({ work: changed })} />
        </div>
      )}
      {made === null || effects === null ? (
        <footer className="plan-foot row wrap">
          <Choices work={work} draft={draft} />
          <Button className="plan-start" intent="primary" text={confirm} disabled />
        </footer>
      ) : (
        <PlanConfirm
          cluster={cluster}
          made={made}
          status={status}
          confirm={confirm}
          lead={<Choices work={work} draft={draft} />}
          cancel={null}
          onCancel={() => {}}
          onCheckAgain={onCheck}
          onStarted={run => {
            forgetUpdateWish()
            goTo(clusterRoute(cluster, 'update', { runId: run.id }))
            showToast({ text: `The ${rollingNoun(run.kind)} of ${cluster} has started.` })
          }}
        />
      )}
    </div>
  )
}

function Choices({ work, draft }: Pick<Props, 'work' | 'draft'>): ReactNode {
  const { cluster, proposal, edit } = work
  const id = useId()
  const known = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const nodes = useMemo(() => (known === null ? null : [...known.keys()]), [known])
  const [only, another] = draft.groups
  return (
    <div className="upd-choices row wrap">
      {only === undefined || another !== undefined ? null : (
        <span className="row">
          <span aria-hidden>At a time</span>
          <AtATime
            label="Workers at a time"
            amount={only.concurrentUpdates}
            onChange={concurrentUpdates => edit({ groups: [{ ...only, concurrentUpdates }] })}
          />
        </span>
      )}
      <label className="row" htmlFor={`${id}-work`}>
        <span>Done when</span>
        <WorkKind id={`${id}-work`} work={draft.work} onChange={changed => edit({ work: changed })} />
      </label>
      <PopoverNext
        placement="top-start"
        content={
          <div className="upd-form">
            <UpdateForm
              isMore
              draft={draft}
              nodes={nodes}
              left={proposal.kind === 'read' ? proposal.proposal.left : []}
              onEdit={edit}
            />
          </div>
        }
      >
        <Button variant="minimal" text="More choices" />
      </PopoverNext>
      <span className="space" />
      <LinkButton href={hashOf({ kind: 'new-window', cluster })}>Schedule…</LinkButton>
    </div>
  )
}
