import { create } from 'zustand'

export const CLUSTER_SCREENS = ['topology', 'instances', 'update', 'history', 'settings'] as const
export type ClusterScreen = (typeof CLUSTER_SCREENS)[number]

/** The parts of the history: runs and windows, durations, obstacles, verified reports, the journal itself. */
export const HISTORY_PARTS = ['log', 'month', 'durations', 'blockers', 'reports', 'journal'] as const
export type HistoryPart = (typeof HISTORY_PARTS)[number]

/** Where the operator is. It is in the address, so that a reload and a second tab show the same place. */
export type Route =
  | { readonly kind: 'home' }
  /** All clouds and where they are reached. */
  | { readonly kind: 'clouds' }
  | { readonly kind: 'add-cluster' }
  /** The settings of this console, not of a cloud. */
  | { readonly kind: 'settings' }
  /** What happened on all clusters or on one, and the journal. */
  | { readonly kind: 'history'; readonly part: HistoryPart; readonly cluster: string | null }
  /** The schedule of all clusters. */
  | { readonly kind: 'windows' }
  /** `starts`: it was just saved, and its plan must be confirmed for an automatic start. */
  | { readonly kind: 'window'; readonly id: string; readonly starts?: true }
  /** A new window; for a cluster, if the operator came from it, and at a time, if it was drawn into the calendar. */
  | {
      readonly kind: 'new-window'
      readonly cluster: string | null
      readonly times?: { readonly startsAt: string; readonly endsAt: string }
    }
  /** The campaigns of all runners that this console is attached to. */
  | { readonly kind: 'campaigns' }
  /** One campaign; `by` and `namespace` name the place of its runner. */
  | { readonly kind: 'campaign'; readonly by: string; readonly namespace: string; readonly name: string }
  /** A new campaign; with a runner and a name if runs already wait for it. */
  | {
      readonly kind: 'new-campaign'
      readonly by: string | null
      readonly namespace: string | null
      readonly name: string | null
    }
  | {
      readonly kind: 'cluster'
      readonly cluster: string
      readonly screen: ClusterScreen
      /** The node with the open panel (topology), or the one that narrows the list (instances). */
      readonly node: string | null
      /** The open run of the history, or the run of the timeline. */
      readonly runId: string | null
    }

/** The place that an address names; Home by default. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').map(decoded)
  const [first, second, third, fourth] = parts
  if (first === 'clouds') return { kind: second === 'add' ? 'add-cluster' : 'clouds' }
  if (first === 'settings') return { kind: 'settings' }
  if (first === 'windows') return windowsRouteOf(second, query)
  if (first === 'campaigns') return campaignsRouteOf(parts.slice(1), query)
  if (first === 'history') {
    const part = HISTORY_PARTS.find(name => name === second) ?? 'log'
    return { kind: 'history', part, cluster: new URLSearchParams(query).get('cluster') }
  }
  // Earlier versions called a cloud's history `runs`: kept addresses still open it.
  const screen = CLUSTER_SCREENS.find(name => name === (third === 'runs' ? 'history' : (third ?? 'topology')))
  if (first !== 'c' || second === undefined || second === '' || screen === undefined) return { kind: 'home' }
  return {
    kind: 'cluster',
    cluster: second,
    screen,
    node: new URLSearchParams(query).get('node'),
    runId: hasRun(screen) && fourth !== undefined && fourth !== '' ? fourth : null,
  }
}

function windowsRouteOf(which: string | undefined, query: string): Route {
  if (which === undefined || which === '') return { kind: 'windows' }
  // No window has this id: windows have ids like runs.
  if (which === 'new') {
    const asked = new URLSearchParams(query)
    const [startsAt, endsAt] = [asked.get('from'), asked.get('to')]
    const times = startsAt === null || endsAt === null ? {} : { times: { startsAt, endsAt } }
    return { kind: 'new-window', cluster: asked.get('cluster'), ...times }
  }
  return { kind: 'window', id: which, ...(new URLSearchParams(query).has('starts') ? { starts: true } : {}) }
}

function campaignsRouteOf([by, namespace, name]: readonly string[], query: string): Route {
  if (by !== undefined && namespace !== undefined && name !== undefined)
    return { kind: 'campaign', by, namespace, name }
  if (by !== 'new') return { kind: 'campaigns' }
  const asked = new URLSearchParams(query)
  return {
    kind: 'new-campaign',
    by: asked.get('by'),
    namespace: asked.get('namespace'),
    name: asked.get('name'),
  }
}

export function hashOf(place: Route): string {
  switch (place.kind) {
    case 'home':
      return '#/home'
    case 'add-cluster':
      return '#/clouds/add'
    case 'clouds':
    case 'settings':
      return `#/${place.kind}`
    case 'history': {
      const part = place.part === 'log' ? '' : `/${place.part}`
      return `#/history${part}${place.cluster === null ? '' : `?cluster=${encodeURIComponent(place.cluster)}`}`
    }
    case 'windows':
      return '#/windows'
    case 'window':
      return `#/windows/${encodeURIComponent(place.id)}${place.starts ? '?starts' : ''}`
    case 'new-window':
      return `#/windows/new${queryOf({
        cluster: place.cluster,
        from: place.times?.startsAt ?? null,
        to: place.times?.endsAt ?? null,
      })}`
    case 'campaigns':
      return '#/campaigns'
    case 'campaign':
      return `#/campaigns/${[place.by, place.namespace, place.name].map(encodeURIComponent).join('/')}`
    case 'new-campaign': {
      const { by, namespace, name } = place
      return `#/campaigns/new${queryOf({ by, namespace, name })}`
    }
    case 'cluster': {
      const run = hasRun(place.screen) && place.runId !== null ? `/${encodeURIComponent(place.runId)}` : ''
      const node = place.node === null ? '' : `?node=${encodeURIComponent(place.node)}`
      return `#/c/${encodeURIComponent(place.cluster)}/${place.screen}${run}${node}`
    }
  }
}

function queryOf(values: Readonly<Record<string, string | null>>): string {
  const asked = Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return asked.length === 0 ? '' : `?${asked.join('&')}`
}

/** Whether the address of a screen may name a run. */
function hasRun(screen: ClusterScreen): boolean {
  return screen === 'history' || screen === 'update'
}

/** A cluster's screen without a selection. */
export function clusterRoute(
  cluster: string,
  screen: ClusterScreen,
  more: { readonly node?: string | null; readonly runId?: string | null } = {},
): Route {
  return { kind: 'cluster', cluster, screen, node: more.node ?? null, runId: more.runId ?? null }
}

interface PlaceStore {
  readonly place: Route
}

/** Where the operator is; only the address changes it (renderer/bridge/start.ts). */
export const useRoute = create<PlaceStore>()(() => ({ place: { kind: 'home' } }))

/** Goes to a place by writing the address. */
export function goTo(place: Route): void {
  window.location.hash = hashOf(place)
}

/** The same without an entry in the browser's history: for selections within one screen. */
export function turnTo(place: Route): void {
  window.history.replaceState(null, '', hashOf(place))
  useRoute.setState({ place })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
