import { Button, Checkbox, FormGroup, InputGroup, TextArea } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon, CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { type GroupDraft, namesIn, nodesLeftOut, type UpdateDraft } from './update-draft.ts'
import { WorkForm } from './work-form.tsx'

interface Props {
  readonly draft: UpdateDraft
  /** Null if unknown. */
  readonly nodes: readonly string[] | null
  /** Nodes that the proposal left out, and why. */
  readonly left: UpdateProposal['left']
  readonly onEdit: (change: Partial<UpdateDraft>) => void
  /** The lanes show the order, and the work is chosen beside them: only the rest is here, with the order as text. */
  readonly isMore?: boolean
}

export function UpdateForm({ draft, nodes, left, onEdit, isMore = false }: Props): ReactNode {
  const id = useId()
  const outside = nodes === null ? left.map(({ node }) => node) : nodesLeftOut(draft, nodes)
  const order = (
    <>
      <FormGroup
        label="Control-plane nodes"
        labelFor={`${id}-control`}
        helperText="One by one, in this order; one name per line."
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
    </>
  )
  return (
    <>
      <ScopeChoice label="The work on each node" scope={draft.scope} onChoose={scope => onEdit({ scope })} />
      {isMore ? null : <WorkForm work={draft.work} onChange={work => onEdit({ work })} />}
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
        helperText="On the requests; controllers of another release refuse them. May be empty."
      >
        <InputGroup
          id={`${id}-release`}
          value={draft.release}
          spellCheck={false}
          onValueChange={release => onEdit({ release })}
        />
      </FormGroup>
      {isMore ? (
        <details className="upd-text">
          <summary>Nodes and groups as text</summary>
          {order}
        </details>
      ) : (
        order
      )}
      {isMore || outside.length === 0 ? null : <LeftOut outside={outside} left={left} />}
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

/** The nodes of the cluster that the draft does not have. */
function LeftOut({ outside, left }: { readonly outside: readonly string[]; readonly left: Props['left'] }): ReactNode {
  return (
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
  )
}

interface GroupsFormProps {
  readonly groups: readonly GroupDraft[]
  readonly onChange: (groups: readonly GroupDraft[]) => void
}

/** Worker nodes in ordered groups: a group begins when the previous one is done. */
function GroupsForm({ groups, onChange }: GroupsFormProps): ReactNode {
  const id = useId()
  const [made, setMade] = useState(0)
  const move = (at: number, by: -1 | 1) => {
    const next = [...groups]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    onChange(next)
  }
  return (
    <fieldset className="upd-groups">
      <legend>Worker nodes in groups, one after another</legend>
      {groups.map((group, at) => (
        <Group
          key={group.key}
          group={group}
          isFirst={at === 0}
          isLast={at === groups.length - 1}
          onChange={change => onChange(groups.map(each => (each.key === group.key ? { ...each, ...change } : each)))}
          onMove={by => move(at, by)}
          onRemove={() => onChange(groups.filter(({ key }) => key !== group.key))}
        />
      ))}
      <Button
        id={id}
        size="small"
        text="Add a group"
        onClick={() => {
          setMade(made + 1)
          onChange([
            ...groups,
            { key: `new-${made}`, name: `group-${groups.length + 1}`, concurrentUpdates: 1, nodes: '' },
          ])
        }}
      />
    </fieldset>
  )
}

interface GroupProps {
  readonly group: GroupDraft
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onChange: (change: Partial<GroupDraft>) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

function Group({ group, isFirst, isLast, onChange, onMove, onRemove }: GroupProps): ReactNode {
  const id = useId()
  const { name, concurrentUpdates, nodes } = group
  return (
    <div className="upd-group">
      <div className="upd-group-head">
        <InputGroup
          size="small"
          aria-label="Name of the group"
          value={name}
          spellCheck={false}
          onValueChange={text => onChange({ name: text })}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<ArrowUpIcon />}
          aria-label={`${name} earlier`}
          disabled={isFirst}
          onClick={() => onMove(-1)}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<ArrowDownIcon />}
          aria-label={`${name} later`}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <Button
          size="small"
          variant="minimal"
          icon={<CrossIcon />}
          aria-label={`Remove the group ${name}`}
          onClick={onRemove}
        />
      </div>
      <label className="upd-at-once row" htmlFor={`${id}-at-once`}>
        <span>At a time</span>
        <input
          id={`${id}-at-once`}
          className="bp6-input"
          type="number"
          min={1}
          max={500}
          value={concurrentUpdates}
          onChange={({ currentTarget }) => {
            const amount = Math.round(Number(currentTarget.value))
            if (amount >= 1 && amount <= 500) onChange({ concurrentUpdates: amount })
          }}
        />
        <span className="quiet">of {counted(namesIn(nodes).length, 'node')}</span>
      </label>
      <TextArea
        className="mono"
        fill
        autoResize
        spellCheck={false}
        aria-label={`Nodes of ${name}, one per line`}
        value={nodes}
        onChange={({ currentTarget }) => onChange({ nodes: currentTarget.value })}
      />
    </div>
  )
}
