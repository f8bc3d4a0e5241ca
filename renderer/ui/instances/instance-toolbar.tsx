import { Button, Checkbox, HTMLSelect, InputGroup, PopoverNext } from '@blueprintjs/core'
import { SearchIcon, TwoColumnsIcon } from '@blueprintjs/icons'
import type { ReactNode, RefObject } from 'react'
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
import { actionTone } from '../action-tone.ts'
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
  'notify',
  'ignore',
  'blocked',
]

/** Filters of a list of instances: by text, by effect of a maintenance, by node, project and zone, and by warnings. */
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
        placeholder="Name, id, node or project"
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
      <div role="group" aria-label="By what maintenance does" className="inst-chips">
        {ACTIONS.map(action => (
          <button
            key={action}
            type="button"
            className="inst-chip bare"
            style={actionTone(action)}
            aria-pressed={filter.actions.includes(action)}
            onClick={() =>
              change({
                actions: filter.actions.includes(action)
                  ? filter.actions.filter(other => other !== action)
                  : [...filter.actions, action],
              })
            }
          >
            <span>{ACTION_WORDS[action]}</span>
            <b>{shown.counts[action]}</b>
          </button>
        ))}
      </div>
      {narrow ? null : <FactFilters {...props} change={change} />}
      <Odd filter={filter} change={change} />
      {isNarrowed(filter) ? (
        <Button
          size="small"
          variant="minimal"
          text="Clear filter"
          onClick={() => changeInstanceFilter(listKey, NO_INSTANCE_FILTER)}
        />
      ) : null}
      <span className="space" />
      {narrow ? null : <ColumnMenu hidden={props.hidden} />}
    </div>
  )
}

export function isNarrowed(filter: InstanceFilter): boolean {
  const { text, project, zone, host, status, actions, odd } = filter
  return text.trim() !== '' || actions.length > 0 || [project, zone, host, status, odd].some(value => value !== null)
}

type Change = (part: Partial<InstanceFilter>) => void

const FACTS = [
  { key: 'project', all: 'Projects' },
  { key: 'zone', all: 'Zones' },
  { key: 'host', all: 'Nodes' },
  { key: 'status', all: 'Statuses' },
] as const

function FactFilters({ cluster, node, filter, change }: Props & { readonly change: Change }): ReactNode {
  const choices = useChoices(cluster, node)
  return FACTS.map(({ key, all }) =>
    key === 'host' && node !== null ? null : (
      <HTMLSelect
        key={key}
        className={`inst-select${filter[key] === null ? '' : ' inst-narrowed'}`}
        aria-label={`Filter by ${key}`}
        value={filter[key] ?? ''}
        options={[
          { value: '', label: all },
          ...missing(choices[key], filter[key]),
          ...choices[key].map(({ value, text }) => ({ value, label: text })),
        ]}
        onChange={event => change({ [key]: event.target.value === '' ? null : event.target.value })}
      />
    ),
  )
}

/** A chosen value stays in the list even if no instance has it. */
function missing(
  choices: readonly { readonly value: string }[],
  chosen: string | null,
): { value: string; label: string }[] {
  if (chosen === null || choices.some(({ value }) => value === chosen)) return []
  return [{ value: chosen, label: `${chosen} (none now)` }]
}

const ODD = [
  { value: '', label: 'Warnings' },
  { value: 'warnings', label: 'With warnings' },
  { value: 'several-marks', label: 'Several modes' },
  { value: 'refused', label: 'Edit refused' },
] as const

function Odd({ filter, change }: { readonly filter: InstanceFilter; readonly change: Change }): ReactNode {
  return (
    <HTMLSelect
      className={`inst-select${filter.odd === null ? '' : ' inst-narrowed'}`}
      aria-label="Filter by warning"
      value={filter.odd ?? ''}
      options={ODD}
      onChange={event => {
        const chosen = ODD.find(({ value }) => value === event.target.value)?.value ?? ''
        change({ odd: chosen === '' ? null : chosen })
      }}
    />
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
      <Button size="small" variant="minimal" icon={<TwoColumnsIcon size={14} />} text="Columns" />
    </PopoverNext>
  )
}
