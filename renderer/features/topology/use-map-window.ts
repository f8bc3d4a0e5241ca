import { type RefObject, useEffect, useState } from 'react'
import type { Rectangle } from '../../geometry/rectangle.ts'

/** How much more than what is in sight is drawn, so that scrolling never shows bare ground. */
const MARGIN_PX = 400
/** The part is moved on by steps, so that scrolling does not draw anew for every pixel. */
const STEP_PX = 200

/** The part of a scrolled map that is drawn, and the width there is for it. */
interface MapWindow {
  readonly width: number
  readonly area: Rectangle
}

/** Follows the size and the scrolling of the map's viewport; null before it was measured. */
export function useMapWindow(viewport: RefObject<HTMLElement | null>): MapWindow | null {
  const [seen, setSeen] = useState<MapWindow | null>(null)
  useEffect(() => {
    const element = viewport.current
    if (element === null) return
    const measure = () => {
      const { clientWidth, clientHeight, scrollTop, scrollLeft } = element
      const x = Math.floor(scrollLeft / STEP_PX) * STEP_PX - MARGIN_PX
      const y = Math.floor(scrollTop / STEP_PX) * STEP_PX - MARGIN_PX
      const width = clientWidth + MARGIN_PX * 2 + STEP_PX
      const height = Math.ceil(clientHeight / STEP_PX) * STEP_PX + MARGIN_PX * 2 + STEP_PX
      setSeen(before =>
        before !== null &&
        before.width === clientWidth &&
        before.area.x === x &&
        before.area.y === y &&
        before.area.width === width &&
        before.area.height === height
          ? before
          : { width: clientWidth, area: { x, y, width, height } },
      )
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [viewport])
  return seen
}
