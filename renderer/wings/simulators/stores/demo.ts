import { create } from 'zustand'
import type { DemoState } from '../../../../shared/contract/index.ts'

interface DemoStore {
  /** Null before main's first answer, and in a console of real clouds. */
  readonly state: DemoState | null
}

export const useDemo = create<DemoStore>()(() => ({ state: null }))
