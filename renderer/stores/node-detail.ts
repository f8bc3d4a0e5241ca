import { create } from 'zustand'
import type { Failure } from '../../shared/domain/failure.ts'
import type { NodeDetail } from '../../shared/domain/node-detail.ts'

interface NodeDetailStore {
  readonly cluster: string | null
  readonly node: string | null
  /** As last read; null before the first answer. */
  readonly detail: NodeDetail | null
  /** Why the last reading came to nothing; what was read before stays beside it. */
  readonly failure: Failure | null
}

/** What is read of the one node whose panel is open; written by renderer/bridge/nodes.ts alone. */
export const useNodeDetail = create<NodeDetailStore>()(() => ({
  cluster: null,
  node: null,
  detail: null,
  failure: null,
}))
