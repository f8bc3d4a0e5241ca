import { type RefObject, useEffect } from 'react'
import { takeBack } from './set-marks.ts'

/** What can be done by single keys wherever the focus is on a screen with a list of instances. */
export function useInstanceKeys(cluster: string, search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey || takesText(event.target)) return
      const withControl = event.ctrlKey || event.metaKey
      if (withControl && event.key.toLowerCase() === 'z') {
        event.preventDefault()
        void takeBack(cluster)
      } else if (!withControl && event.key === '/') {
        event.preventDefault()
        search.current?.focus()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [cluster, search])
}

/** Whether keys are meant for something else: a field, or whatever is laid over the screen. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]',
    ) !== null
  )
}
