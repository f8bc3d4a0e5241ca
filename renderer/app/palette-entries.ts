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

export interface PaletteEntry {
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

export function paletteEntries({
  commands,
  clusters,
  runs,
  windows,
}: {
  readonly commands: readonly ConsoleCommand[]
  /** The loaded clusters by name, the current one first. */
  readonly clusters: ReadonlyMap<string, LiveCluster>
  readonly runs: readonly RunSummary[]
  readonly windows: readonly ListedWindow[]
}): readonly PaletteEntry[] {
  const entry = (value: Omit<PaletteEntry, 'words'>, more = ''): PaletteEntry => ({
    ...value,
    words: `${value.title} ${value.group} ${more}`.toLowerCase(),
  })
  const found: PaletteEntry[] = commands
    .filter(command => command.id !== 'palette' && (command.available?.() ?? true))
    .map(({ id, title, group, keys, run }) => entry({ id, title, group, keys, run }))
  for (const [cluster, live] of clusters) {
    for (const node of live.nodes.values()) {
      const run = () => goTo(clusterRoute(cluster, 'topology', { node: node.name }))
      found.push(
        entry(
          { id: `node.${cluster}.${node.name}`, title: node.name, group: `Node of ${cluster}`, keys: null, run },
          node.roles.join(' '),
        ),
      )
    }
    for (const node of live.nodes.values()) {
      for (const kind of runsOf(node)) {
        found.push(
          entry({
            id: `${kind}.${cluster}.${node.name}`,
            title: `${titleOf(kind, node.name, cluster)}…`,
            group: ON_NODE,
            keys: null,
            run: () => openPlanDialog({ cluster, kind, nodes: [node.name] }),
          }),
        )
      }
    }
    for (const instance of live.instances.values()) {
      const run = () => goTo(clusterRoute(cluster, 'instances', { node: instance.node }))
      found.push(
        entry(
          { id: `instance.${instance.id}`, title: instance.name, group: 'Instance', keys: null, run },
          `${instance.id} ${cluster}`,
        ),
      )
    }
  }
  for (const run of runs.slice(0, 100)) {
    found.push(
      entry(
        {
          id: `run.${run.id}`,
          title: `${kindTitle(run).filter(Boolean).join(' ')} (${conditionWord(run.condition)})`,
          group: 'Run',
          keys: null,
          run: () => goTo(clusterRoute(run.cluster, 'history', { runId: run.id })),
        },
        `${run.id} ${run.cluster}`,
      ),
    )
  }
  for (const { window } of windows.slice(0, 100)) {
    const run = () => goTo({ kind: 'window', id: window.id })
    found.push(
      entry(
        { id: `window.${window.id}`, title: `${window.title} (${window.cluster})`, group: 'Window', keys: null, run },
        `${window.ticket} ${window.id}`,
      ),
    )
  }
  return found
}

/** Actions on nodes appear only after a letter is typed, as instances do: they are many. */
const ON_NODE = 'Plan'

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

/**
 * What matches the typed letters, best first; letters may be missing. Without letters: what was chosen lately, then everything
 * except instances and actions on nodes.
 */
export function findInPalette(
  query: string,
  entries: readonly PaletteEntry[],
  recent: readonly string[],
): readonly PaletteEntry[] {
  if (query.trim() !== '') {
    return [...go(query, entries, { keys: ['title', 'words'], limit: MOST_WEIGHED, threshold: LEAST_FIT })]
      .sort((a, b) => weightOf(b) - weightOf(a) || naturally(a.obj.title, b.obj.title))
      .slice(0, MOST_SHOWN)
      .map(({ obj }) => obj)
  }
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const lately = recent.flatMap(id => byId.get(id) ?? [])
  const others = entries.filter(({ id, group }) => group !== 'Instance' && group !== ON_NODE && !recent.includes(id))
  return [...lately, ...others].slice(0, MOST_SHOWN)
}

/** A typed name finds the thing of that name before the actions on it. */
function weightOf({ score, obj }: { readonly score: number; readonly obj: PaletteEntry }): number {
  return obj.group === ON_NODE ? score * 0.7 : score
}
