import { type ReactNode, useEffect } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { useFirstMinute } from '../../stores/first-minute.ts'
import { FirstHint, useIsFirstMinute } from '../../ui/first-minute.tsx'
import { useFromNodes } from './node-selectors.ts'

/** In the demo, before the first run: one sentence about the one thing to try. */
export function FirstMinute({ cluster }: { readonly cluster: string }): ReactNode {
  const node = useFromNodes(cluster, easiest)
  const shown = useIsFirstMinute() && node !== null
  useEffect(() => {
    useFirstMinute.setState({ pointedAt: shown ? `${cluster}/${node}` : null })
    return () => useFirstMinute.setState({ pointedAt: null })
  }, [shown, cluster, node])
  return shown ? (
    <FirstHint>
      Drag <b className="mono">{node}</b> to <b>Take out</b>. You see the plan first.
    </FirstHint>
  ) : null
}

/** A node in service whose instances all move without help; null if there is none. */
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
