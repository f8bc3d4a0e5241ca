import { create } from 'zustand'
import type { Failure } from '../../shared/domain/failure.ts'
import type { NodeDetail } from '../../shared/domain/node-detail.ts'

interface NodeDetailStore {
  readonly cluster: string | null
  readonly node: string | null
  /** Null before the first answer. */
  readonly detail: NodeDetail | null
  /** Why the last read failed; the earlier detail stays beside it. */
  readonly failure: Failure | null
}

/** Details of the node with the open panel; only renderer/bridge/nodes.ts writes them. */
export const useNodeDetail = create<NodeDetailStore>()(() => ({
  cluster: null,
  node: null,
  detail: null,
  failure: null,
}))
