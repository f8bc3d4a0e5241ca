import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedRange, zonedWall } from '../../../shared/grammar/times.ts'
import type { Span } from '../../geometry/week-calendar.ts'

export function spanOf({ window }: ListedWindow): Span {
  return { fromMs: Date.parse(window.startsAt), toMs: Date.parse(window.endsAt) }
}

export function spanText({ fromMs, toMs }: Span, zone: string): string {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  return toMs - fromMs < 86_400_000 ? zonedRange(from, to, zone) : `${zonedWall(from, zone)} to ${zonedWall(to, zone)}`
}

/** `22:00–02:00`. */
export function hoursOf({ fromMs, toMs }: Span, zone: string): string {
  const hour = (ms: number) => zonedWall(new Date(ms).toISOString(), zone).slice(11, 16)
  return `${hour(fromMs)}–${hour(toMs)}`
}
