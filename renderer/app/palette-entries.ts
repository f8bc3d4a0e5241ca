import { go } from 'fuzzysort'
import type { ListedWindow, RunSummary } from '../../shared/contract/index.ts'
import type { NodeView } from '../../shared/domain/cluster-view.ts'
import { type PlannedNodeRunKind, planPlace } from '../../shared/domain/plan.ts'
import { conditionWord } from '../../shared/words/conditions.ts'
import { nodePlanTitle } from '../../shared/words/plans.ts'
import { kindTitle } from '../../shared/words/runs.ts'
import { naturally } from '../geometry/natural-order.ts'
import type { ConsoleCommand } from '../stores/commands.ts'
import { openPlanDialog } from '../stores/plan-dialog.ts'
import { clusterRoute, goTo } from '../stores/route.ts'
import type { LiveCluster } from '../stores/views.ts'
import type { Need } from '../ui/needs/needs.ts'

export interface PaletteEntry {
  readonly kind: 'need' | 'node' | 'action' | 'instance' | 'other'
  readonly id: string
  readonly title: string
  readonly group: string
  readonly keys: string | null
  /** The text that the search reads: title, group and other names, in lower case. */
  readonly words: string
  readonly run: () => void
}

/** Longer lists are not read; typing narrows them. */
const MOST_SHOWN = 60
/** How many of the best matches are weighed and sorted. */
const MOST_WEIGHED = 600
/** The lowest fuzzysort score that still looks like a match. */
const LEAST_FIT = 0.35

interface Known {
  readonly commands: readonly ConsoleCommand[]
  /** The loaded clouds by name, the current one first. */
  readonly clusters: ReadonlyMap<string, LiveCluster>
  readonly needs: readonly Need[]
  readonly runs: readonly RunSummary[]
  readonly windows: readonly ListedWindow[]
}

/** Everything that can be found: what needs you and nodes before commands, actions on nodes before their instances. */
export function paletteEntries({ commands, clusters, needs, runs, windows }: Known): readonly PaletteEntry[] {
  return [
    ...needs.map(need =>
      entry(
        {
          kind: 'need',
          id: `need.${need.key}`,
          title: need.title.filter(Boolean).join(' '),
          group: `Needs you · ${need.cluster}`,
          run: () => {
            window.location.hash = need.href
          },
        },
        need.detail ?? '',
      ),
    ),
    ...[...clusters].flatMap(([cluster, { nodes }]) => [...nodes.values()].map(node => nodeEntry(cluster, node))),
    ...commands
      .filter(command => command.id !== 'palette' && (command.available?.() ?? true))
      .map(command => entry(command)),
    ...[...clusters].flatMap(([cluster, { nodes }]) => [...nodes.values()].flatMap(node => actionsOn(cluster, node))),
    ...[...clusters].flatMap(([cluster, { instances }]) =>
      [...instances.values()].map(({ id, name, node }) =>
        entry(
          {
            kind: 'instance',
            id: `instance.${id}`,
            title: name,
            group: `Instance of ${cluster}`,
            run: () => goTo(clusterRoute(cluster, 'instances', { node })),
          },
          id,
        ),
      ),
    ),
    ...runs.slice(0, 100).map(run =>
      entry(
        {
          id: `run.${run.id}`,
          title: `${kindTitle(run).filter(Boolean).join(' ')} (${conditionWord(run.condition)})`,
          group: `Run · ${run.cluster}`,
          run: () => goTo(clusterRoute(run.cluster, 'history', { runId: run.id })),
        },
        run.id,
      ),
    ),
    ...windows
      .slice(0, 100)
      .map(({ window: { id, title, cluster, ticket } }) =>
        entry(
          { id: `window.${id}`, title, group: `Window · ${cluster}`, run: () => goTo({ kind: 'window', id }) },
          `${ticket} ${id}`,
        ),
      ),
  ]
}

type Given = Pick<PaletteEntry, 'id' | 'title' | 'group' | 'run'> & Partial<Pick<PaletteEntry, 'kind' | 'keys'>>

function entry({ kind = 'other', id, title, group, keys = null, run }: Given, more = ''): PaletteEntry {
  return { kind, id, title, group, keys, run, words: `${title} ${group} ${more}`.toLowerCase() }
}

function nodeEntry(cluster: string, node: NodeView): PaletteEntry {
  const run = () => goTo(clusterRoute(cluster, 'topology', { node: node.name }))
  return entry(
    { kind: 'node', id: `node.${cluster}.${node.name}`, title: node.name, group: `Node of ${cluster}`, run },
    node.roles.join(' '),
  )
}

function actionsOn(cluster: string, node: NodeView): readonly PaletteEntry[] {
  return runsOf(node).map(kind =>
    entry({
      kind: 'action',
      id: `${kind}.${cluster}.${node.name}`,
      title: `${titleOf(kind, node.name, cluster)}…`,
      group: 'Plan',
      run: () => openPlanDialog({ cluster, kind, nodes: [node.name] }),
    }),
  )
}

/** The plans offered for a node in this state; none while a run uses the node. */
function runsOf({ state, roles }: Pick<NodeView, 'state' | 'roles'>): readonly PlannedNodeRunKind[] {
  switch (state) {
    case 'active':
      return ['enter', 'maintain', ...(roles.includes('compute') ? (['home'] as const) : [])]
    case 'maintenance':
      return ['leave']
    case 'partial':
    case 'unknown':
      return ['enter', 'leave', 'rescue']
    case 'entering':
    case 'leaving':
    case 'decommissioned':
      return []
  }
}

/** The title of an entry. Only a person can say that a machine is off, so no title says it. */
function titleOf(kind: PlannedNodeRunKind, node: string, cluster: string): string {
  const place = planPlace({ kind, cluster, node })
  return kind === 'rescue' ? `Rescue the instances of ${place}` : nodePlanTitle(kind, place)
}

/** Nodes that are listed before anything is typed. */
const MOST_NODES = 10

/**
 * What matches the typed letters, best first; letters may be missing. Without letters: what needs you, what was chosen lately, some
 * nodes, then everything except instances and actions on nodes.
 */
export function findInPalette(
  query: string,
  entries: readonly PaletteEntry[],
  recent: readonly string[],
): readonly PaletteEntry[] {
  const terms = query.trim().toLowerCase().split(/\s+/)
  if (query.trim() !== '') {
    return [...go(query, entries, { keys: ['title', 'words'], limit: MOST_WEIGHED, threshold: LEAST_FIT })]
      .filter(({ obj }) => obj.kind !== 'instance' || isNamedBy(obj, terms))
      .sort((a, b) => weightOf(b) - weightOf(a) || naturally(a.obj.title, b.obj.title))
      .slice(0, MOST_SHOWN)
      .map(({ obj }) => obj)
  }
  const byId = new Map(entries.map(each => [each.id, each]))
  const lately = recent.flatMap(id => byId.get(id) ?? [])
  const left = Map.groupBy(
    entries.filter(({ id }) => !recent.includes(id)),
    ({ kind }) => kind,
  )
  const of = (kind: PaletteEntry['kind']) => left.get(kind) ?? []
  const nodes = of('node')
  return [...of('need'), ...lately, ...nodes.slice(0, MOST_NODES), ...of('other'), ...nodes.slice(MOST_NODES)].slice(
    0,
    MOST_SHOWN,
  )
}

/** Instances are many: each term has to be in their names, where only signs may be missing. */
function isNamedBy({ words }: PaletteEntry, terms: readonly string[]): boolean {
  const bare = words.replaceAll(SIGNS, '')
  return terms.every(term => bare.includes(term.replaceAll(SIGNS, '')))
}

const SIGNS = /[^\p{L}\p{N}]/gu

/** A typed name finds the thing of that name first, then the actions on it, then instances. */
function weightOf({ score, obj }: { readonly score: number; readonly obj: PaletteEntry }): number {
  if (obj.kind === 'action') return score * 0.7
  return obj.kind === 'instance' ? score * 0.65 : score
}
