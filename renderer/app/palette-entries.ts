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

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly keys: string | null
  /** What is searched: title, group and what else it is known by, in small letters. */
  readonly words: string
  readonly run: () => void
}

/** More than an eye takes in; the operator types on. */
const MOST_SHOWN = 60
/** So many of the best fits are kept, and put in order among themselves. */
const MOST_WEIGHED = 600
/** fuzzysort's score of a match that an eye still takes for one. */
const LEAST_FIT = 0.35

/** Everything that can be found now. */
export function paletteEntries({
  commands,
  clusters,
  runs,
  windows,
}: {
  readonly commands: readonly ConsoleCommand[]
  /** Those whose pictures are there, by name; the one that is shown first. */
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
          run: () => goTo(clusterRoute(run.cluster, 'runs', { runId: run.id })),
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

/** Actions on nodes are many: they wait for a letter, as instances do. */
const ON_NODE = 'Plan'

/** Which plans may be laid before the operator for a node that stands so; none while a run works on it. */
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

/** What an entry would plan. That a machine is off is for a person to say, so none says it before. */
function titleOf(kind: PlannedNodeRunKind, node: string, cluster: string): string {
  const place = planPlace({ kind, cluster, node })
  return kind === 'rescue' ? `Rescue the instances of ${place}` : nodePlanTitle(kind, place)
}

/** What fits what was typed, best first, letters may be missing; before anything is typed what was chosen lately, then all but instances and actions on nodes. */
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

/** Who types a name means what bears it, before what can be done with it. */
function weightOf({ score, obj }: { readonly score: number; readonly obj: PaletteEntry }): number {
  return obj.group === ON_NODE ? score * 0.7 : score
}
