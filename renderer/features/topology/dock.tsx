import { Button } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronUpIcon } from '@blueprintjs/icons'
import { memo, type ReactNode, useMemo } from 'react'
import { LEAST_DOCK_PX, MOST_DOCK_PX, useTopology } from '../../stores/topology.ts'
import { DOCK_COLUMNS, type DockColumn, type DockedNode } from '../../ui/drag/dock-contents.ts'
import { DockCard, DockPill } from './dock-card.tsx'
import { useDrag, useDragRoom } from './drag-room.tsx'
import { judgeNow } from './node-actions.ts'
import { useDock } from './node-selectors.ts'
import { Splitter } from './splitter.tsx'

interface Props {
  readonly cluster: string
  readonly onOpen: (node: string) => void
}

const COLUMN_WORDS: Readonly<Record<DockColumn, string>> = {
  queue: 'Queue',
  entering: 'Take out',
  maintenance: 'In maintenance',
  leaving: 'Bring back',
}

const EMPTY_WORDS: Readonly<Record<DockColumn, string>> = {
  queue: 'Drop nodes here to set them aside. Nothing starts.',
  entering: 'Drop nodes here to see the plan that takes them out of service.',
  maintenance: 'No node is in maintenance.',
  leaving: 'Drop nodes here to see the plan that brings them back into service.',
}

/**
 * Nodes on their way through a maintenance: set aside, going out, in it, coming back. A drop opens a plan. Folded, it is a strip
 * that opens over the map during a drag.
 */
export function Dock({ cluster, onOpen }: Props): ReactNode {
  const contents = useDock(cluster)
  const { zone } = useDragRoom()
  const pinned = useTopology(store => store.dockOpen)
  const height = useTopology(store => store.dockHeight)
  const held = useDrag(state => state.kind === 'held')
  const open = pinned || held
  return (
    <section
      ref={zone('dock')}
      className={`topo-dock${pinned ? '' : open ? ' topo-dock-over' : ' topo-dock-rail'}`}
      aria-label="Dock"
      style={pinned ? { height } : undefined}
    >
      {pinned ? (
        <Splitter
          label="Height of the dock"
          value={height}
          least={LEAST_DOCK_PX}
          most={MOST_DOCK_PX}
          onChange={dockHeight => useTopology.setState({ dockHeight })}
        />
      ) : null}
      <div className="topo-dock-columns">
        {DOCK_COLUMNS.map(column => (
          <Column key={column} cluster={cluster} column={column} cards={contents[column]} open={open} onOpen={onOpen} />
        ))}
      </div>
      <Button
        className="topo-dock-fold"
        size="small"
        variant="minimal"
        icon={pinned ? <ChevronDownIcon /> : <ChevronUpIcon />}
        aria-label={pinned ? 'Fold the dock' : 'Unfold the dock'}
        aria-expanded={pinned}
        onClick={() => useTopology.setState({ dockOpen: !pinned })}
      />
    </section>
  )
}

interface ColumnProps extends Props {
  readonly column: DockColumn
  readonly cards: readonly DockedNode[]
  readonly open: boolean
}

/** The number of nodes of a column; partial nodes are counted separately. */
function countWords(cards: readonly DockedNode[]): string {
  const partial = cards.filter(card => card.partial).length
  return partial === 0 ? `${cards.length}` : `${cards.length - partial}, ${partial} partly out`
}

/** The most cards of a column: a cloud of partial nodes would otherwise draw each node twice. */
const MOST_CARDS = 60
const MOST_PILLS = 6

const Column = memo(function Column({ cluster, column, cards, open, onOpen }: ColumnProps): ReactNode {
  const { zone } = useDragRoom()
  const payload = useDrag(state => (state.kind === 'held' ? state.payload : null))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state of a node may change while one is held.
  const wouldBe = useMemo(
    () => (payload === null ? null : judgeNow(cluster, payload, column)),
    [cluster, payload, column, cards],
  )
  const refused = wouldBe?.kind === 'refused' ? wouldBe.words : null
  const over = useDrag(state =>
    state.kind === 'held' && state.target === column ? (state.verdict?.kind ?? 'nothing') : '',
  )
  return (
    <section
      ref={zone(column)}
      className={`topo-column column topo-column-${column}${wouldBe === null || wouldBe.kind === 'nothing' ? '' : refused === null ? ' topo-can' : ' topo-cannot'}${over === '' ? '' : ` topo-over topo-over-${over}`}`}
      aria-label={COLUMN_WORDS[column]}
    >
      <h2 className="topo-column-head">
        {COLUMN_WORDS[column]} <span className="topo-column-count">{countWords(cards)}</span>
      </h2>
      {open ? (
        <div className="topo-cards column">
          {refused !== null ? (
            <p className="topo-empty">{refused}</p>
          ) : cards.length === 0 ? (
            <p className="topo-empty quiet">{EMPTY_WORDS[column]}</p>
          ) : null}
          {cards.slice(0, MOST_CARDS).map((docked, index) => (
            <DockCard
              key={docked.name}
              cluster={cluster}
              column={column}
              docked={docked}
              position={index}
              onOpen={onOpen}
            />
          ))}
          {cards.length > MOST_CARDS ? (
            <p className="topo-empty quiet">
              And {cards.length - MOST_CARDS} more: filter the map by state to see them.
            </p>
          ) : null}
        </div>
      ) : (
        <div className="topo-pills row">
          {cards.slice(0, MOST_PILLS).map(docked => (
            <DockPill key={docked.name} cluster={cluster} column={column} docked={docked} onOpen={onOpen} />
          ))}
          {cards.length > MOST_PILLS ? <span className="quiet small">+{cards.length - MOST_PILLS}</span> : null}
        </div>
      )}
    </section>
  )
})
