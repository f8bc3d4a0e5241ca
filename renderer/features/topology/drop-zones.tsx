import { LogInIcon, LogOutIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { expectedSpan, expectedTotal } from '../../../shared/domain/move-durations.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { arrivalWords, takeOutWords } from '../../../shared/words/ghosts.ts'
import type { Point } from '../../geometry/rectangle.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useGhosts } from '../../stores/ghosts.ts'
import { fatesOf, instancesOn } from '../../stores/node-instances.ts'
import { briefly, DROP_ZONES, type DropZone } from '../../ui/drag/drop-verdict.ts'
import { useEarlierMoves } from '../../ui/use-earlier-moves.ts'
import { useDrag, useDragRoom } from './drag-room.tsx'
import { judgeNow } from './node-actions.ts'
import { useNode, useNodesOut, useOthersOn } from './node-selectors.ts'
import { NodeCard } from './node-tile.tsx'

interface Props {
  readonly cluster: string
}

interface HeldProps extends Props {
  readonly held: readonly string[]
}

const ZONE_WORDS: Readonly<Record<DropZone, string>> = { entering: 'Take out', leaving: 'Bring back' }
const BY_KEYS = 'Arrows choose where, Enter drops, Escape cancels.'

/** During a drag: the two zones over the foot of the map, and the dragged card. */
export function DropZones({ cluster }: Props): ReactNode {
  const held = useDrag(state => (state.kind === 'held' ? state.payload : null))
  if (held === null) return null
  return (
    <>
      <div className="topo-zones">
        {DROP_ZONES.map(zone => (
          <Zone key={zone} cluster={cluster} zone={zone} held={held} />
        ))}
      </div>
      <CardInHand cluster={cluster} held={held} />
    </>
  )
}

/** Where a node is dropped: what that would do, or why it cannot be. */
function Zone({ cluster, zone, held }: HeldProps & { readonly zone: DropZone }): ReactNode {
  const room = useDragRoom()
  const out = useNodesOut(cluster)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state of a node may change during the drag.
  const verdict = useMemo(() => judgeNow(cluster, held, zone), [cluster, held, zone, out])
  const over = useDrag(state => state.kind === 'held' && state.target === zone)
  const byKeys = useDrag(state => state.kind === 'held' && state.by === 'keyboard')
  const can = verdict.kind === 'plan'
  const effect = useZoneEffect(cluster, zone, can ? verdict.nodes : NOBODY)
  const others = useOthersOn(cluster, zone === 'entering' && can ? verdict.nodes : NOBODY)
  const arrivals = useGhosts(({ held: by }) => (by === null || zone === 'leaving' ? '' : arrivalWords(by.ghosts)))
  const hint = byKeys ? (over ? 'Enter shows the plan' : '') : 'Drop to see the plan'
  return (
    <section
      ref={room.zone(zone)}
      className={`topo-zone topo-zone-${can ? 'can' : 'cannot'}${over ? ' topo-zone-over' : ''}`}
      aria-label={ZONE_WORDS[zone]}
    >
      {zone === 'entering' ? <LogOutIcon size={28} /> : <LogInIcon size={28} />}
      <div className="topo-zone-words">
        <h2>{ZONE_WORDS[zone]}</h2>
        <p>{can ? effect : verdict.words}</p>
        {can && verdict.words !== '' ? <p className="caution">{verdict.words}</p> : null}
        {others === '' ? null : <p className="caution">{others}</p>}
        {can ? <p className="quiet">{hint}</p> : null}
      </div>
      {over && byKeys ? (
        <div className="visually-hidden" aria-live="assertive">
          {[
            `${briefly(held)}, ${ZONE_WORDS[zone]}.`,
            can ? `${effect}. ${arrivals} ${others}` : '',
            verdict.words,
            BY_KEYS,
          ]
            .filter(each => each.trim() !== '')
            .join(' ')}
        </div>
      ) : null}
    </section>
  )
}

const NOBODY: readonly string[] = []

/** `5 move, 1 stops, about 18 s`, or who comes back. */
function useZoneEffect(cluster: string, zone: DropZone, nodes: readonly string[]): string {
  const ghosts = useGhosts(({ held }) => held?.ghosts ?? null)
  const measured = useEarlierMoves(cluster)
  const atOnce = useClusters(({ list }) =>
    list.kind === 'listed' ? (list.byName.get(cluster)?.limits.migrationsPerSource ?? 1) : 1,
  )
  return useMemo(() => {
    if (nodes.length === 0) return ''
    if (zone === 'leaving') return `${briefly(nodes)} ${nodes.length === 1 ? 'takes' : 'take'} work again`
    const lists = nodes.map(name => instancesOn(cluster, name))
    const all = lists.flatMap(list => list ?? [])
    if (lists.some(list => list === null)) return 'Its instances are unknown'
    const stuck =
      ghosts === null ? 0 : all.filter(({ view, fate }) => fate !== 'blocked' && ghosts.stuck.has(view.id)).length
    const fates = fatesOf(all)
    const counts = {
      moves: fates.live_migrate + fates.migrating - stuck,
      stops: fates.poweroff,
      waits: fates.notify,
      blocked: fates.blocked + stuck,
    }
    const movers = all.filter(({ view, fate }) => fate === 'live_migrate' && ghosts?.stuck.has(view.id) !== true)
    // Of several nodes nobody has said yet whether they go one after another.
    const time =
      nodes.length > 1
        ? null
        : expectedTotal(
            movers.map(({ view }) => expectedSpan(view.flavor?.ramMib ?? null, measured)),
            atOnce,
          )
    const words = takeOutWords(counts, { unknown: ghosts?.unknown ?? 0 })
    return time === null ? words : `${words}, about ${durationWords(time.low)}`
  }, [cluster, zone, nodes, ghosts, measured, atOnce])
}

/** The size of the card in the hand, and its distance from the edge of a zone. */
const HAND = { width: 212, height: 120, edge: 20 } as const

/** A narrower zone has no room beside its words: the card lies above it. */
const WIDE_ZONE_PX = 440

/** The card of the first dragged node, tilted: it follows the pointer, and lies at the right of the zone below it, beside its words. */
function CardInHand({ cluster, held }: HeldProps): ReactNode {
  const { controller, placeOf } = useDragRoom()
  const element = useRef<HTMLDivElement>(null)
  const [first = ''] = held
  const node = useNode(cluster, first)
  useEffect(() => {
    const follow = () => {
      const state = controller.state()
      const { current } = element
      if (state.kind !== 'held' || current === null) return
      const zone = state.target === null ? null : placeOf(state.target)
      const at = zone === null ? atPointer(state.point) : inZone(zone)
      if (at !== null) current.style.transform = `translate(${at.x}px, ${at.y}px) rotate(-2.5deg)`
    }
    follow()
    const stop = controller.subscribe(follow)
    window.addEventListener('resize', follow)
    return () => {
      stop()
      window.removeEventListener('resize', follow)
    }
  }, [controller, placeOf])
  return (
    <div
      ref={element}
      className={`topo-hand floats${held.length > 1 ? ' topo-hand-several' : ''}`}
      style={{ width: HAND.width, height: HAND.height }}
      aria-hidden="true"
    >
      {node === null ? (
        <b className="mono">{first}</b>
      ) : (
        <NodeCard cluster={cluster} node={node} face="names" plain width={HAND.width} height={HAND.height} />
      )}
      {held.length > 1 ? <span className="topo-hand-count">{held.length}</span> : null}
    </div>
  )
}

/** The pointer holds the card at its name. */
function atPointer(point: Point | null): Point | null {
  return point === null ? null : { x: point.x - 40, y: point.y - 18 }
}

function inZone({ left, right, top, width, height }: DOMRect): Point {
  return width < WIDE_ZONE_PX
    ? { x: left + HAND.edge, y: top - HAND.height - HAND.edge }
    : { x: right - HAND.width - HAND.edge, y: top + (height - HAND.height) / 2 }
}
