import { type ReactNode, useEffect, useRef } from 'react'
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
import { lastOf, useViews } from '../../stores/views.ts'
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

/**
 * All tiles seen from far away, painted on one canvas below them: colour, water and name. The tiles themselves handle clicks and
 * screen readers.
 */
export function FarCanvas({ cluster, tiles, area }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const { current } = canvas
    const pen = current?.getContext('2d') ?? null
    if (current === null || pen === null) return
    const scale = window.devicePixelRatio
    current.width = Math.ceil(area.width * scale)
    current.height = Math.ceil(area.height * scale)
    let inks = inksOf(probe.current)
    let frame: number | null = null
    const draw = () => {
      frame = null
      pen.setTransform(scale, 0, 0, scale, -area.x * scale, -area.y * scale)
      pen.clearRect(area.x, area.y, area.width, area.height)
      pen.font = `500 12px ${getComputedStyle(current).fontFamily}`
      pen.textBaseline = 'middle'
      const nodes = lastOf(useViews.getState().byCluster.get(cluster))?.nodes
      const runs = useRuns.getState().list ?? []
      for (const tile of tiles) {
        const node = nodes?.get(tile.name)
        if (node === undefined) continue
        const waits = runs.some(run => run.cluster === cluster && runWaitsAt(run, node))
        const most = mostOn(useEmptied.getState(), cluster, node.name)?.leaving ?? 0
        paint(pen, tile, node, {
          inks,
          waits,
          most,
          ghosts: arrivalsOn(useGhosts.getState(), cluster, node.name).length,
          blocked: hasBlocked(cluster, node.name),
        })
      }
    }
    const soon = () => {
      frame ??= requestAnimationFrame(draw)
    }
    draw()
    const themes = new MutationObserver(() => {
      inks = inksOf(probe.current)
      soon()
    })
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const stops = [
      useViews.subscribe((now, before) => {
        const [live, old] = [now, before].map(({ byCluster }) => lastOf(byCluster.get(cluster)))
        // While the instances are being read, page by page, no tile counts them.
        const isReading = live?.sources.get('instances')?.state.kind === 'catching-up'
        if (live?.nodes !== old?.nodes || (live?.instances !== old?.instances && !isReading)) soon()
      }),
      useEmptied.subscribe(soon),
      useGhosts.subscribe(soon),
      useRuns.subscribe(soon),
    ]
    // The typeface of the names may still be loading.
    void document.fonts.ready.then(soon)
    return () => {
      themes.disconnect()
      for (const stop of stops) stop()
      if (frame !== null) cancelAnimationFrame(frame)
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

/** The current tokens: a canvas does not know them. */
function inksOf(probe: HTMLElement | null): Inks {
  const read = INKS.map((ink, at) => {
    const element = probe?.children[at]
    return [ink, element === undefined ? '' : getComputedStyle(element).color] as const
  })
  return Object.fromEntries(read) as Inks
}

interface Face {
  readonly inks: Inks
  readonly waits: boolean
  /** The most instances that had to leave since it began to be emptied. */
  readonly most: number
  readonly ghosts: number
  readonly blocked: boolean
}

function paint(pen: CanvasRenderingContext2D, tile: PlacedTile, node: NodeView, face: Face): void {
  const { inks, waits, most, ghosts, blocked } = face
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
