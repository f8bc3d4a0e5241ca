import { create } from 'zustand'
import type { ConsoleDescription } from '../../shared/contract/index.ts'

interface ConsoleStore {
  /** Null before main's first answer. */
  readonly description: ConsoleDescription | null
}

export const useConsole = create<ConsoleStore>()(() => ({ description: null }))
