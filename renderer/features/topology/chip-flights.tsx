import { type ReactNode, useEffect, useRef } from 'react'
import type { PlacedTile } from '../../geometry/node-map.ts'
import { onFlights } from '../../stores/flights.ts'

/** The most chips in flight; the others appear at their place. */
const MOST_FLYING = 24

const FLIGHT_MS = 300

interface Props {
  readonly cluster: string
  /** The drawn tiles: an instance flies only if both ends are visible. */
  readonly tiles: readonly PlacedTile[]
}

/** An instance that came to another host flies there from the tile it left. Only real moves are drawn. */
export function ChipFlights({ cluster, tiles }: Props): ReactNode {
  const sky = useRef<HTMLDivElement>(null)
  const placed = useRef(new Map<string, PlacedTile>())
  useEffect(() => {
    placed.current = new Map(tiles.map(tile => [tile.name, tile]))
  }, [tiles])
  useEffect(
    () =>
      onFlights((of, flights) => {
        const { current } = sky
        if (of !== cluster || current === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return
        for (const { from, to } of flights) {
          const [left, reached] = [placed.current.get(from), placed.current.get(to)]
          if (left === undefined || reached === undefined || current.childElementCount >= MOST_FLYING) continue
          fly(current, left, reached)
        }
      }),
    [cluster],
  )
  return <div ref={sky} className="topo-sky" aria-hidden="true" />
}

function fly(sky: HTMLElement, from: PlacedTile, to: PlacedTile): void {
  const chip = document.createElement('i')
  chip.className = 'topo-chip topo-flying'
  sky.append(chip)
  const at = ({ x, y, width, height }: PlacedTile, scale: number) =>
    `translate(${x + width / 2 - 4}px, ${y + height / 2 - 4}px) scale(${scale})`
  const frames = [{ transform: at(from, 1) }, { transform: at(to, 1.6), offset: 0.9 }, { transform: at(to, 1) }]
  chip.animate(frames, { duration: FLIGHT_MS, easing: 'cubic-bezier(0.3, 0, 0.2, 1)' }).onfinish = () => chip.remove()
}
