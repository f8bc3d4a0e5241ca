import { create } from 'zustand'
import type { ConsoleDescription } from '../../shared/contract/index.ts'

interface ConsoleStore {
  /** Null before main told it. */
  readonly description: ConsoleDescription | null
}

/** What this console is: its face, its version, whether it is a demo. */
export const useConsole = create<ConsoleStore>()(() => ({ description: null }))
