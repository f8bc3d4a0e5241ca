import type { InstanceView } from '../../shared/domain/cluster-view.ts'
import { isSameHost, judgeMoves, type MoveJudge, type Stuck } from '../../shared/domain/ghosts.ts'
import { FATES, type Fate } from '../geometry/instance-chips.ts'
import { naturally } from '../geometry/natural-order.ts'
import { indexOf } from './instance-index.ts'
import { areInstancesRead, type LiveCluster, lastOf, useViews } from './views.ts'

/** An instance on a node, as a plan that takes the node out would judge it. */
export interface InstanceOnNode {
  readonly view: InstanceView
  /** `blocked` also where no other node can take it. */
  readonly fate: Fate
  /** Why it has no destination; null if it has one, or does not move. */
  readonly stuck: Stuck | null
}

/** The last picture of a cloud; only nodes that are drawn are judged. */
interface Picture {
  nodes: LiveCluster['nodes']
  instances: LiveCluster['instances']
  /** Replaced when a host is judged differently. */
  judge: MoveJudge
  readonly judged: Map<string, JudgedNode>
}

/** What was judged on a node, and all that decided it. */
interface JudgedNode {
  readonly views: readonly InstanceView[]
  readonly isActive: boolean
  readonly judge: MoveJudge
  /** The members of each server group of its instances. */
  readonly mates: ReadonlyMap<string, readonly InstanceView[] | undefined>
  readonly stuck: readonly (Stuck | null)[]
  readonly isBlocked: boolean
  list: readonly InstanceOnNode[] | null
}

const pictures = new Map<string, Picture>()

function pictureOf(cluster: string, { nodes, instances }: LiveCluster): Picture {
  const kept = pictures.get(cluster)
  if (kept === undefined) {
    const picture: Picture = { nodes, instances, judge: judgeOf(cluster, nodes), judged: new Map() }
    pictures.set(cluster, picture)
    return picture
  }
  if (kept.nodes !== nodes && !areSameHosts(kept.nodes, nodes)) {
    kept.judge = judgeOf(cluster, nodes)
    for (const name of kept.judged.keys()) if (!nodes.has(name)) kept.judged.delete(name)
  }
  kept.nodes = nodes
  kept.instances = instances
  return kept
}

/** Instances are looked up in the picture of the moment, so that a judge outlives it. */
function judgeOf(cluster: string, nodes: LiveCluster['nodes']): MoveJudge {
  const now = () => pictures.get(cluster)?.instances ?? NO_INSTANCES
  return judgeMoves(
    nodes.values(),
    () => now().values(),
    group => indexOf(now()).inGroup.get(group) ?? NOBODY,
  )
}

const NO_INSTANCES: LiveCluster['instances'] = new Map()
const NOBODY: readonly InstanceView[] = []

function areSameHosts(before: LiveCluster['nodes'], after: LiveCluster['nodes']): boolean {
  if (before.size !== after.size) return false
  for (const [name, node] of after) {
    const old = before.get(name)
    if (old !== node && (old === undefined || !isSameHost(old, node))) return false
  }
  return true
}

/** Null if nobody knows the instances of the node. */
function judgedOn(cluster: string, name: string): JudgedNode | null {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  const node = live?.nodes.get(name)
  if (live == null || node === undefined || node.instances === null || !areInstancesRead(live)) return null
  const { judge, judged } = pictureOf(cluster, live)
  const { on, inGroup } = indexOf(live.instances)
  const views = on.get(name) ?? NOBODY
  const isActive = node.state === 'active'
  const before = judged.get(name)
  const holds = before?.views === views && before.judge === judge && before.isActive === isActive
  if (holds && [...before.mates].every(([group, mates]) => inGroup.get(group) === mates)) return before
  const groups = new Set(views.flatMap(view => (view.groups ?? []).map(({ id }) => id)))
  const mates = new Map([...groups].map(id => [id, inGroup.get(id)]))
  const stuck = views.map(view => stuckOf(view, isActive, judge))
  const isSame = before !== undefined && isSameList(before.views, views) && isSameList(before.stuck, stuck)
  const isBlocked = views.some((view, at) => view.action === 'blocked' || stuck[at] !== null)
  const next = { views, isActive, judge, mates, stuck, isBlocked, list: isSame ? before.list : null }
  judged.set(name, next)
  return next
}

/** The instances of a node, what moves first; null if nobody knows them. */
export function instancesOn(cluster: string, name: string): readonly InstanceOnNode[] | null {
  const judged = judgedOn(cluster, name)
  if (judged === null) return null
  judged.list ??= judged.views.map((view, at) => judgedInstance(view, judged.stuck[at] ?? null)).sort(byFate)
  return judged.list
}

/** Whether an instance of a node is blocked, by the same judgement. */
export function hasBlocked(cluster: string, name: string): boolean {
  return judgedOn(cluster, name)?.isBlocked ?? false
}

/** The same, drawn again when it changes. */
export function useInstancesOn(cluster: string, name: string): readonly InstanceOnNode[] | null {
  return useViews(() => instancesOn(cluster, name))
}

/** Where the instances of these nodes may go when all of them go out; null while not all are known. */
export function ghostsNow(cluster: string, leaving: readonly string[]): ReturnType<MoveJudge['ghosts']> | null {
  const live = lastOf(useViews.getState().byCluster.get(cluster))
  if (live === null || !areInstancesRead(live)) return null
  return pictureOf(cluster, live).judge.ghosts(leaving)
}

/** Counts instances by fate. */
export function fatesOf(list: readonly Pick<InstanceOnNode, 'fate'>[]): Readonly<Record<Fate, number>> {
  const counts: Record<Fate, number> = { migrating: 0, live_migrate: 0, poweroff: 0, notify: 0, blocked: 0, ignore: 0 }
  for (const { fate } of list) counts[fate] += 1
  return counts
}

function judgedInstance(view: InstanceView, stuck: Stuck | null): InstanceOnNode {
  return { view, fate: stuck === null ? view.action : 'blocked', stuck }
}

/** A node that goes out already is judged by its run. */
function stuckOf(view: InstanceView, isActive: boolean, judge: MoveJudge): Stuck | null {
  return view.action === 'live_migrate' && isActive ? judge.whyStuck(view) : null
}

/** What moves and what is moving share a rank: an instance keeps its place when it begins to move. */
function byFate(a: InstanceOnNode, b: InstanceOnNode): number {
  return rankOf(a.fate) - rankOf(b.fate) || naturally(a.view.name, b.view.name)
}

export function rankOf(fate: Fate): number {
  return FATES.indexOf(fate === 'migrating' ? 'live_migrate' : fate)
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
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
