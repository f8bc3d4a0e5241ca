import type { PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import type { DockColumn, DockContents, DockedNode } from './dock-contents.ts'

/** What is dragged: nodes of the map, or one of the dock. */
export type DragPayload =
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  | { readonly kind: 'docked'; readonly column: DockColumn; readonly node: string }

/** Where it may be dropped: a column of the dock, the dock beside its columns, or the map. */
export type DropTarget = DockColumn | 'dock' | 'map'

/** What a drop would do: it opens a plan or changes the queue, and starts nothing. */
export type DropVerdict =
  /** Opens a plan. */
  | {
      readonly kind: 'plan'
      readonly run: PlannedNodeRunKind
      readonly nodes: readonly string[]
      readonly words: string
    }
  | {
      readonly kind: 'queue'
      readonly add: readonly string[]
      readonly remove: readonly string[]
      readonly words: string
    }
  | { readonly kind: 'refused'; readonly words: string }
  /** It returns to its place. */
  | { readonly kind: 'nothing'; readonly words: string }

/** Shortened names of nodes: `cmp-01`, `cmp-01 and cmp-02`, `cmp-01 and 2 more`. */
export function briefly(names: readonly string[]): string {
  const [first = '', ...rest] = names
  return rest.length < 2 ? listed(names) : `${first} and ${rest.length} more`
}

/** Judges a drop by the current columns of the nodes. */
export function judgeDrop(payload: DragPayload, target: DropTarget, dock: DockContents): DropVerdict {
  return payload.kind === 'nodes' ? judgeNodes(payload.nodes, target, dock) : judgeDocked(payload, target, dock)
}

function judgeNodes(nodes: readonly string[], target: DropTarget, dock: DockContents): DropVerdict {
  switch (target) {
    case 'map':
      return { kind: 'nothing', words: 'Drop it on "Take out" to see the plan.' }
    case 'leaving':
      return leave(nodes, dock)
    case 'queue':
      return setAside(nodes, dock)
    case 'maintenance':
      return intoMaintenance(nodes, dock)
    case 'dock':
    case 'entering':
      return enter(nodes, dock)
  }
}

/** A node dropped on "In maintenance" gets one plan for the whole maintenance: out, your work, back. */
function intoMaintenance(nodes: readonly string[], dock: DockContents): DropVerdict {
  const { fit, unfit } = divide(nodes, dock, 'not-in-maintenance')
  if (fit.length === 0) return { kind: 'refused', words: unfit.join(' ') }
  return {
    kind: 'plan',
    run: 'maintain',
    nodes: fit,
    words: [`${briefly(fit)}: out, your work, back. You see the plan first.`, ...leftOut(unfit)].join(' '),
  }
}

function judgeDocked(
  { column, node }: Extract<DragPayload, { kind: 'docked' }>,
  target: DropTarget,
  dock: DockContents,
): DropVerdict {
  if (target === column || target === 'dock') return { kind: 'nothing', words: `${node} stays where it is.` }
  if (column === 'queue' && target === 'map') {
    return { kind: 'queue', add: [], remove: [node], words: `Take ${node} out of the queue` }
  }
  if (target === 'maintenance') return intoMaintenance([node], dock)
  if (column === 'queue') return target === 'leaving' ? leave([node], dock) : enter([node], dock)
  if (target === 'map') return leave([node], dock)
  if (target === 'queue') return setAside([node], dock)
  return target === 'leaving' ? leave([node], dock) : enter([node], dock)
}

function enter(nodes: readonly string[], dock: DockContents): DropVerdict {
  const { fit, unfit } = divide(nodes, dock, 'not-in-maintenance')
  if (fit.length === 0) return { kind: 'refused', words: unfit.join(' ') }
  return {
    kind: 'plan',
    run: 'enter',
    nodes: fit,
    words: [`See the plan for ${briefly(fit)}.`, ...leftOut(unfit)].join(' '),
  }
}

function setAside(nodes: readonly string[], dock: DockContents): DropVerdict {
  const waiting = new Set(dock.queue.map(docked => docked.name))
  const fresh = nodes.filter(name => !waiting.has(name))
  if (fresh.length === 0) {
    return { kind: 'refused', words: `${briefly(nodes)} ${nodes.length === 1 ? 'is' : 'are'} already in the queue.` }
  }
  const { fit, unfit } = divide(fresh, dock, 'not-in-maintenance')
  if (fit.length === 0) return { kind: 'refused', words: unfit.join(' ') }
  return {
    kind: 'queue',
    add: fit,
    remove: [],
    words: [`Set ${briefly(fit)} aside in the queue.`, ...leftOut(unfit)].join(' '),
  }
}

function leave(nodes: readonly string[], dock: DockContents): DropVerdict {
  const out = new Set(dock.maintenance.map(docked => docked.name))
  const { fit, unfit } = divide(nodes, dock, 'any')
  const fitting = fit.filter(name => out.has(name))
  const inService = fit.filter(name => !out.has(name))
  const why = [
    ...unfit,
    ...(inService.length === 0
      ? []
      : [`${briefly(inService)} ${inService.length === 1 ? 'is' : 'are'} already in service.`]),
  ]
  if (fitting.length === 0) return { kind: 'refused', words: why.join(' ') }
  return {
    kind: 'plan',
    run: 'leave',
    nodes: fitting,
    words: [`See the plan to bring ${briefly(fitting)} back into service.`, ...leftOut(why)].join(' '),
  }
}

/** The nodes that fit, and for the others why not, in words. A partial node fits either way. */
function divide(
  nodes: readonly string[],
  dock: DockContents,
  which: 'any' | 'not-in-maintenance',
): { readonly fit: readonly string[]; readonly unfit: readonly string[] } {
  const among = (docked: readonly DockedNode[]) => {
    const names = new Set(docked.map(({ name }) => name))
    return nodes.filter(name => names.has(name))
  }
  const entering = among(dock.entering)
  const leaving = among(dock.leaving)
  const resting = which === 'any' ? [] : among(dock.maintenance.filter(({ partial }) => !partial))
  const away = new Set([...dock.decommissioned, ...dock.queue.filter(docked => docked.gone).map(({ name }) => name)])
  const gone = nodes.filter(name => away.has(name))
  const left = new Set([...entering, ...leaving, ...resting, ...gone])
  const say = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [`${briefly(names)} ${names.length === 1 ? 'is' : 'are'} ${what}`]
  return {
    fit: nodes.filter(name => !left.has(name)),
    unfit: [
      ...say(entering, 'going out in a run. Open the run to pause or stop it.'),
      ...say(leaving, 'coming back in a run. Open the run to pause or stop it.'),
      ...say(resting, 'already in maintenance.'),
      ...say(gone, 'no longer in the cloud.'),
    ],
  }
}

function leftOut(why: readonly string[]): readonly string[] {
  return why.length === 0 ? [] : [`Left out: ${why.join(' ')}`]
}
