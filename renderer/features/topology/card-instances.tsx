import type { ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { linesWithin, marksWithin, namesWithin } from '../../geometry/instance-chips.ts'
import type { InstanceOnNode } from '../../stores/node-instances.ts'
import { groupMates } from '../../stores/node-instances.ts'
import { InstanceMark, LEGEND_WORDS, MARK_KINDS } from '../../ui/instance-mark.tsx'
import type { CardEntry } from './card-entries.ts'
import { gib } from './node-words.ts'

interface Props {
  /** Null if nobody knows them: an unread list is not an empty one. */
  readonly entries: readonly CardEntry[] | null
  readonly width: number
  readonly height: number
}

/** The instances of a node as marks, as many as fit. */
export function CardMarks({ entries, width, height }: Props): ReactNode {
  if (entries === null) return <Unknown />
  const drawn = marksWithin(entries.length, width, height)
  return (
    <span className="topo-marks wrap small topo-fact-instances" title={entriesInWords(entries)}>
      {entries.slice(0, drawn).map(({ id, kind }) => (
        <InstanceMark key={`${kind}${id}`} kind={kind} />
      ))}
      {drawn < entries.length ? <span className="quiet">+{entries.length - drawn}</span> : null}
    </span>
  )
}

/** The instances of a node by name, in as many columns as it takes. */
export function CardNames({ entries, width, height }: Props): ReactNode {
  if (entries === null) return <Unknown />
  const { columns, names, rowPx } = namesWithin(entries.length, width, height)
  return (
    <span
      className={`topo-names grow topo-fact-instances${rowPx > 21 ? ' topo-names-large' : ''}`}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gridAutoRows: rowPx }}
    >
      {entries.slice(0, names).map(({ id, name, kind }) => (
        <span key={`${kind}${id}`} className={`topo-instance topo-instance-${kind}`} title={name}>
          <InstanceMark kind={kind} />
          <span className="cut">{name}</span>
        </span>
      ))}
      {names < entries.length ? <span className="quiet">{entries.length - names} more</span> : null}
    </span>
  )
}

/** A row of an instance, and its line. */
const ROW_PX = 32

interface RowsProps extends Props {
  readonly cluster: string
}

/** Each instance on its own line, with its size or the reason why it cannot move. */
export function CardRows({ cluster, entries, width, height }: RowsProps): ReactNode {
  if (entries === null) return <Unknown />
  const room = Math.floor(height / ROW_PX)
  // Names take half of the room.
  if (room < Math.min(3, entries.length)) return <CardNames entries={entries} width={width} height={height} />
  const lines = linesWithin(entries.length, room)
  return (
    <span className="topo-rows grow topo-fact-instances">
      {entries.slice(0, lines).map(({ id, name, kind, there }) => (
        <span key={`${kind}${id}`} className={`topo-instance topo-instance-${kind}`}>
          <InstanceMark kind={kind} />
          <b className="cut">{name}</b>
          <span className="topo-row-words grow small quiet">
            {there === null ? LEGEND_WORDS[kind] : rowWords(cluster, there)}
          </span>
        </span>
      ))}
      {lines < entries.length ? <span className="quiet">{entries.length - lines} more</span> : null}
    </span>
  )
}

function Unknown(): ReactNode {
  return (
    <span className="topo-quiet topo-fact-instances" title="Nova does not answer.">
      Instances unknown
    </span>
  )
}

/** `8 vCPU · 16 GiB`, or why it cannot move. */
function rowWords(cluster: string, { view, fate, stuck }: InstanceOnNode): string {
  if (stuck === 'group') return groupWords(groupMates(cluster, view))
  if (stuck === 'room') return 'no other node has room'
  if (fate === 'blocked') return view.actionReason
  return view.flavor === null ? '' : sizeWords(view.flavor)
}

function sizeWords({ vcpus, ramMib }: NonNullable<InstanceView['flavor']>): string {
  return `${vcpus} vCPU · ${gib(ramMib)} GiB`
}

function groupWords({ apart, together }: ReturnType<typeof groupMates>): string {
  if (apart.length > 0) return `must not share a node with ${listed(apart)}`
  return together.length > 0 ? `must stay with ${listed(together)}` : 'its server group allows no other node'
}

/** `Moves: 5, Stops: 1`; for the tooltip of the marks. */
function entriesInWords(entries: readonly CardEntry[]): string {
  const counts = Map.groupBy(entries, ({ kind }) => kind)
  return MARK_KINDS.flatMap(kind => {
    const count = counts.get(kind)?.length ?? 0
    return count === 0 ? [] : [`${LEGEND_WORDS[kind]}: ${count}`]
  }).join(', ')
}
