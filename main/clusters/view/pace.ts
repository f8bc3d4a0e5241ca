import type { SourceName } from '../../../shared/domain/cluster-view.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How closely a cloud is watched: a run works on it, a page shows it, or neither. `among`: how many clouds share the requests for those not shown. */
export type Attention =
  | { readonly kind: 'busy' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'hidden'; readonly among: number }

/**
 * How often the lists of a shown cloud are read. nova-compute reports every 10 s and counts as down after 60 s, agents of Neutron every 30 s and 75 s: reading
 * more often sees the same answer again. Instances are read more often while they change.
 */
export const POLLED = {
  'compute-services': seconds(10),
  'network-agents': seconds(30),
  instances: seconds(5),
  capacity: seconds(300),
} as const satisfies Partial<Record<SourceName, number>>

/** `whole-list`: all instances, for tags and what was missed; `page`: the next page of it in a large cloud; `foreign`: maintenance by others. */
type Polled = keyof typeof POLLED | 'groups' | 'projects' | 'whole-list' | 'page' | 'foreign' | 'osds'

const SHOWN: Readonly<Record<Polled, number>> = {
  ...POLLED,
  groups: seconds(60),
  projects: seconds(300),
  'whole-list': seconds(60),
  page: seconds(10),
  foreign: seconds(60),
  osds: seconds(60),
}
const BUSY: Readonly<Record<Polled, number>> = {
  ...SHOWN,
  'compute-services': seconds(2),
  'network-agents': seconds(5),
  instances: seconds(1),
  capacity: seconds(60),
  foreign: seconds(30),
}
/** Instances changed within the last minute: more changes are likely. */
const LIVELY_INSTANCES_MS = seconds(3)

/** The lists of a cloud that no page shows, in rounds. */
const ROUNDS: Readonly<Record<Polled, number>> = {
  'compute-services': 1,
  instances: 1,
  'network-agents': 2,
  capacity: 10,
  groups: 10,
  projects: 10,
  'whole-list': 10,
  page: 1,
  foreign: 10,
  osds: 4,
}
const ROUND_MS = seconds(30)
/** Above 15 clouds the rounds get longer: all hidden clouds together get at most 30 lists of instances a minute, and 84 requests for all lists. */
const ROUND_OF_EACH_MS = seconds(2)

export function readEveryMs(list: Polled, attention: Attention, isLively = false): number {
  switch (attention.kind) {
    case 'busy':
      return BUSY[list]
    case 'shown':
      return list === 'instances' && isLively ? LIVELY_INSTANCES_MS : SHOWN[list]
    case 'hidden':
      return ROUNDS[list] * Math.max(ROUND_MS, attention.among * ROUND_OF_EACH_MS)
  }
}

/** A waiting reading checks this often whether it is outdated. */
const LOOK_MS = seconds(10)

/** Waits for the next reading; how long is asked again when the attention grows. */
export async function pauseUntilDue(
  { clock, signal, woken }: { readonly clock: Clock; readonly signal: AbortSignal; readonly woken: () => AbortSignal },
  everyMs: () => number,
  isOutdated: () => boolean = () => false,
): Promise<void> {
  const fromMs = clock.monotonicMs()
  for (;;) {
    const leftMs = fromMs + everyMs() - clock.monotonicMs()
    if (leftMs <= 0) return
    await clock.sleep(Math.min(leftMs, LOOK_MS), AbortSignal.any([signal, woken()]))
    if (signal.aborted || isOutdated()) return
  }
}
