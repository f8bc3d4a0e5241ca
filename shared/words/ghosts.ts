import type { Ghosts } from '../domain/ghosts.ts'
import { counted } from '../grammar/counts.ts'

/** What taking nodes out does to their instances, counted by the view. */
interface FatesOut {
  readonly moves: number
  readonly stops: number
  readonly waits: number
  readonly blocked: number
}

/** `5 move, 1 stops, 2 blocked`: before a plan is made. Without room or a rule known, the number of movers is a limit. */
export function takeOutWords({ moves, stops, waits, blocked }: FatesOut, { unknown }: Pick<Ghosts, 'unknown'>): string {
  const parts = [
    ...(moves === 0 ? [] : [`${unknown > 0 ? 'at most ' : ''}${moves} ${moves === 1 ? 'moves' : 'move'}`]),
    ...(stops === 0 ? [] : [`${stops} ${stops === 1 ? 'stops' : 'stop'}`]),
    ...(waits === 0 ? [] : [`${waits} ${waits === 1 ? 'waits for its owner' : 'wait for their owners'}`]),
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
  ]
  const words = parts.length === 0 ? 'no instance has to move' : parts.join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `5 come to cmp-03, 2 to cmp-08`: read aloud while a node is carried by keys. */
export function arrivalWords({ to }: Pick<Ghosts, 'to'>): string {
  const [first, ...others] = [...to].sort(([, a], [, b]) => b.length - a.length)
  if (first === undefined) return ''
  const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'other node')}`
  return `There is room on ${first[0]}${rest}.`
}
