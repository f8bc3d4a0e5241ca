import { Checkbox, FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import { GroupsForm } from './groups-form.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { nodesLeftOut, type UpdateDraft } from './update-draft.ts'
import { WorkForm } from './work-form.tsx'

interface Props {
  readonly draft: UpdateDraft
  /** Null: not known. */
  readonly nodes: readonly string[] | null
  /** Nodes that the proposal left out, and why. */
  readonly left: UpdateProposal['left']
  readonly onEdit: (change: Partial<UpdateDraft>) => void
}

/** What the operator chooses for an update. */
export function UpdateForm({ draft, nodes, left, onEdit }: Props): ReactNode {
  const id = useId()
  const outside = nodes === null ? left.map(({ node }) => node) : nodesLeftOut(draft, nodes)
  return (
    <>
      <ScopeChoice label="The work on each node" scope={draft.scope} onChoose={scope => onEdit({ scope })} />
      <WorkForm work={draft.work} onChange={work => onEdit({ work })} />
      <FormGroup label="Reason" labelFor={`${id}-reason`} helperText="Kept in the journal and on every request.">
        <InputGroup
          id={`${id}-reason`}
          value={draft.reason}
          placeholder="Ticket, or a sentence"
          onValueChange={reason => onEdit({ reason })}
        />
      </FormGroup>
      <FormGroup
        label="Release"
        labelFor={`${id}-release`}
        helperText="On the requests; controllers of another release refuse them. Empty: none."
      >
        <InputGroup
          id={`${id}-release`}
          value={draft.release}
          spellCheck={false}
          onValueChange={release => onEdit({ release })}
        />
      </FormGroup>
      <FormGroup
        label="Control-plane nodes"
        labelFor={`${id}-control`}
        helperText="One by one, in this order; one name a line."
      >
        <TextArea
          id={`${id}-control`}
          className="mono"
          fill
          autoResize
          spellCheck={false}
          value={draft.controlNodes}
          onChange={({ currentTarget }) => onEdit({ controlNodes: currentTarget.value })}
        />
      </FormGroup>
      <GroupsForm groups={draft.groups} onChange={groups => onEdit({ groups })} />
      {outside.length === 0 ? null : (
        <details className="upd-left" open={outside.length <= 5}>
          <summary>Left out: {outside.length}</summary>
          <ul>
            {outside.map(node => {
              const why = left.find(each => each.node === node)?.why
              return (
                <li key={node}>
                  <b>{node}</b>
                  {why === undefined ? '' : `: ${why}`}
                </li>
              )
            })}
          </ul>
        </details>
      )}
      <Checkbox
        checked={draft.zoneAtATime}
        onChange={({ currentTarget }) => onEdit({ zoneAtATime: currentTarget.checked })}
      >
        One availability zone at a time
      </Checkbox>
      <Checkbox
        checked={draft.pauseBetweenNodes}
        onChange={({ currentTarget }) => onEdit({ pauseBetweenNodes: currentTarget.checked })}
      >
        Ask before every next node
      </Checkbox>
      <Checkbox
        checked={draft.pauseBetweenPhases}
        onChange={({ currentTarget }) => onEdit({ pauseBetweenPhases: currentTarget.checked })}
      >
        Ask before every next phase
      </Checkbox>
    </>
  )
}
