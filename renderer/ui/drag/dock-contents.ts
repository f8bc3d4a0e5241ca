import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { isWayBack, staysOut, takesOut } from '../../../shared/domain/plan.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { isFinished } from '../../stores/runs.ts'

/** The columns of the dock, in the order a node passes them. */
export const DOCK_COLUMNS = ['queue', 'entering', 'maintenance', 'leaving'] as const
export type DockColumn = (typeof DOCK_COLUMNS)[number]

export interface DockedNode {
  readonly name: string
  /** The cluster no longer has this node. */
  readonly gone: boolean
  /** The run that works on it. */
  readonly runId: string | null
  /** Neither in nor out of service: shown with the nodes in maintenance, with the reason. */
  readonly partial: boolean
}

export interface DockContents extends Readonly<Record<DockColumn, readonly DockedNode[]>> {
  /** Names that are no longer nodes of the cluster although Nova or Ceph know them: no action is possible. */
  readonly decommissioned: readonly string[]
}

interface DockInput {
  /** Null if unknown, so that no node counts as gone. */
  readonly nodes: ReadonlyMap<string, Pick<NodeView, 'state' | 'runId'>> | null
  /** Runs of this cluster, newest first. */
  readonly runs: readonly RunSummary[]
  readonly queue: readonly string[]
}

/** The column of each node; a node in service has no column unless it is queued. */
export function dockContents({ nodes, runs, queue }: DockInput): DockContents {
  const open = new Map<string, RunSummary>()
  for (const run of runs) {
    // An update of a cluster has no single node; the view says where its nodes are.
    if (run.node !== null && !isFinished(run) && !open.has(run.node)) open.set(run.node, run)
  }

  const entering: DockedNode[] = []
  const leaving: DockedNode[] = []
  const maintenance: DockedNode[] = []
  const decommissioned: string[] = []
  const isGone = (name: string) => nodes !== null && (nodes.get(name)?.state ?? 'decommissioned') === 'decommissioned'
  for (const [name, node] of nodes ?? []) {
    if (node.state === 'decommissioned') {
      decommissioned.push(name)
      continue
    }
    const run = open.get(name)
    const docked: DockedNode = { name, gone: false, runId: run?.id ?? node.runId, partial: node.state === 'partial' }
    const goesOut = run !== undefined && (staysOut(run.kind) || (run.kind === 'maintain' && node.state !== 'leaving'))
    if (node.state === 'entering' || goesOut) entering.push(docked)
    else if (node.state === 'leaving' || (run !== undefined && isWayBack(run.kind))) leaving.push(docked)
    else if (node.state === 'maintenance' || node.state === 'partial') maintenance.push(docked)
  }
  for (const [name, run] of open) {
    if (!isGone(name) && nodes !== null) continue
    // The node keeps its column while its instances return.
    if (run.kind === 'home') continue
    const docked = { name, gone: isGone(name), runId: run.id, partial: false }
    if (takesOut(run.kind) || staysOut(run.kind)) entering.push(docked)
    else leaving.push(docked)
  }
  const byName = (a: DockedNode, b: DockedNode) => Number(a.partial) - Number(b.partial) || naturally(a.name, b.name)
  return {
    queue: queue.map(name => ({ name, gone: isGone(name), runId: open.get(name)?.id ?? null, partial: false })),
    entering: entering.sort(byName),
    maintenance: maintenance.sort(byName),
    leaving: leaving.sort(byName),
    decommissioned,
  }
}

/** The new dock contents with unchanged parts reused, so that they are not drawn again. */
export function reused(before: DockContents, now: DockContents): DockContents {
  return {
    queue: reusedColumn(before.queue, now.queue),
    entering: reusedColumn(before.entering, now.entering),
    maintenance: reusedColumn(before.maintenance, now.maintenance),
    leaving: reusedColumn(before.leaving, now.leaving),
    decommissioned:
      before.decommissioned.join(' ') === now.decommissioned.join(' ') ? before.decommissioned : now.decommissioned,
  }
}

function reusedColumn(before: readonly DockedNode[], now: readonly DockedNode[]): readonly DockedNode[] {
  const byName = new Map(before.map(docked => [docked.name, docked]))
  const next = now.map(docked => {
    const old = byName.get(docked.name)
    return old !== undefined && same(old, docked) ? old : docked
  })
  return next.length === before.length && next.every((docked, index) => docked === before[index]) ? before : next
}

function same(a: DockedNode, b: DockedNode): boolean {
  return a.gone === b.gone && a.runId === b.runId && a.partial === b.partial
}
