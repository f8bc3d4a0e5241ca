import { byName } from '../domain/destinations.ts'
import type { Ghosts } from '../domain/ghosts.ts'
import { counted, listed } from '../grammar/counts.ts'

/** `At most 6 instances move: there is room on cmp-01 and cmp-03.`, with those that stay and those without a known destination. */
export function ghostWords({ to, moving, noRoom, grouped, unknown }: Ghosts): string {
  const staying = [
    ...(grouped === 0 ? [] : [`a server group keeps ${grouped}`]),
    ...(noRoom === 0 ? [] : [`for ${noRoom} no node has room`]),
  ]
  if (moving === 0)
    return staying.length === 0 ? 'No instance has to move.' : `No instance can move: ${staying.join(', ')}.`
  const hosts = [...to.keys()].sort(byName)
  const seen = hosts.length > 3 ? counted(hosts.length, 'node') : listed(hosts)
  const parts = [
    ...(hosts.length === 0 ? [] : [`there is room on ${seen}`]),
    ...staying,
    ...(unknown === 0 ? [] : [`the destination of ${unknown} is unknown`]),
  ]
  return `At most ${counted(moving, 'instance')} ${moving === 1 ? 'moves' : 'move'}: ${parts.join(', ')}.`
}
