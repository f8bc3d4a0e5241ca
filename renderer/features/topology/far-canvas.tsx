import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { NodeState } from '../../../shared/domain/node-summary.ts'
import { claimsOnNode, othersOnNode } from '../../../shared/words/others-on-node.ts'
import { yetToLeave } from '../../geometry/instance-chips.ts'
import type { PlacedTile } from '../../geometry/node-map.ts'
import type { Rectangle } from '../../geometry/rectangle.ts'
import { mostOn, useEmptied } from '../../stores/emptied.ts'
import { arrivalsOn, useGhosts } from '../../stores/ghosts.ts'
import { hasBlocked } from '../../stores/node-instances.ts'
import { useRuns } from '../../stores/runs.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'
import { hostPart, TAIL_LETTERS } from './node-name.tsx'
import { runWaitsAt } from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  /** The visible tiles, and the drawn part of the plane. */
  readonly tiles: readonly PlacedTile[]
  readonly area: Rectangle
}

const INKS = ['card', 'line', 'ink', 'moving', 'waits', 'failed', 'maintenance', 'verified', 'rest'] as const
type Ink = (typeof INKS)[number]
type Inks = Readonly<Record<Ink, string>>

const TONES: Readonly<Record<NodeState, Ink>> = {
  active: 'verified',
  entering: 'moving',
  leaving: 'moving',
  maintenance: 'maintenance',
  partial: 'waits',
  unknown: 'rest',
  decommissioned: 'rest',
}

const RADIUS = 6
const LAMP_X = 12
const NAME_X = 22

/** Painting may hold the page up for this long in one frame; the other tiles follow in the next frames. */
const PAINTED_FOR_MS = 8

/**
 * All tiles seen from far away, painted on one canvas below them: colour, water and name. The tiles themselves handle clicks and
 * screen readers.
 */
export function FarCanvas({ cluster, tiles, area: visible }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const area = useMemo(() => paintedPart(visible, tiles), [visible, tiles])
  useEffect(() => {
    const { current } = canvas
    const pen = current?.getContext('2d') ?? null
    if (current === null || pen === null) return
    const scale = window.devicePixelRatio
    current.width = Math.ceil(area.width * scale)
    current.height = Math.ceil(area.height * scale)
    const read = () => ({ inks: inksOf(probe.current), typeface: getComputedStyle(current).fontFamily })
    let look: ReturnType<typeof read> | null = null
    const painted = new Map<string, Face>()
    const lookAt = (tile: PlacedTile) => {
      const face = faceOf(cluster, tile.name)
      const before = painted.get(tile.name)
      if (face === null ? before === undefined : before !== undefined && isSameFace(before, face)) return
      pen.clearRect(tile.x - 1, tile.y - 1, tile.width + 2, tile.height + 2)
      if (face === null) painted.delete(tile.name)
      else {
        painted.set(tile.name, face)
        if (look !== null) paint(pen, tile, face, look.inks)
      }
    }
    const rounds = lookInTurn(tiles, lookAt, () => {
      look ??= read()
      pen.setTransform(scale, 0, 0, scale, -area.x * scale, -area.y * scale)
      pen.font = `500 12px ${look.typeface}`
      pen.textBaseline = 'middle'
    })
    const paintAll = () => {
      look = null
      painted.clear()
      rounds.soon()
    }
    rounds.soon()
    const themes = new MutationObserver(paintAll)
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const stops = [
      useViews.subscribe((now, before) => {
        const [live, old] = [now, before].map(({ byCluster }) => lastOf(byCluster.get(cluster)))
        // While the instances are being read, page by page, no tile counts them.
        const isReading = live != null && !areInstancesRead(live)
        const wasReading = old != null && !areInstancesRead(old)
        const isOther = live?.nodes !== old?.nodes || isReading !== wasReading
        if (isOther || (live?.instances !== old?.instances && !isReading)) rounds.soon()
      }),
      useEmptied.subscribe(rounds.soon),
      useGhosts.subscribe(rounds.soon),
      useRuns.subscribe(rounds.soon),
    ]
    // The typeface of the names may still be loading.
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(paintAll)
    return () => {
      themes.disconnect()
      for (const stop of stops) stop()
      rounds.stop()
    }
  }, [cluster, tiles, area])
  return (
    <>
      <span ref={probe} hidden>
        {INKS.map(ink => (
          <i key={ink} style={{ color: `var(--${ink})` }} />
        ))}
      </span>
      <div aria-hidden="true">
        <canvas
          ref={canvas}
          className="topo-far-canvas"
          style={{ transform: `translate(${area.x}px, ${area.y}px)`, width: area.width, height: area.height }}
        />
      </div>
    </>
  )
}

/** The part of the visible area that has tiles: a smaller canvas is copied to the screen in less time. */
function paintedPart({ x, y, width, height }: Rectangle, tiles: readonly PlacedTile[]): Rectangle {
  const left = tiles.reduce((least, tile) => Math.min(least, tile.x), x + width)
  const top = tiles.reduce((least, tile) => Math.min(least, tile.y), y + height)
  const right = tiles.reduce((most, tile) => Math.max(most, tile.x + tile.width), left)
  const bottom = tiles.reduce((most, tile) => Math.max(most, tile.y + tile.height), top)
  return { x: left - 1, y: top - 1, width: right - left + 2, height: bottom - top + 2 }
}

/** Looks at every tile once after each call, over as many frames as that takes, each time where the last frame ended. */
function lookInTurn(tiles: readonly PlacedTile[], lookAt: (tile: PlacedTile) => void, prepare: () => void) {
  let [at, left] = [0, 0]
  let frame: number | null = null
  const draw = () => {
    frame = null
    const endsAt = performance.now() + PAINTED_FOR_MS
    prepare()
    for (; left > 0 && performance.now() < endsAt; left -= 1) {
      const tile = tiles[at]
      if (tile !== undefined) lookAt(tile)
      at = (at + 1) % tiles.length
    }
    if (left > 0) frame = requestAnimationFrame(draw)
  }
  const soon = () => {
    left = tiles.length
    if (left > 0) frame ??= requestAnimationFrame(draw)
  }
  return {
    soon,
    stop: () => {
      if (frame !== null) cancelAnimationFrame(frame)
    },
  }
}

/** What a tile shows now; null if there is no such node. */
function faceOf(cluster: string, name: string): Face | null {
  const node = lastOf(useViews.getState().byCluster.get(cluster))?.nodes.get(name)
  if (node === undefined) return null
  return {
    node,
    waits: (useRuns.getState().list ?? []).some(run => run.cluster === cluster && runWaitsAt(run, node)),
    most: mostOn(useEmptied.getState(), cluster, name)?.leaving ?? 0,
    ghosts: arrivalsOn(useGhosts.getState(), cluster, name).length,
    blocked: hasBlocked(cluster, name),
  }
}

function isSameFace(a: Face, b: Face): boolean {
  return (
    a.node === b.node && a.waits === b.waits && a.most === b.most && a.ghosts === b.ghosts && a.blocked === b.blocked
  )
}

/** The current tokens: a canvas does not know them. */
function inksOf(probe: HTMLElement | null): Inks {
  const read = INKS.map((ink, at) => {
    const element = probe?.children[at]
    return [ink, element === undefined ? '' : getComputedStyle(element).color] as const
  })
  return Object.fromEntries(read) as Inks
}

interface Face {
  readonly node: NodeView
  readonly waits: boolean
  /** The most instances that had to leave since it began to be emptied. */
  readonly most: number
  readonly ghosts: number
  readonly blocked: boolean
}

function paint(pen: CanvasRenderingContext2D, tile: PlacedTile, face: Face, inks: Inks): void {
  const { node, waits, most, ghosts, blocked } = face
  const { x, y, width, height } = tile
  // Other maintenance, foreign taints or several records: the node is not simply in service.
  const isHeldOff = node.state === 'active' && othersOnNode(node).length + claimsOnNode(node).length > 0
  const tone = inks[waits ? 'waits' : isHeldOff ? 'rest' : TONES[node.state]]
  const plain = node.state === 'active' && !waits && !isHeldOff
  const middle = y + height / 2 + 0.5
  pen.save()
  pen.beginPath()
  pen.roundRect(x, y, width, height, RADIUS)
  pen.fillStyle = inks.card
  pen.fill()
  pen.clip()
  if (!plain) {
    pen.globalAlpha = 0.22
    pen.fillStyle = tone
    pen.fill()
    pen.globalAlpha = 1
  }
  if (node.state === 'entering' && node.instances !== null && most > 0) {
    const level = height * Math.min(1, yetToLeave(node.instances) / most)
    pen.globalAlpha = 0.35
    pen.fillStyle = inks.moving
    pen.fillRect(x, y + height - level, width, level)
    pen.globalAlpha = 1
  }
  if (!plain) {
    pen.setLineDash(node.state === 'unknown' || node.state === 'decommissioned' ? [3, 2] : [])
    pen.strokeStyle = tone
    pen.lineWidth = 3
    pen.stroke()
    pen.setLineDash([])
  }
  lamp(pen, x + LAMP_X, middle, node.ready, inks)
  pen.fillStyle = inks.ink
  const coming = ghosts > 0 ? `+${ghosts}` : ''
  const room = width - NAME_X - 6 - (coming === '' ? 0 : pen.measureText(coming).width + 4)
  pen.fillText(shortened(pen, node.name, room), x + NAME_X, middle)
  if (coming !== '') {
    pen.fillStyle = inks.moving
    pen.textAlign = 'right'
    pen.fillText(coming, x + width - 6, middle)
  }
  if (blocked) {
    pen.fillStyle = inks.failed
    pen.fillRect(x + width - 9, y + 3, 6, 6)
  }
  pen.restore()
}

/** The same marks as `Lamp`: a dot, a ring, a cross, a dash. */
function lamp(pen: CanvasRenderingContext2D, x: number, y: number, ready: NodeView['ready'], inks: Inks): void {
  pen.beginPath()
  if (ready === 'not-ready') {
    pen.strokeStyle = inks.failed
    pen.lineWidth = 2
    pen.moveTo(x - 3, y - 3)
    pen.lineTo(x + 3, y + 3)
    pen.moveTo(x + 3, y - 3)
    pen.lineTo(x - 3, y + 3)
    pen.stroke()
    return
  }
  if (ready === 'none') {
    pen.strokeStyle = inks.rest
    pen.lineWidth = 1.5
    pen.moveTo(x - 2.5, y)
    pen.lineTo(x + 2.5, y)
    pen.stroke()
    return
  }
  pen.arc(x, y, 3.5, 0, Math.PI * 2)
  if (ready === 'ready') {
    pen.fillStyle = inks.verified
    pen.fill()
  } else {
    pen.strokeStyle = inks.rest
    pen.lineWidth = 1.5
    pen.stroke()
  }
}

/** A name as `NodeName` shortens it: without room the domain goes first, then the middle of the host's name. */
export function shortened(pen: Pick<CanvasRenderingContext2D, 'measureText'>, whole: string, room: number): string {
  if (pen.measureText(whole).width <= room) return whole
  const name = hostPart(whole)
  if (pen.measureText(name).width <= room) return name
  const tail = name.slice(-TAIL_LETTERS)
  for (let letters = name.length - TAIL_LETTERS; letters > 0; letters -= 1) {
    const short = `${name.slice(0, letters)}…${tail}`
    if (pen.measureText(short).width <= room) return short
  }
  return tail
}
