import { byName } from '../domain/destinations.ts'
import type { Ghosts } from '../domain/ghosts.ts'
import { counted, listed } from '../grammar/counts.ts'

/** `6 instances move: room is seen on cmp-01 and cmp-03.`; what has none, or of which it is not known, is said. */
export function ghostWords({ to, moving, noRoom, unknown }: Ghosts): string {
  if (moving === 0) return 'No instance has to move.'
  const hosts = [...to.keys()].sort(byName)
  const seen = hosts.length > 3 ? counted(hosts.length, 'host') : listed(hosts)
  const parts = [
    ...(hosts.length === 0 ? [] : [`room is seen on ${seen}`]),
    ...(noRoom === 0 ? [] : [`for ${noRoom} no host of the zone has room`]),
    ...(unknown === 0 ? [] : [`for ${unknown} it is not known where`]),
  ]
  return `${counted(moving, 'instance')} ${moving === 1 ? 'moves' : 'move'}: ${parts.join(', ')}.`
}
