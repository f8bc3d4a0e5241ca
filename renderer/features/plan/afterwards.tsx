import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'
import { PlanAfterwards } from '../../ui/plan/plan-afterwards.tsx'
import { WorkForm } from '../../ui/plan/work-form.tsx'

interface Props {
  readonly kind: PlannedNodeRunKind
  /** How Lockkeeper knows that the work has ended; null if the operator confirms it. */
  readonly work: NodeWorkGate | null
  readonly onKind: (kind: PlannedNodeRunKind) => void
  readonly onChoose: (change: PlanChoices) => void
}

/** What happens to a node once it is out of service: it stays out, or the same run waits for the work and brings it back. */
export function Afterwards({ kind, work, onKind, onChoose }: Props): ReactNode {
  return (
    <PlanAfterwards
      words="When it is empty"
      options={[
        { value: 'enter', label: 'Leave it out' },
        { value: 'maintain', label: 'Wait, then bring it back' },
      ]}
      value={kind === 'maintain' ? 'maintain' : 'enter'}
      onWay={onKind}
    >
      {kind === 'maintain' ? <Work work={work ?? { kind: 'person' }} onChoose={onChoose} /> : null}
    </PlanAfterwards>
  )
}

/** Typed text counts when the field is left: not every letter makes a plan. */
function Work({ work, onChoose }: { readonly work: NodeWorkGate } & Pick<Props, 'onChoose'>): ReactNode {
  const [draft, setDraft] = useState(work)
  const isSettled = draft === work || isSameJson(draft, work)
  const change = (next: NodeWorkGate) => {
    setDraft(next)
    if (next.kind === 'person' || next.kind === 'boot-id') onChoose({ work: next })
  }
  return (
    <div className="plan-work">
      <WorkForm work={draft} onChange={change} />
      {isSettled ? null : (
        <Button
          size="small"
          text="Plan with this"
          disabled={!isSaid(draft)}
          onClick={() => onChoose({ work: draft })}
        />
      )}
    </div>
  )
}

function isSaid(work: NodeWorkGate): boolean {
  switch (work.kind) {
    case 'person':
    case 'boot-id':
      return true
    case 'kubelet-version':
      return work.version.trim() !== ''
    case 'os-image':
      return work.contains.trim() !== ''
    case 'job':
      return work.manifest.trim() !== '' && work.namespace.trim() !== ''
  }
}
