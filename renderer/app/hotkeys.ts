import { useEffect } from 'react'
import { availableCommands, useCommandStore } from '../stores/commands.ts'
import { useOverlay } from '../stores/overlay.ts'
import { usePlanDialog } from '../stores/plan-dialog.ts'

/** The longest pause between two keys of one shortcut. */
const SECOND_KEY_MS = 1200

/** Runs the offered commands by their keys; ignores what is typed into a field. */
export function useHotkeys(): void {
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null
    const obey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const key = keyOf(event)
      if (key === null) return
      const withModifier = key.startsWith('mod+')
      if (isCovered() || (!withModifier && isTyping(event.target))) return
      const sequence = first !== null && event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ${key}` : null
      const commands = availableCommands(useCommandStore.getState())
      const command =
        (sequence === null ? undefined : commands.find(each => each.keys === sequence)) ??
        commands.find(each => each.keys === key)
      const begins = commands.some(each => each.keys?.startsWith(`${key} `))
      first = command === undefined && begins ? { key, at: event.timeStamp } : null
      if (command === undefined) return
      event.preventDefault()
      command.run()
    }
    window.addEventListener('keydown', obey)
    return () => window.removeEventListener('keydown', obey)
  }, [])
}

/** `e`, `?`, `mod+k`; null for a lone modifier and for what belongs to the browser or the system. */
function keyOf(event: KeyboardEvent): string | null {
  if (event.altKey || event.key.length !== 1) return null
  const mod = event.ctrlKey || event.metaKey
  return mod ? `mod+${event.key.toLowerCase()}` : event.key
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** An open dialog or overlay takes the keys. */
function isCovered(): boolean {
  return usePlanDialog.getState().open !== null || useOverlay.getState().open !== null
}
