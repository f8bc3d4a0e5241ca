import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element without its scrollbar; null before it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const seen = element.current
    if (seen === null) return
    const measure = () => setWidth(seen.clientWidth)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(seen)
    return () => sizes.disconnect()
  }, [element])
  return width
}
