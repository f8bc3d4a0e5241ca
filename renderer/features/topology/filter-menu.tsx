import { Button, Checkbox, PopoverNext, Radio, RadioGroup } from '@blueprintjs/core'
import { FilterIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { ROLE_WORDS } from '../../../shared/words/nodes.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { GROUPINGS, type Grouping } from '../../geometry/node-groups.ts'
import { selectNodes } from '../../stores/selection.ts'
import { CONDITIONS, type Condition, changeFilter, filterOf, useTopology } from '../../stores/topology.ts'
import { shownNow, useFromNodes } from './node-selectors.ts'

const CONDITION_WORDS: Readonly<Record<Condition, string>> = {
  instances: 'Has instances',
  blocked: 'Has blocked instances',
  'not-known': 'Not fully read',
}

const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  zone: 'Zone and role',
  role: 'Role',
  state: 'State',
  rack: 'Rack',
}

/** Filters of the map: by state, role, zone, and a few questions of operators; and how the map is divided. */
export function FilterMenu({ cluster }: { readonly cluster: string }): ReactNode {
  const { states, roles, zones, conditions } = useTopology(store => filterOf(store, cluster))
  const chosen = states.length + roles.length + zones.length + conditions.length
  return (
    <PopoverNext placement="bottom-start" content={<Choices cluster={cluster} />}>
      <Button
        size="small"
        icon={<FilterIcon />}
        text={chosen === 0 ? 'Filter' : `Filter: ${chosen}`}
        intent={chosen === 0 ? 'none' : 'primary'}
        variant={chosen === 0 ? 'solid' : 'outlined'}
      />
    </PopoverNext>
  )
}

function Choices({ cluster }: { readonly cluster: string }): ReactNode {
  const filter = useTopology(store => filterOf(store, cluster))
  const known = useFromNodes(cluster, zonesOf, sameZones)
  const change = useCallback((part: Partial<typeof filter>) => changeFilter(cluster, part), [cluster])
  return (
    <div className="topo-filters">
      <Choice
        title="State"
        all={NodeState.options}
        chosen={filter.states}
        words={state => STATE_WORDS[state]}
        onChange={states => change({ states })}
      />
      <Choice
        title="Role"
        all={NodeRole.options}
        chosen={filter.roles}
        words={role => ROLE_WORDS[role]}
        onChange={roles => change({ roles })}
      />
      <Choice
        title="Zone"
        all={known}
        chosen={filter.zones}
        words={zone => zone ?? 'No zone'}
        onChange={zones => change({ zones })}
      />
      <Choice
        title="Only where"
        all={CONDITIONS}
        chosen={filter.conditions}
        words={condition => CONDITION_WORDS[condition]}
        onChange={conditions => change({ conditions })}
      />
      <GroupBy />
      <Button
        size="small"
        className="bp6-popover-dismiss"
        text="Select all shown nodes"
        onClick={() => selectNodes(cluster, shownNow(cluster))}
      />
    </div>
  )
}

function GroupBy(): ReactNode {
  const grouping = useTopology(store => store.grouping)
  return (
    <fieldset className="topo-choice-list">
      <legend>Group by</legend>
      <RadioGroup
        selectedValue={grouping}
        onChange={event =>
          useTopology.setState({ grouping: GROUPINGS.find(name => name === event.currentTarget.value) ?? 'zone' })
        }
      >
        {GROUPINGS.map(value => (
          <Radio key={value} value={value} label={GROUPING_WORDS[value]} />
        ))}
      </RadioGroup>
    </fieldset>
  )
}

interface ChoiceProps<T> {
  readonly title: string
  readonly all: readonly T[]
  readonly chosen: readonly T[]
  readonly words: (value: T) => string
  readonly onChange: (chosen: readonly T[]) => void
}

function Choice<T extends string | null>({ title, all, chosen, words, onChange }: ChoiceProps<T>): ReactNode {
  return (
    <fieldset className="topo-choice-list">
      <legend>{title}</legend>
      {all.map(value => (
        <Checkbox
          key={value ?? ''}
          label={words(value)}
          checked={chosen.includes(value)}
          onChange={event =>
            onChange(event.currentTarget.checked ? [...chosen, value] : chosen.filter(other => other !== value))
          }
        />
      ))}
    </fieldset>
  )
}

function zonesOf(nodes: ReadonlyMap<string, NodeView>): readonly (string | null)[] {
  const zones = new Set([...nodes.values()].map(node => node.zone))
  const named = [...zones].filter(zone => zone !== null).sort(naturally)
  return zones.has(null) ? [...named, null] : named
}

function sameZones(a: readonly (string | null)[], b: readonly (string | null)[]): boolean {
  return a.length === b.length && a.every((zone, index) => zone === b[index])
}
