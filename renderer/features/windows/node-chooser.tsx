import { Button, Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { memo, type ReactNode, useMemo, useState } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { passes } from '../../stores/map-filter.ts'
import { NO_FILTER } from '../../stores/topology.ts'

interface Props {
  /** Null if unknown so far. */
  readonly nodes: ReadonlyMap<string, NodeView> | null
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** Chooses the nodes of a plan by role, availability zone and name. */
export const NodeChooser = memo(function NodeChooser({ nodes, chosen, onChoose }: Props): ReactNode {
  const [text, setText] = useState('')
  const [role, setRole] = useState<NodeRole | null>(null)
  const [zone, setZone] = useState<string | null>(null)
  const all = useMemo(() => [...(nodes?.values() ?? [])].sort((a, b) => naturally(a.name, b.name)), [nodes])
  const zones = useMemo(
    () => [...new Set(all.flatMap(node => (node.zone === null ? [] : [node.zone])))].sort(naturally),
    [all],
  )
  const shown = all.filter(node =>
    passes(node, {
      ...NO_FILTER,
      text,
      roles: role === null ? [] : [role],
      zones: zone === null ? [] : [zone],
    }),
  )
  const set = (names: readonly string[], isIn: boolean) => {
    const next = new Set(chosen)
    for (const name of names) {
      if (isIn) next.add(name)
      else next.delete(name)
    }
    onChoose(next)
  }
  const names = shown.map(({ name }) => name)
  return (
    <fieldset className="win-chooser">
      <legend className="visually-hidden">Nodes</legend>
      <div className="win-chooser-tools row wrap">
        <InputGroup
          size="small"
          type="search"
          leftElement={<SearchIcon />}
          placeholder="Name"
          aria-label="Find nodes"
          value={text}
          onValueChange={setText}
        />
        <HTMLSelect
          aria-label="Role"
          value={role ?? ''}
          options={[{ value: '', label: 'Any role' }, ...NodeRole.options.map(each => ({ value: each, label: each }))]}
          onChange={({ currentTarget }) => {
            const read = NodeRole.safeParse(currentTarget.value)
            setRole(read.success ? read.data : null)
          }}
        />
        <HTMLSelect
          aria-label="Availability zone"
          value={zone ?? ''}
          options={[{ value: '', label: 'Any zone' }, ...zones.map(each => ({ value: each, label: each }))]}
          onChange={({ currentTarget: { value } }) => setZone(value === '' ? null : value)}
        />
        <Button
          size="small"
          text={`Choose these ${names.length}`}
          disabled={names.every(name => chosen.has(name))}
          onClick={() => set(names, true)}
        />
        <Button
          size="small"
          text="Leave these out"
          disabled={!names.some(name => chosen.has(name))}
          onClick={() => set(names, false)}
        />
      </div>
      <NodeList nodes={nodes} shown={shown} chosen={chosen} onSet={set} />
    </fieldset>
  )
})

interface NodeListProps extends Pick<Props, 'nodes' | 'chosen'> {
  readonly shown: readonly NodeView[]
  readonly onSet: (names: readonly string[], isIn: boolean) => void
}

function NodeList({ nodes, shown, chosen, onSet }: NodeListProps): ReactNode {
  return (
    <ul className="win-chooser-list flush scrolls">
      {shown.map(node => (
        <li key={node.name}>
          <Checkbox
            checked={chosen.has(node.name)}
            onChange={({ currentTarget }) => onSet([node.name], currentTarget.checked)}
          >
            {node.name}{' '}
            <span className="quiet">
              {[node.roles.join(', '), node.zone ?? ''].filter(part => part !== '').join(' · ')}
            </span>
          </Checkbox>
        </li>
      ))}
      {nodes === null ? <li className="quiet">Reading the nodes.</li> : null}
      {nodes !== null && shown.length === 0 ? <li className="quiet">No node matches.</li> : null}
    </ul>
  )
}
