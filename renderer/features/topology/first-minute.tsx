import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { useConsole } from '../../stores/console.ts'
import { endFirstMinute, useFirstMinute } from '../../stores/first-minute.ts'
import { useRuns } from '../../stores/runs.ts'
import { useFromNodes } from './node-selectors.ts'

/** In the demo, before anything was ever run: one sentence about the one thing to try. */
export function FirstMinute({ cluster }: { readonly cluster: string }): ReactNode {
  const demo = useConsole(store => store.description?.demo ?? false)
  const nothingRan = useRuns(({ list }) => list !== null && list.length === 0)
  const ran = useRuns(({ list }) => (list ?? []).length > 0)
  const seen = useFirstMinute(store => store.seen)
  const node = useFromNodes(cluster, easiest)
  const shown = demo && nothingRan && !seen && node !== null
  useEffect(() => {
    useFirstMinute.setState({ pointedAt: shown ? `${cluster}/${node}` : null })
    return () => useFirstMinute.setState({ pointedAt: null })
  }, [shown, cluster, node])
  useEffect(() => {
    if (demo && ran && !seen) endFirstMinute()
  }, [demo, ran, seen])
  if (!shown) return null
  return (
    <aside className="topo-first row" aria-label="First steps">
      <span>
        Drag <b className="mono">{node}</b> into <b>Entering</b>. You read its plan first; nothing starts by dragging.
      </span>
      <Button size="small" variant="minimal" text="Skip" onClick={endFirstMinute} />
    </aside>
  )
}

/** A node in service whose instances all move by themselves; null when there is none. */
function easiest(nodes: ReadonlyMap<string, NodeView>): string | null {
  const fit = [...nodes.values()].filter(
    ({ state, instances }) =>
      state === 'active' &&
      instances !== null &&
      instances.live_migrate > 0 &&
      instances.blocked + instances.notify === 0,
  )
  return fit.map(({ name }) => name).sort(naturally)[0] ?? null
}
