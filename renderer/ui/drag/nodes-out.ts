import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { isWayBack, staysOut, takesOut } from '../../../shared/domain/plan.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { isFinished } from '../../stores/runs.ts'

/** The stages of a maintenance, in the order a node passes them. */
export const STAGES = ['entering', 'maintenance', 'leaving'] as const
export type Stage = (typeof STAGES)[number]

export interface NodeOut {
  readonly name: string
  /** The cluster no longer has this node. */
  readonly gone: boolean
  /** The run that works on it. */
  readonly runId: string | null
  /** Neither in nor out of service: among the nodes in maintenance, with the reason. */
  readonly partial: boolean
}

/** The nodes that are not simply in service, by stage. */
export interface NodesOut extends Readonly<Record<Stage, readonly NodeOut[]>> {
  /** Names that are no longer nodes of the cluster although Nova or Ceph know them: no action is possible. */
  readonly decommissioned: readonly string[]
}

interface Known {
  /** Null if unknown, so that no node counts as gone. */
  readonly nodes: ReadonlyMap<string, Pick<NodeView, 'state' | 'runId'>> | null
  /** Runs of this cluster, newest first. */
  readonly runs: readonly RunSummary[]
}

/** The stage of each node; a node in service has none. */
export function nodesOut({ nodes, runs }: Known): NodesOut {
  const open = new Map<string, RunSummary>()
  for (const run of runs) {
    // An update of a cluster has no single node; the view says where its nodes are.
    if (run.node !== null && !isFinished(run) && !open.has(run.node)) open.set(run.node, run)
  }

  const entering: NodeOut[] = []
  const leaving: NodeOut[] = []
  const maintenance: NodeOut[] = []
  const decommissioned: string[] = []
  const isGone = (name: string) => nodes !== null && (nodes.get(name)?.state ?? 'decommissioned') === 'decommissioned'
  for (const [name, node] of nodes ?? []) {
    if (node.state === 'decommissioned') {
      decommissioned.push(name)
      continue
    }
    const run = open.get(name)
    const out: NodeOut = { name, gone: false, runId: run?.id ?? node.runId, partial: node.state === 'partial' }
    const goesOut = run !== undefined && (staysOut(run.kind) || (run.kind === 'maintain' && node.state !== 'leaving'))
    if (node.state === 'entering' || goesOut) entering.push(out)
    else if (node.state === 'leaving' || (run !== undefined && isWayBack(run.kind))) leaving.push(out)
    else if (node.state === 'maintenance' || node.state === 'partial') maintenance.push(out)
  }
  for (const [name, run] of open) {
    if (!isGone(name) && nodes !== null) continue
    // The node keeps its stage while its instances return.
    if (run.kind === 'home') continue
    const out = { name, gone: isGone(name), runId: run.id, partial: false }
    if (takesOut(run.kind) || staysOut(run.kind)) entering.push(out)
    else leaving.push(out)
  }
  const byName = (a: NodeOut, b: NodeOut) => Number(b.partial) - Number(a.partial) || naturally(a.name, b.name)
  return {
    entering: entering.sort(byName),
    maintenance: maintenance.sort(byName),
    leaving: leaving.sort(byName),
    decommissioned,
  }
}

/** The new stages with unchanged parts reused, so that they are not drawn again. */
export function reused(before: NodesOut, now: NodesOut): NodesOut {
  return {
    entering: reusedStage(before.entering, now.entering),
    maintenance: reusedStage(before.maintenance, now.maintenance),
    leaving: reusedStage(before.leaving, now.leaving),
    decommissioned:
      before.decommissioned.join(' ') === now.decommissioned.join(' ') ? before.decommissioned : now.decommissioned,
  }
}

function reusedStage(before: readonly NodeOut[], now: readonly NodeOut[]): readonly NodeOut[] {
  const byName = new Map(before.map(out => [out.name, out]))
  const next = now.map(out => {
    const old = byName.get(out.name)
    return old !== undefined && same(old, out) ? old : out
  })
  return next.length === before.length && next.every((out, index) => out === before[index]) ? before : next
}

function same(a: NodeOut, b: NodeOut): boolean {
  return a.gone === b.gone && a.runId === b.runId && a.partial === b.partial
}
