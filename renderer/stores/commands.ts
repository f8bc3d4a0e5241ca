import { useEffect } from 'react'
import { create } from 'zustand'

export interface ConsoleCommand {
  /** Unique, such as `topology.enter`. */
  readonly id: string
  readonly title: string
  /** The heading in the palette and in the list of shortcuts. */
  readonly group: string
  /** Keys, as `e`, `/`, `?`, `mod+k` (Ctrl, or Cmd on a Mac), or two in a row: `g t`. Null means palette only. */
  readonly keys: string | null
  readonly run: () => void
  /** False while there is nothing to act on: the command is then neither shown nor obeyed. */
  readonly available?: (() => boolean) | undefined
}

interface CommandStore {
  readonly commands: ReadonlyMap<string, ConsoleCommand>
}

/** All commands that the visible parts of the screen offer. */
export const useCommandStore = create<CommandStore>()(() => ({ commands: new Map() }))

/** Offers commands while the calling component is mounted. Give a stable list (memoised). */
export function useCommands(commands: readonly ConsoleCommand[]): void {
  useEffect(() => {
    useCommandStore.setState(store => {
      const next = new Map(store.commands)
      for (const command of commands) next.set(command.id, command)
      return { commands: next }
    })
    return () => {
      useCommandStore.setState(store => {
        const next = new Map(store.commands)
        for (const command of commands) if (next.get(command.id) === command) next.delete(command.id)
        return { commands: next }
      })
    }
  }, [commands])
}

export function availableCommands(store: CommandStore): readonly ConsoleCommand[] {
  return [...store.commands.values()].filter(command => command.available?.() ?? true)
}
