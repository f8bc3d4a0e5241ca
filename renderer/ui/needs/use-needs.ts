import { useMemo } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { useClusters } from '../../stores/clusters.ts'
import { useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { useWindows } from '../../stores/windows.ts'
import { useLiveRuns } from '../runs/use-live-runs.ts'
import { slots } from '../slots.ts'
import { type Need, needsOf } from './needs.ts'

interface Needs {
  readonly needs: readonly Need[]
  /** Whether runs, windows and campaigns were read. Until then nothing may be called quiet. */
  readonly isRead: boolean
  /** The runners that did not answer. */
  readonly unread: readonly string[]
  /** How many clouds were never opened or did not answer yet: their nodes may need you. */
  readonly unreadClouds: number
}

const NONE: { readonly needs: readonly Need[]; readonly unread: readonly string[] | null } = { needs: [], unread: [] }

/** Everything that needs you on any cloud, the most urgent first. */
export function useNeeds(): Needs {
  const useOfWings = slots().useNeeds ?? useNothing
  const { needs: ofWings, unread } = useOfWings()
  const live = useLiveRuns()
  const runs = useRuns(store => store.list)
  const windows = useWindows(store => store.list)
  const names = useClusters(useShallow(({ list }) => (list.kind === 'listed' ? [...list.byName.keys()] : [])))
  const pictures = useViews(
    useShallow(({ byCluster }) => names.map(name => lastOf(byCluster.get(name))?.nodes ?? null)),
  )
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  const needs = useMemo(
    () =>
      needsOf({
        live,
        runs: runs ?? [],
        windows: windows ?? [],
        nodes: names.flatMap((cluster, at) => [...(pictures[at]?.values() ?? [])].map(node => ({ cluster, node }))),
        nowMs: minute * 60_000,
      }),
    [live, runs, windows, names, pictures, minute],
  )
  return {
    needs: useMemo(() => [...needs, ...ofWings], [needs, ofWings]),
    isRead: runs !== null && windows !== null && unread !== null,
    unread: unread ?? [],
    unreadClouds: pictures.filter(picture => picture === null).length,
  }
}

function useNothing(): typeof NONE {
  return NONE
}
