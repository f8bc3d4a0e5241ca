import { useEffect, useMemo } from 'react'
import { useClusters } from '../../stores/clusters.ts'
import { useConsole } from '../../stores/console.ts'
import { beginGuide, endGuide, useGuide } from '../../stores/guide.ts'
import { useRuns } from '../../stores/runs.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { easiestNode, type GuideState, guideOf, hasTried } from './guide.ts'

export interface Guide extends GuideState {
  /** The cloud and the node that the guide is about. */
  readonly cluster: string
  readonly node: string | null
}

/** The guide of the demo, for who has neither followed nor skipped it; else null. */
export function useDemoGuide(): Guide | null {
  const machine = useConsole(({ description }) => (description?.demo === true ? description.machine : null))
  const runs = useRuns(store => store.list)
  const state = useGuide(store => store.state)
  const seen = useGuide(store => store.seen)
  const plain = useClusters(({ list }) =>
    list.kind === 'listed'
      ? ([...list.byName.values()].find(({ flavour, production }) => flavour === 'plain' && !production)?.name ?? null)
      : null,
  )
  const reached = useMemo(
    () => (machine === null || runs === null ? null : guideOf(runs, machine, seen)),
    [machine, runs, seen],
  )
  const cluster = reached?.out?.cluster ?? plain
  const easiest = useViews(({ byCluster }) => {
    const nodes = cluster === null ? null : lastOf(byCluster.get(cluster))?.nodes
    return nodes == null ? null : easiestNode(nodes.values())
  })
  useEffect(() => {
    if (machine === null || runs === null || state !== 'new') return
    // An operator with earlier runs knows the demo already.
    if (hasTried(runs, machine)) endGuide()
    else beginGuide()
  }, [machine, runs, state])
  if (reached === null || cluster === null || state !== 'begun') return null
  return { ...reached, cluster, node: reached.out?.node ?? easiest }
}
