import { useEffect } from 'react'
import { create } from 'zustand'

/** Something an operator can do from the keyboard or the palette. */
export interface ConsoleCommand {
  /** Unique, such as `topology.enter`. */
  readonly id: string
  readonly title: string
  /** Under which heading the palette and the dialog of shortcuts show it. */
  readonly group: string
  /** Keys, as `e`, `/`, `?`, `mod+k` (Ctrl, or Cmd on a Mac), or two in a row: `g t`. Null: by the palette only. */
  readonly keys: string | null
  readonly run: () => void
  /** False while there is nothing it could act on: it is then neither offered nor obeyed. */
  readonly available?: (() => boolean) | undefined
}

interface CommandStore {
  readonly commands: ReadonlyMap<string, ConsoleCommand>
}

/** Everything that can be done right now, as the parts of the screen offered it. */
export const useCommandStore = create<CommandStore>()(() => ({ commands: new Map() }))

/** Offers commands for as long as the calling part of the screen is there. Give a stable list (memoised). */
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

/** The commands that can be done now. */
export function availableCommands(store: CommandStore): readonly ConsoleCommand[] {
  return [...store.commands.values()].filter(command => command.available?.() ?? true)
}
