import type { Envelope } from '../../shared/contract/index.ts'
import type { Edit } from '../../shared/domain/edit.ts'
import type { NodeDetail } from '../../shared/domain/node-detail.ts'
import { useNodeDetail } from '../stores/node-detail.ts'
import { lastOf, useViews } from '../stores/views.ts'
import { askMain } from './transport.ts'

/** How often the page asks for what is not pushed. */
const EVERY_MS = 5000
/** The shortest pause between two reads of a node that changes often. */
const AT_MOST_EVERY_MS = 1000

/** Keeps an open node panel current: every few seconds while the page is visible, and when the node changes. */
export function followNode(cluster: string, node: string): () => void {
  let stopped = false
  let asking = false
  let again = false
  let askedAt = 0
  let timer: number | null = null
  useNodeDetail.setState({ cluster, node, detail: null, failure: null })

  async function read(): Promise<void> {
    if (asking) {
      again = true
      return
    }
    asking = true
    askedAt = Date.now()
    const answer: Envelope<NodeDetail> = await askMain('node.show', { cluster, node })
    asking = false
    if (stopped) return
    if (answer.ok) useNodeDetail.setState({ detail: answer.value, failure: null })
    else useNodeDetail.setState({ failure: answer.failure })
    plan(again ? AT_MOST_EVERY_MS : EVERY_MS)
    again = false
  }

  function plan(inMs: number): void {
    if (timer !== null) window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      timer = null
      if (document.visibilityState === 'visible') void read()
      else plan(EVERY_MS)
    }, inMs)
  }

  const nodeNow = () => lastOf(useViews.getState().byCluster.get(cluster))?.nodes.get(node)
  let seen = nodeNow()
  const unsubscribe = useViews.subscribe(() => {
    const now = nodeNow()
    if (now === seen) return
    seen = now
    if (asking) again = true
    else plan(Math.max(0, askedAt + AT_MOST_EVERY_MS - Date.now()))
  })
  void read()
  return () => {
    stopped = true
    unsubscribe()
    if (timer !== null) window.clearTimeout(timer)
  }
}

/** Manual edits on a node, newest first. */
export function readEdits(cluster: string, node: string | null, limit: number): Promise<Envelope<Edit[]>> {
  return askMain('edit.list', { cluster, node, limit })
}
