import { naturally } from '../../geometry/natural-order.ts'

/** Nodes in waves, and those that were taken out of the plan. A node is in one place only. */
export interface WaveBoard {
  readonly waves: readonly (readonly string[])[]
  readonly leftOut: readonly string[]
}

/** Where a node can be put: a wave by its place, a new one before that place, or out of the plan. */
export type WaveTarget =
  | { readonly kind: 'wave'; readonly at: number }
  | { readonly kind: 'new'; readonly before: number }
  | { readonly kind: 'out' }

export const NO_WAVES: WaveBoard = { waves: [], leftOut: [] }

/** Puts nodes in another place; a wave that is left empty goes. The very same board when nothing changes. */
export function moveNodes(board: WaveBoard, nodes: readonly string[], target: WaveTarget): WaveBoard {
  const moved = new Set(nodes)
  if (moved.size === 0 || isThere(board, nodes, target)) return board
  // What is not touched stays the very same, so that it is not drawn again.
  const without = (list: readonly string[]) =>
    list.some(name => moved.has(name)) ? list.filter(name => !moved.has(name)) : list
  const added = nodes.filter((name, at) => nodes.indexOf(name) === at)
  const waves = board.waves.map((wave, at) =>
    target.kind === 'wave' && target.at === at ? [...without(wave), ...added] : without(wave),
  )
  const placed =
    target.kind === 'new' ? [...waves.slice(0, target.before), added, ...waves.slice(target.before)] : waves
  return {
    waves: placed.filter(wave => wave.length > 0),
    leftOut: target.kind === 'out' ? sorted([...without(board.leftOut), ...added]) : without(board.leftOut),
  }
}

/** Puts a wave one place earlier or later. */
export function moveWave(board: WaveBoard, at: number, by: -1 | 1): WaveBoard {
  const to = at + by
  const wave = board.waves[at]
  if (wave === undefined || to < 0 || to >= board.waves.length) return board
  return { ...board, waves: board.waves.toSpliced(at, 1).toSpliced(to, 0, wave) }
}

/** Where keys put a node: the wave before or after its own, a new one at the ends, a wave again for what was left out. */
export function keyTarget(board: WaveBoard, node: string, by: -1 | 1): WaveTarget | null {
  const at = waveOf(board, node)
  if (at === null) return board.leftOut.includes(node) ? backIn(board) : null
  const to = at + by
  if (to >= 0 && to < board.waves.length) return { kind: 'wave', at: to }
  // Alone in the first or last wave it would only make the same wave again.
  if (board.waves[at]?.length === 1) return null
  return { kind: 'new', before: to < 0 ? 0 : board.waves.length }
}

/** The place of a node among the waves; null when it is in none. */
export function waveOf(board: WaveBoard, node: string): number | null {
  const at = board.waves.findIndex(wave => wave.includes(node))
  return at < 0 ? null : at
}

/** Every node of the waves. */
export function nodesOf(board: WaveBoard): readonly string[] {
  return board.waves.flat()
}

/** The board with these nodes chosen: what was not there waits among those left out, what is not chosen any more is gone. */
export function withChosen(board: WaveBoard, chosen: ReadonlySet<string>): WaveBoard {
  const known = new Set([...nodesOf(board), ...board.leftOut])
  return {
    waves: board.waves.map(wave => wave.filter(name => chosen.has(name))).filter(wave => wave.length > 0),
    leftOut: sorted([
      ...board.leftOut.filter(name => chosen.has(name)),
      ...[...chosen].filter(name => !known.has(name)),
    ]),
  }
}

/** What a move came to, for those who do not see it. */
export function moveWords(board: WaveBoard, node: string): string {
  const at = waveOf(board, node)
  if (at === null) return `${node} is left out.`
  const others = (board.waves[at]?.length ?? 1) - 1
  return `${node} is in wave ${at + 1} of ${board.waves.length}, ${others === 0 ? 'alone' : `with ${others} more`}.`
}

function backIn(board: WaveBoard): WaveTarget {
  return board.waves.length === 0 ? { kind: 'new', before: 0 } : { kind: 'wave', at: board.waves.length - 1 }
}

function isThere(board: WaveBoard, nodes: readonly string[], target: WaveTarget): boolean {
  switch (target.kind) {
    case 'wave':
      return nodes.every(name => board.waves[target.at]?.includes(name) ?? true)
    case 'out':
      return nodes.every(name => board.leftOut.includes(name))
    case 'new':
      return false
  }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...names].sort(naturally)
}
