import { Checkbox, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useClusters } from '../../stores/clusters.ts'
import { ScopeChoice } from '../../ui/plan/scope-choice.tsx'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { WorkForm } from '../../ui/plan/work-form.tsx'
import { AtATime } from './plan-lane.tsx'

interface Props {
  readonly cluster: string
  readonly draft: UpdateDraft
  readonly way: 'out' | 'back'
  readonly onEdit: (change: Partial<UpdateDraft>) => void
}

/** The options of a plan for several nodes; each change makes the plan again. */
export function SeveralOptions({ cluster, draft, way, onEdit }: Props): ReactNode {
  const id = useId()
  const hasRequests = useClusters(({ list }) => list.kind === 'listed' && list.byName.get(cluster)?.flavour === 'mosk')
  return (
    <div className="several-options">
      <ScopeChoice label="The work on each node" scope={draft.scope} onChoose={scope => onEdit({ scope })} />
      {draft.groups.map(group => (
        <span key={group.key} className="row">
          <span aria-hidden="true">At a time</span>
          <AtATime
            label="At a time"
            amount={group.concurrentUpdates}
            onChange={concurrentUpdates =>
              onEdit({
                groups: draft.groups.map(each => (each.key === group.key ? { ...each, concurrentUpdates } : each)),
              })
            }
          />
        </span>
      ))}
      {way === 'back' ? (
        <>
          <WorkForm work={draft.work} onChange={work => onEdit({ work })} />
          <Checkbox
            checked={draft.pauseBetweenNodes}
            onChange={({ currentTarget }) => onEdit({ pauseBetweenNodes: currentTarget.checked })}
          >
            Ask before every next node
          </Checkbox>
          {hasRequests ? (
            <FormGroup label="Target release" labelFor={`${id}-release`}>
              <InputGroup
                id={`${id}-release`}
                value={draft.release}
                spellCheck={false}
                onValueChange={release => onEdit({ release })}
              />
            </FormGroup>
          ) : null}
        </>
      ) : null}
    </div>
  )
}
