import type { InstanceView, NodeView } from '../../shared/domain/cluster-view.ts'
import { judgeMoves, type MoveJudge, type Stuck } from '../../shared/domain/ghosts.ts'
import { FATES, type Fate } from '../geometry/instance-chips.ts'
import { naturally } from '../geometry/natural-order.ts'
import { type LiveCluster, lastOf, useViews } from './views.ts'

/** An instance on a node, as a plan that takes the node out would judge it. */
export interface InstanceOnNode {
  readonly view: InstanceView
  /** `blocked` also where no other node can take it. */
  readonly fate: Fate
  /** Why it has no destination; null if it has one, or does not move. */
  readonly stuck: Stuck | null
}

/** One picture of a cloud, judged lazily: only nodes that are drawn. */
interface Judged {
  readonly nodes: LiveCluster['nodes']
  readonly instances: LiveCluster['instances']
  readonly judge: MoveJudge
  readonly on: ReadonlyMap<string, readonly InstanceView[]>
  readonly lists: Map<string, Listed>
  /** The lists of the picture before, so that unchanged ones are neither sorted nor drawn again. */
  readonly before: ReadonlyMap<string, Listed>
}

interface Listed {
  readonly views: readonly InstanceView[]
  readonly list: readonly InstanceOnNode[]
}

const judged = new Map<string, Judged>()

function judgedOf(cluster: string, { nodes, instances }: LiveCluster): Judged {
  const kept = judged.get(cluster)
  if (kept?.nodes === nodes && kept.instances === instances) return kept
  const on = new Map<string, InstanceView[]>()
  for (const instance of instances.values()) {
    if (instance.node === null) continue
    const there = on.get(instance.node)
    if (there === undefined) on.set(instance.node, [instance])
    else there.push(instance)
  }
  const judge = judgeMoves(nodes.values(), instances.values())
  const next = { nodes, instances, judge, on, lists: new Map(), before: kept?.lists ?? new Map() }
  judged.set(cluster, next)
  return next
}

const NOBODY: readonly InstanceView[] = []

/** The instances of a node, what moves first; null if nobody knows them. */
export function instancesOn(cluster: string, name: string): readonly InstanceOnNode[] | null {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  const node = live?.nodes.get(name)
  if (live == null || node === undefined || node.instances === null) return null
  const picture = judgedOf(cluster, live)
  const known = picture.lists.get(name)
  if (known !== undefined) return known.list
  const views = picture.on.get(name) ?? NOBODY
  const before = picture.before.get(name)
  const isSame = before !== undefined && sameViews(before.views, views)
  const kept = isSame && before.list.every(each => each.stuck === stuckOf(each.view, node, picture.judge))
  const list = kept ? before.list : views.map(view => judgedInstance(view, node, picture.judge)).sort(byFate)
  picture.lists.set(name, { views, list })
  return list
}

/** Whether an instance of a node is blocked, by the same judgement. */
export function hasBlocked(cluster: string, name: string): boolean {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  const node = live?.nodes.get(name)
  if (live == null || node === undefined || node.instances === null) return false
  const { on, judge } = judgedOf(cluster, live)
  return (on.get(name) ?? NOBODY).some(view => view.action === 'blocked' || stuckOf(view, node, judge) !== null)
}

/** The same, drawn again when it changes. */
export function useInstancesOn(cluster: string, name: string): readonly InstanceOnNode[] | null {
  return useViews(() => instancesOn(cluster, name))
}

/** Where the instances of these nodes may go when all of them go out; null while not all are known. */
export function ghostsNow(cluster: string, leaving: readonly string[]): ReturnType<MoveJudge['ghosts']> | null {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  if (live === null || live.sources.get('instances')?.state.kind === 'catching-up') return null
  return judgedOf(cluster, live).judge.ghosts(leaving)
}

/** Counts instances by fate. */
export function fatesOf(list: readonly Pick<InstanceOnNode, 'fate'>[]): Readonly<Record<Fate, number>> {
  const counts: Record<Fate, number> = { migrating: 0, live_migrate: 0, poweroff: 0, notify: 0, blocked: 0, ignore: 0 }
  for (const { fate } of list) counts[fate] += 1
  return counts
}

function judgedInstance(view: InstanceView, node: NodeView, judge: MoveJudge): InstanceOnNode {
  const stuck = stuckOf(view, node, judge)
  return { view, fate: stuck === null ? view.action : 'blocked', stuck }
}

/** A node that goes out already is judged by its run. */
function stuckOf(view: InstanceView, { state }: NodeView, judge: MoveJudge): Stuck | null {
  return view.action === 'live_migrate' && state === 'active' ? judge.whyStuck(view) : null
}

/** What moves and what is moving share a rank: an instance keeps its place when it begins to move. */
function byFate(a: InstanceOnNode, b: InstanceOnNode): number {
  return rankOf(a.fate) - rankOf(b.fate) || naturally(a.view.name, b.view.name)
}

export function rankOf(fate: Fate): number {
  return FATES.indexOf(fate === 'migrating' ? 'live_migrate' : fate)
}

function sameViews(a: readonly InstanceView[], b: readonly InstanceView[]): boolean {
  return a.length === b.length && a.every((view, at) => view === b[at])
}

/** The names of the instances from which a server group keeps one apart, or with which it keeps it together. */
export function groupMates(
  cluster: string,
  { id, groups = [] }: InstanceView,
): { readonly apart: readonly string[]; readonly together: readonly string[] } {
  const all = [...(lastOf(useViews.getState().byCluster.get(cluster))?.instances.values() ?? [])]
  const matesBy = (policy: 'affinity' | 'anti-affinity') => {
    const own = new Set(groups.filter(group => group.policy === policy).map(group => group.id))
    return all
      .filter(other => other.id !== id && (other.groups ?? []).some(group => own.has(group.id)))
      .map(({ name }) => name)
      .sort(naturally)
  }
  return { apart: matesBy('anti-affinity'), together: matesBy('affinity') }
}
