import type { ListedWindow, RunSummary } from '../../shared/contract/index.ts'
import { planPlace } from '../../shared/domain/plan.ts'
import { conditionWord } from '../../shared/domain/run-condition.ts'
import { RUN_VERBS } from '../../shared/words/runs.ts'
import type { ConsoleCommand } from '../stores/commands.ts'
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

/** Everything that can be found now. */
export function paletteEntries({
  commands,
  cluster,
  live,
  runs,
  windows,
}: {
  readonly commands: readonly ConsoleCommand[]
  readonly cluster: string | null
  readonly live: LiveCluster | null
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
  if (cluster !== null && live !== null) {
    for (const node of live.nodes.values()) {
      const run = () => goTo(clusterRoute(cluster, 'topology', { node: node.name }))
      found.push(
        entry({ id: `node.${node.name}`, title: node.name, group: 'Node', keys: null, run }, node.roles.join(' ')),
      )
    }
    for (const instance of live.instances.values()) {
      const run = () => goTo(clusterRoute(cluster, 'instances', { node: instance.node }))
      found.push(
        entry({ id: `instance.${instance.id}`, title: instance.name, group: 'Instance', keys: null, run }, instance.id),
      )
    }
  }
  for (const run of runs.slice(0, 100)) {
    found.push(
      entry(
        {
          id: `run.${run.id}`,
          title: `${RUN_VERBS[run.kind]} ${planPlace(run)} (${conditionWord(run.condition)})`,
          group: 'Run',
          keys: null,
          run: () => goTo(clusterRoute(run.cluster, 'runs', { runId: run.id })),
        },
        run.id,
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

/** Entries in which every word occurs; those whose title begins with what was typed come first. */
export function findInPalette(query: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries.filter(entry => entry.group !== 'Instance').slice(0, MOST_SHOWN)
  const typed = words.join(' ')
  const matching = entries.filter(entry => words.every(word => entry.words.includes(word)))
  const rank = ({ title }: PaletteEntry) => {
    const small = title.toLowerCase()
    return small === typed ? 0 : small.startsWith(typed) ? 1 : small.includes(typed) ? 2 : 3
  }
  return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_SHOWN)
}
