import { Button, InputGroup, TextArea } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon, CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { type GroupDraft, namesIn } from './update-draft.ts'

interface Props {
  readonly groups: readonly GroupDraft[]
  readonly onChange: (groups: readonly GroupDraft[]) => void
}

/** Worker nodes in ordered groups: the second begins when the first is done; within one so many at once. */
export function GroupsForm({ groups, onChange }: Props): ReactNode {
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
      <legend>Worker nodes, in groups that follow each other</legend>
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
        <span>At once</span>
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
        aria-label={`Nodes of ${name}, one a line`}
        value={nodes}
        onChange={({ currentTarget }) => onChange({ nodes: currentTarget.value })}
      />
    </div>
  )
}
