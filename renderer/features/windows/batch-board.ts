import { naturally } from '../../geometry/natural-order.ts'

/** Nodes in batches, and nodes left out. A node is in one place only. */
export interface BatchBoard {
  readonly batches: readonly (readonly string[])[]
  readonly leftOut: readonly string[]
}

/** Where a node can go: a batch by its place, a new one before that place, or out of the plan. */
export type BatchTarget =
  | { readonly kind: 'batch'; readonly at: number }
  | { readonly kind: 'new'; readonly before: number }
  | { readonly kind: 'out' }

export const NO_BATCHES: BatchBoard = { batches: [], leftOut: [] }

/** Moves nodes; an empty batch disappears. Returns the same board if nothing changes. */
export function moveNodes(board: BatchBoard, nodes: readonly string[], target: BatchTarget): BatchBoard {
  const moved = new Set(nodes)
  if (moved.size === 0 || isThere(board, nodes, target)) return board
  // Untouched parts keep their identity, so that they are not drawn again.
  const without = (list: readonly string[]) =>
    list.some(name => moved.has(name)) ? list.filter(name => !moved.has(name)) : list
  const added = nodes.filter((name, at) => nodes.indexOf(name) === at)
  const batches = board.batches.map((batch, at) =>
    target.kind === 'batch' && target.at === at ? [...without(batch), ...added] : without(batch),
  )
  const placed =
    target.kind === 'new' ? [...batches.slice(0, target.before), added, ...batches.slice(target.before)] : batches
  return {
    batches: placed.filter(batch => batch.length > 0),
    leftOut: target.kind === 'out' ? sorted([...without(board.leftOut), ...added]) : without(board.leftOut),
  }
}

export function moveBatch(board: BatchBoard, at: number, by: -1 | 1): BatchBoard {
  const to = at + by
  const batch = board.batches[at]
  if (batch === undefined || to < 0 || to >= board.batches.length) return board
  return { ...board, batches: board.batches.toSpliced(at, 1).toSpliced(to, 0, batch) }
}

/** Where keys move a node: the next or previous batch, a new one at the ends, a batch again for a left-out node. */
export function keyTarget(board: BatchBoard, node: string, by: -1 | 1): BatchTarget | null {
  const at = batchOf(board, node)
  if (at === null) return board.leftOut.includes(node) ? backIn(board) : null
  const to = at + by
  if (to >= 0 && to < board.batches.length) return { kind: 'batch', at: to }
  // A node alone in the first or last batch would only make the same batch again.
  if (board.batches[at]?.length === 1) return null
  return { kind: 'new', before: to < 0 ? 0 : board.batches.length }
}

/** The place of a node among the batches; null if it is in no batch. */
export function batchOf(board: BatchBoard, node: string): number | null {
  const at = board.batches.findIndex(batch => batch.includes(node))
  return at < 0 ? null : at
}

export function nodesOf(board: BatchBoard): readonly string[] {
  return board.batches.flat()
}

/** The board with these nodes chosen: new ones are left out at first, others disappear. */
export function withChosen(board: BatchBoard, chosen: ReadonlySet<string>): BatchBoard {
  const known = new Set([...nodesOf(board), ...board.leftOut])
  return {
    batches: board.batches.map(batch => batch.filter(name => chosen.has(name))).filter(batch => batch.length > 0),
    leftOut: sorted([
      ...board.leftOut.filter(name => chosen.has(name)),
      ...[...chosen].filter(name => !known.has(name)),
    ]),
  }
}

/** The result of a move, for screen readers. */
export function moveWords(board: BatchBoard, node: string): string {
  const at = batchOf(board, node)
  if (at === null) return `${node} is left out.`
  const others = (board.batches[at]?.length ?? 1) - 1
  return `${node} is in batch ${at + 1} of ${board.batches.length}, ${others === 0 ? 'alone' : `with ${others} more`}.`
}

/** A place as its element names it. */
export function placeName(target: BatchTarget): string {
  switch (target.kind) {
    case 'batch':
      return `batch ${target.at}`
    case 'new':
      return `new ${target.before}`
    case 'out':
      return 'out'
  }
}

/** The place of such a name; null for anything else. */
export function targetOf(place: string | null): BatchTarget | null {
  const [kind, number] = (place ?? '').split(' ')
  if (kind === 'out') return { kind: 'out' }
  const at = Number(number)
  if (number === undefined || !Number.isInteger(at)) return null
  if (kind === 'batch') return { kind, at }
  return kind === 'new' ? { kind, before: at } : null
}

function backIn(board: BatchBoard): BatchTarget {
  return board.batches.length === 0 ? { kind: 'new', before: 0 } : { kind: 'batch', at: board.batches.length - 1 }
}

function isThere(board: BatchBoard, nodes: readonly string[], target: BatchTarget): boolean {
  switch (target.kind) {
    case 'batch':
      return nodes.every(name => board.batches[target.at]?.includes(name) ?? true)
    case 'out':
      return nodes.every(name => board.leftOut.includes(name))
    case 'new':
      return false
  }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...names].sort(naturally)
}
