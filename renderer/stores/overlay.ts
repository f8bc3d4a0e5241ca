import { create } from 'zustand'

/** What may lie over the screens at a time. */
type Overlay = 'palette' | 'shortcuts'

interface OverlayStore {
  readonly open: Overlay | null
}

export const useOverlay = create<OverlayStore>()(() => ({ open: null }))

/** Lays one of them over the screen; the other goes. */
export function openOverlay(overlay: Overlay): void {
  useOverlay.setState({ open: overlay })
}

/** Back to the screen. */
export function closeOverlay(): void {
  useOverlay.setState({ open: null })
}
