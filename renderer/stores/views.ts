import { create } from 'zustand'
import type { SessionWarning } from '../../shared/domain/cluster.ts'
import type {
  ClusterView,
  InstanceView,
  NodeView,
  SourceName,
  ViewChange,
  ViewSource,
} from '../../shared/domain/cluster-view.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { MaintenanceObjects } from '../../shared/domain/maintenance-api.ts'
import { assertNever } from '../../shared/domain/must.ts'
import { carryIndex } from './instance-index.ts'

/** A cluster as main last reported it, by name and id. A map is replaced only when something in it changed. */
export interface LiveCluster {
  readonly seq: number
  readonly warnings: readonly SessionWarning[]
  readonly sources: ReadonlyMap<SourceName, ViewSource>
  readonly nodes: ReadonlyMap<string, NodeView>
  readonly instances: ReadonlyMap<string, InstanceView>
  readonly projects: ReadonlyMap<string, string>
  /** The objects of the node maintenance API; null without that API, or before they are read. */
  readonly maintenance: MaintenanceObjects | null
}

/** Whether a cluster's picture is loaded. `failed` keeps the last picture, to be drawn as old. */
export type LiveState =
  | { readonly kind: 'opening'; readonly last: LiveCluster | null }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly last: LiveCluster | null }
  | { readonly kind: 'open'; readonly live: LiveCluster }

interface ViewStore {
  readonly byCluster: ReadonlyMap<string, LiveState>
}

/** The live pictures of recently opened clusters (docs/style.md G30, G31); only renderer/bridge/views.ts writes them. */
export const useViews = create<ViewStore>()(() => ({ byCluster: new Map() }))

export function putLive(cluster: string, state: LiveState): void {
  useViews.setState(({ byCluster }) => ({ byCluster: new Map(byCluster).set(cluster, state) }))
}

/** The last picture of a cluster, however old; null if there never was one. */
export function lastOf(state: LiveState | undefined): LiveCluster | null {
  if (state === undefined) return null
  return state.kind === 'open' ? state.live : state.last
}

/** Whether all instances are there: until then one that is missing may only not have arrived. */
export function areInstancesRead({ sources }: Pick<LiveCluster, 'sources'>): boolean {
  return sources.get('instances')?.state.kind !== 'catching-up'
}

/** The same of a cluster as a page shows it; false if this page has no picture of it. */
export function useInstancesRead(cluster: string): boolean {
  return useViews(({ byCluster }) => {
    const live = lastOf(byCluster.get(cluster))
    return live !== null && areInstancesRead(live)
  })
}

export function liveOf(view: ClusterView, seq: number): LiveCluster {
  return {
    seq,
    warnings: view.warnings,
    sources: new Map(view.sources.map(source => [source.name, source])),
    nodes: new Map(view.nodes.map(node => [node.name, node])),
    instances: new Map(view.instances.map(instance => [instance.id, instance])),
    projects: new Map(view.projects.map(project => [project.id, project.name])),
    maintenance: view.maintenance,
  }
}

/** The picture after some changes. Unchanged maps keep their identity, so that nothing is drawn again. */
export function applyChanges(live: LiveCluster, changes: readonly ViewChange[], seq: number): LiveCluster {
  let { warnings, sources, nodes, instances, projects, maintenance } = live
  const touched = { sources: false, nodes: false, instances: false }
  const ownSources = () => {
    if (!touched.sources) sources = new Map(sources)
    touched.sources = true
    return sources as Map<SourceName, ViewSource>
  }
  const ownNodes = () => {
    if (!touched.nodes) nodes = new Map(nodes)
    touched.nodes = true
    return nodes as Map<string, NodeView>
  }
  const ownInstances = () => {
    if (!touched.instances) instances = new Map(instances)
    touched.instances = true
    return instances as Map<string, InstanceView>
  }
  for (const change of changes) {
    switch (change.kind) {
      case 'node':
        ownNodes().set(change.value.name, change.value)
        break
      case 'node-gone':
        ownNodes().delete(change.name)
        break
      case 'instance':
        ownInstances().set(change.value.id, change.value)
        break
      case 'instance-gone':
        ownInstances().delete(change.id)
        break
      case 'source':
        ownSources().set(change.value.name, change.value)
        break
      case 'warnings':
        warnings = change.value
        break
      case 'projects':
        projects = new Map(change.value.map(project => [project.id, project.name]))
        break
      case 'maintenance':
        maintenance = change.value
        break
      default:
        assertNever(change, 'change of a view')
    }
  }
  carryIndex(live.instances, instances, changes)
  return { seq, warnings, sources, nodes, instances, projects, maintenance }
}
