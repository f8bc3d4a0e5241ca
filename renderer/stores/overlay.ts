import { create } from 'zustand'

/** What lies over the screens, one at a time. */
type Overlay = 'palette' | 'shortcuts'

interface OverlayStore {
  readonly open: Overlay | null
}

export const useOverlay = create<OverlayStore>()(() => ({ open: null }))

export function openOverlay(overlay: Overlay): void {
  useOverlay.setState({ open: overlay })
}

export function closeOverlay(): void {
  useOverlay.setState({ open: null })
}
