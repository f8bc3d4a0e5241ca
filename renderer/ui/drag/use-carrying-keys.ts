import { useEffect, useMemo } from 'react'
import type { DragController } from './drag-controller.ts'

/** Escape cancels a drag; with the keyboard, arrows move it and Enter drops it. */
export function useCarryingKeys<Payload, Target, Verdict>(controller: DragController<Payload, Target, Verdict>): void {
  const onKey = useMemo(
    () => (event: KeyboardEvent) => {
      const state = controller.state()
      if (state.kind === 'idle') return
      if (event.key === 'Tab' && state.by === 'keyboard') controller.cancel()
      const act = actionOf(event.key, state.by, controller)
      // A keyboard drag takes all keys.
      if (act !== null || state.by === 'keyboard') event.stopImmediatePropagation()
      if (act === null) return
      event.preventDefault()
      act()
    },
    [controller],
  )
  useEffect(() => {
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      controller.cancel()
    }
  }, [controller, onKey])
}

function actionOf(
  key: string,
  by: 'pointer' | 'keyboard',
  controller: Pick<DragController<unknown, unknown, unknown>, 'cancel' | 'step' | 'drop'>,
): (() => void) | null {
  if (key === 'Escape') return () => void controller.cancel()
  if (by === 'pointer') return null
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return () => controller.step(1)
    case 'ArrowLeft':
    case 'ArrowUp':
      return () => controller.step(-1)
    case 'Enter':
    case ' ':
      return () => controller.drop()
    default:
      return null
  }
}
