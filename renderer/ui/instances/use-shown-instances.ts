import { useEffect, useMemo, useRef, useState } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { markStatesOf, useEdits } from '../../stores/edits.ts'
import { type InstanceList, type InstanceSort, listOf, useInstanceLists } from '../../stores/instance-lists.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { choicesOf, inOrder, type ShownInstances, shownOf } from './instance-order.ts'

/** Rows draw their own changes at once; the set of rows and their order is computed at this interval. */
const ORDERED_EVERY_MS = 250

interface Facts {
  readonly instances: ReadonlyMap<string, InstanceView>
  readonly projects: ReadonlyMap<string, string>
}

const NOTHING: Facts = { instances: new Map(), projects: new Map() }
const NO_CHANGE: readonly InstanceView[] = []

/** The rows of a list in order, with the counts of its filters. */
export function useShownInstances(cluster: string, node: string | null, list: InstanceList): ShownInstances {
  const { instances, projects } = useFacts(cluster)
  const refused = useRefused(cluster)
  const ordered = useOrdered(instances, projects, list.sort)
  return useMemo(
    () => shownOf(ordered, node, list.filter, { projects, refused }),
    [ordered, node, list.filter, projects, refused],
  )
}

export function useChoices(cluster: string, node: string | null): ReturnType<typeof choicesOf> {
  const { instances, projects } = useFacts(cluster)
  const kept = useRef<ReturnType<typeof choicesOf> | null>(null)
  return useMemo(() => {
    const next = choicesOf(instances, node, projects)
    if (kept.current === null || !isSameJson(kept.current, next)) kept.current = next
    return kept.current
  }, [instances, node, projects])
}

/** The instances of a cluster whose last edit was refused; the same set object while nothing changed. */
export function useRefused(cluster: string): ReadonlySet<string> {
  const states = useEdits(store => markStatesOf(store, cluster))
  return useMemo(() => new Set([...states].flatMap(([id, { kind }]) => (kind === 'refused' ? [id] : []))), [states])
}

export function useList(key: string): InstanceList {
  return useInstanceLists(store => listOf(store, key))
}

function useOrdered(
  instances: Facts['instances'],
  projects: Facts['projects'],
  sort: InstanceSort,
): readonly InstanceView[] {
  const last = useRef(NO_CHANGE)
  return useMemo(() => {
    last.current = inOrder(instances, last.current, sort, projects)
    return last.current
  }, [instances, projects, sort])
}

function useFacts(cluster: string): Facts {
  const [facts, setFacts] = useState(() => factsOf(cluster, NOTHING))
  useEffect(() => {
    let shown = NOTHING
    let timer: number | null = null
    const take = () => {
      timer = null
      shown = factsOf(cluster, shown)
      setFacts(shown)
    }
    const stop = useViews.subscribe(() => {
      if (timer !== null || factsOf(cluster, shown) === shown) return
      timer = window.setTimeout(take, shown.instances.size === 0 ? 0 : ORDERED_EVERY_MS)
    })
    take()
    return () => {
      stop()
      if (timer !== null) window.clearTimeout(timer)
    }
  }, [cluster])
  return facts
}

function factsOf(cluster: string, before: Facts): Facts {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  if (live === null) return before.instances.size === 0 ? before : NOTHING
  const { instances, projects } = live
  return instances === before.instances && projects === before.projects ? before : { instances, projects }
}
