import { Button, Checkbox, HTMLSelect, InputGroup, PopoverNext } from '@blueprintjs/core'
import { CrossIcon, FilterIcon, SearchIcon, TwoColumnsIcon } from '@blueprintjs/icons'
import { type ReactNode, type RefObject, useId } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { ACTION_WORDS } from '../../../shared/words/actions.ts'
import {
  changeInstanceFilter,
  hideColumns,
  INSTANCE_COLUMNS,
  type InstanceColumn,
  type InstanceFilter,
  NO_INSTANCE_FILTER,
} from '../../stores/instance-lists.ts'
import { InstanceMark, markOfAction } from '../instance-mark.tsx'
import { COLUMNS } from './instance-columns.ts'
import type { ShownInstances } from './instance-order.ts'
import { toggled } from './selection-moves.ts'
import { useChoices } from './use-shown-instances.ts'

interface Props {
  readonly cluster: string
  readonly node: string | null
  readonly listKey: string
  readonly filter: InstanceFilter
  readonly shown: ShownInstances
  readonly narrow: boolean
  readonly hidden: ReadonlySet<InstanceColumn>
  readonly search: RefObject<HTMLInputElement | null>
  readonly onLeaveSearch: () => void
}

const ACTIONS: readonly InstanceView['action'][] = [
  'live_migrate',
  'migrating',
  'poweroff',
  'blocked',
  'notify',
  'ignore',
]

/** One search, what happens to how many, and the other filters behind a button. */
export function InstanceToolbar(props: Props): ReactNode {
  const { listKey, filter, shown, narrow, search, onLeaveSearch } = props
  const change = (part: Partial<InstanceFilter>) => changeInstanceFilter(listKey, part)
  return (
    <div className="inst-toolbar row wrap">
      <InputGroup
        inputRef={search}
        size="small"
        className="inst-search"
        leftElement={<SearchIcon size={14} />}
        placeholder="Name, id, node, project"
        aria-label="Find instances by name, id, node or project"
        value={filter.text}
        onValueChange={text => change({ text })}
        onKeyDown={event => {
          if (event.key !== 'Escape' && event.key !== 'ArrowDown' && event.key !== 'Enter') return
          event.preventDefault()
          if (event.key === 'Escape' && filter.text !== '') change({ text: '' })
          else onLeaveSearch()
        }}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around the chips. */}
      <div role="group" aria-label="By what happens" className="inst-chips">
        {ACTIONS.filter(action => shown.counts[action] > 0 || filter.actions.includes(action)).map(action => (
          <ActionChip
            key={action}
            action={action}
            count={shown.counts[action]}
            isChosen={filter.actions.includes(action)}
            onToggle={() => change({ actions: [...toggled(new Set(filter.actions), action)] })}
          />
        ))}
      </div>
      <FactFilters {...props} change={change} />
      {isNarrowed(filter) ? (
        <Button
          size="small"
          variant="minimal"
          icon={<CrossIcon size={14} />}
          aria-label="Clear the filter"
          title="Clear the filter"
          onClick={() => changeInstanceFilter(listKey, NO_INSTANCE_FILTER)}
        />
      ) : null}
      {narrow || shown.rows.length === 0 ? null : (
        <span className="inst-toolbar-end row">
          <ColumnMenu hidden={props.hidden} />
        </span>
      )}
    </div>
  )
}

export function isNarrowed(filter: InstanceFilter): boolean {
  return filter.text.trim() !== '' || filter.actions.length > 0 || factsIn(filter) > 0
}

function factsIn({ project, zone, host, status, odd }: InstanceFilter): number {
  return [project, zone, host, status, odd].filter(value => value !== null).length
}

interface ChipProps {
  readonly action: InstanceView['action']
  readonly count: number
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function ActionChip({ action, count, isChosen, onToggle }: ChipProps): ReactNode {
  const mark = markOfAction(action)
  return (
    <button type="button" className="inst-chip bare" aria-pressed={isChosen} onClick={onToggle}>
      {mark === null ? null : <InstanceMark kind={mark} />}
      <b>{count.toLocaleString('en')}</b>
      <span>{ACTION_WORDS[action]}</span>
    </button>
  )
}

type Change = (part: Partial<InstanceFilter>) => void

const FACTS = [
  { key: 'project', title: 'Project' },
  { key: 'zone', title: 'Zone' },
  { key: 'host', title: 'Node' },
  { key: 'status', title: 'Status' },
] as const

const ODD = [
  { value: 'warnings', label: 'Any' },
  { value: 'several-marks', label: 'Several modes' },
  { value: 'refused', label: 'Change refused' },
] as const

/** What instances differ in: project, zone, node, status and notes; what all have in common is left out. */
function FactFilters({ cluster, node, filter, shown, change }: Props & { readonly change: Change }): ReactNode {
  const choices = useChoices(cluster, node)
  const facts = FACTS.filter(
    ({ key }) => filter[key] !== null || (choices[key].length > 1 && !(key === 'host' && node)),
  )
  const hasNotes = shown.hasNotes || filter.odd !== null
  if (facts.length === 0 && !hasNotes) return null
  const count = factsIn(filter)
  return (
    <PopoverNext
      placement="bottom-start"
      animation="minimal"
      arrow={false}
      content={
        <div className="inst-facts-menu">
          {facts.map(({ key, title }) => (
            <FactSelect
              key={key}
              title={title}
              value={filter[key]}
              choices={choices[key].map(({ value, text }) => ({ value, label: text }))}
              onChange={value => change({ [key]: value })}
            />
          ))}
          {hasNotes ? (
            <FactSelect
              title="Notes"
              value={filter.odd}
              choices={ODD}
              onChange={value => change({ odd: ODD.find(each => each.value === value)?.value ?? null })}
            />
          ) : null}
        </div>
      }
    >
      <Button
        size="small"
        icon={<FilterIcon size={14} />}
        text={count === 0 ? 'Filter' : `Filter: ${count}`}
        intent={count === 0 ? 'none' : 'primary'}
        variant={count === 0 ? 'minimal' : 'outlined'}
      />
    </PopoverNext>
  )
}

interface FactSelectProps {
  readonly title: string
  readonly value: string | null
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string | null) => void
}

function FactSelect({ title, value, choices, onChange }: FactSelectProps): ReactNode {
  const id = useId()
  // A chosen value stays in the list even if no instance has it.
  const gone = value === null || choices.some(each => each.value === value) ? [] : [{ value, label: `${value} (gone)` }]
  return (
    <label htmlFor={id}>
      {title}
      <HTMLSelect
        fill
        id={id}
        value={value ?? ''}
        options={[{ value: '', label: 'All' }, ...gone, ...choices]}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
    </label>
  )
}

interface ColumnMenuProps {
  readonly hidden: ReadonlySet<InstanceColumn>
}

/** The columns of all lists of instances, kept until the page is closed. The name is always shown. */
function ColumnMenu({ hidden }: ColumnMenuProps): ReactNode {
  return (
    <PopoverNext
      placement="bottom-end"
      animation="minimal"
      arrow={false}
      content={
        <div className="inst-columns">
          {INSTANCE_COLUMNS.filter(column => column !== 'name').map(column => (
            <Checkbox
              key={column}
              checked={!hidden.has(column)}
              label={COLUMNS[column].title}
              onChange={() => hideColumns(toggled(hidden, column))}
            />
          ))}
        </div>
      }
    >
      <Button size="small" variant="minimal" icon={<TwoColumnsIcon size={14} />} aria-label="Columns" title="Columns" />
    </PopoverNext>
  )
}
