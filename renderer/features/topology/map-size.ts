import { create } from 'zustand'
import type { Face, Size } from '../../geometry/map-metrics.ts'

interface MapSize {
  /** The size and face that are drawn now: chosen, or the largest that fits. */
  readonly size: Size
  readonly face: Face
}

/** What the map drew last, for the slider, the keys and the legend. */
export const useMapSize = create<MapSize>()(() => ({ size: 2, face: 'marks' }))

export function sizeShown(): Size {
  return useMapSize.getState().size
}
