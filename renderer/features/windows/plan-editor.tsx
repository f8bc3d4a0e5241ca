import { Button, NonIdealState, Radio, RadioGroup, Spinner } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { proposeUpdate } from '../../bridge/updates.ts'
import { showCluster } from '../../bridge/views.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { draftOf } from '../../ui/plan/update-draft.ts'
import { UpdateForm } from '../../ui/plan/update-form.tsx'
import { BatchesEditor } from './batches-editor.tsx'
import type { PlanDraft } from './plan-draft.ts'

interface Props {
  readonly cluster: string
  readonly draft: PlanDraft
  readonly estimate: OwnEstimate | null
  readonly onEdit: (draft: PlanDraft) => void
}

/** The purpose of a window: none, batches of nodes, or the update of the whole cluster. */
export function PlanEditor({ cluster, draft, estimate, onEdit }: Props): ReactNode {
  const flavour = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined))
  return (
    <>
      <RadioGroup
        className="win-kinds"
        inline
        label="What"
        selectedValue={draft.kind}
        onChange={({ currentTarget: { value } }) => {
          if (value === 'open' || value === 'batches' || value === 'update') onEdit({ ...draft, kind: value })
        }}
      >
        <Radio value="open" label="I start nodes myself" />
        <Radio value="batches" label="Lockkeeper goes through these nodes" />
        {flavour === 'mosk' || draft.kind === 'update' ? (
          <Radio value="update" label="Update of the whole cloud" />
        ) : null}
      </RadioGroup>
      {draft.kind === 'batches' ? (
        <BatchesEditor
          cluster={cluster}
          draft={draft.batches}
          estimate={estimate}
          onEdit={batches => onEdit({ ...draft, batches })}
        />
      ) : null}
      {draft.kind === 'update' ? <UpdatePart cluster={cluster} draft={draft} onEdit={onEdit} /> : null}
    </>
  )
}

function UpdatePart({ cluster, draft, onEdit }: Omit<Props, 'estimate'>): ReactNode {
  useEffect(() => showCluster(cluster), [cluster])
  const known = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const nodes = useMemo(() => (known === null ? null : [...known.keys()]), [known])
  const [proposal, setProposal] = useState<UpdateProposal | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const propose = useCallback(async () => {
    setAsking(true)
    setFailure(null)
    const answer = await proposeUpdate(cluster)
    setAsking(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    setProposal(answer.value)
    onEdit({ ...draft, update: draftOf(answer.value.options) })
  }, [cluster, draft, onEdit])
  if (failure !== null) {
    return (
      <FailureCallout
        title={`Lockkeeper cannot propose an update for ${cluster}`}
        failure={failure}
        onRetry={() => void propose()}
      >
        <p>
          A proposal needs the nodes and roles of the cloud. See{' '}
          <a href={hashOf(clusterRoute(cluster, 'topology'))}>what can be read of {cluster}</a> and{' '}
          <a href={hashOf(clusterRoute(cluster, 'settings'))}>its access</a>, then try again. Until then the window can
          have runs that you start one by one.
        </p>
      </FailureCallout>
    )
  }
  const { update } = draft
  if (update === null) {
    return asking ? (
      <NonIdealState icon={<Spinner size={24} />} title="Reading nodes and roles" />
    ) : (
      <Button text="Propose the update" intent="primary" onClick={() => void propose()} />
    )
  }
  return (
    <div className="win-update upd-form">
      <UpdateForm
        draft={update}
        nodes={nodes}
        left={proposal?.left ?? []}
        onEdit={change => onEdit({ ...draft, update: { ...update, ...change } })}
      />
    </div>
  )
}
