import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { NAME_PX } from './timeline-metrics.ts'

/** Zooms around a moment that is in sight: it stays where it is on the screen. Else the middle of what is seen stays. */
export function useZoomAnchor(
  scroller: RefObject<HTMLElement | null>,
  scale: TimelineScale,
  momentMs: number,
  zoom: number,
): void {
  const before = useRef<{ readonly zoom: number; readonly atMs: number; readonly seenX: number } | null>(null)
  useLayoutEffect(() => {
    const seen = scroller.current
    const last = before.current
    if (seen === null || last === null || last.zoom === zoom) return
    seen.scrollLeft = scale.x(last.atMs) - last.seenX
  }, [scroller, scale, zoom])
  useEffect(() => {
    const seen = scroller.current
    if (seen === null) return
    const note = () => {
      const width = seen.clientWidth - NAME_PX
      const x = scale.x(momentMs) - seen.scrollLeft
      const isSeen = x >= 0 && x <= width
      const seenX = isSeen ? x : width / 2
      before.current = { zoom, atMs: isSeen ? momentMs : scale.at(seen.scrollLeft + seenX), seenX }
    }
    note()
    seen.addEventListener('scroll', note, { passive: true })
    return () => seen.removeEventListener('scroll', note)
  }, [scroller, scale, momentMs, zoom])
}
