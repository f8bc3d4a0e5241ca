import type { RunEvent } from '../../shared/domain/run.ts'
import { EVICTION_REQUESTED } from '../../shared/domain/run-facts.ts'
import type { Cloud } from './cloud.ts'
import type { Dice } from './dice.ts'

/** Somebody, a controller or a person with kubectl, replaces a pod under its name in the instant in which a console is about to evict it. */
interface Namesakes {
  /** A console journaled this: what it announces may be replaced before its request arrives. */
  received(event: RunEvent): void
  /** The API server answered a request to read this pod. */
  read(method: string, target: string, status: number): void
}

/** How many schedules have some. */
export const NAMESAKES = 0.12

/** Draws when a pod is replaced: after a number of reads, or after a number of announced evictions. */
export function drawNamesakes(dice: Dice, { cloud, later, trace }: NamesakeParts): Namesakes {
  const upon = dice.pick(['read', 'announced'] as const)
  // Requests take a millisecond at least: at once is always in time.
  const afterMs = dice.pick([0, 0, 1, 10, 100])
  let skip = dice.below(3)
  let left = dice.between(1, 2)

  function due(namespace: string, name: string): void {
    if (left === 0) return
    if (skip > 0) {
      skip -= 1
      return
    }
    const meant = cloud.objects.get('Pod', namespace, name)?.metadata.uid
    if (meant === undefined) return
    left -= 1
    later(afterMs, () => {
      if (replacePod(cloud, namespace, name, meant)) trace(`somebody: pod ${namespace}/${name} is replaced`)
    })
  }

  return {
    read: (method, target, status) => {
      const [, namespace = '', name = ''] = /^\/api\/v1\/namespaces\/([^/?]+)\/pods\/([^/?]+)$/.exec(target) ?? []
      if (upon === 'read' && method === 'GET' && status === 200 && name !== '') due(namespace, name)
    },
    received: ({ body }) => {
      if (upon !== 'announced' || body.kind !== 'fact' || body.fact !== EVICTION_REQUESTED) return
      const [, namespace = '', name = ''] = body.subject.split('/')
      due(namespace, name)
    },
  }
}

/** What they need. */
interface NamesakeParts {
  readonly cloud: Cloud
  readonly later: (afterMs: number, run: () => void) => void
  readonly trace: (line: string) => void
}

/** Replaces a pod that still exists: it is deleted at once, and another one with its name and place has another UID. */
function replacePod({ objects }: Cloud, namespace: string, name: string, meant: string): boolean {
  const pod = objects.get('Pod', namespace, name)
  if (pod === null || pod.metadata.uid !== meant || pod.metadata.deletionTimestamp !== undefined) return false
  objects.remove('Pod', namespace, name, { gracePeriodSeconds: 0 })
  const { labels, annotations, ownerReferences } = pod.metadata
  objects.create({
    ...pod,
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  })
  return true
}
