import type { Events } from '../api/events.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ShownPlans } from '../runs/shown-plans.ts'
import { type AgreedStarts, createAgreedStarts } from '../windows/agreed-starts.ts'
import type { Foundation } from './foundation.ts'
import { newId } from './new-id.ts'

/** Starts agreed windows automatically. A window that did not start is an event, for the faces and for the wing notify. */
export function openAgreedStarts(
  { clock, journal, log }: Foundation,
  events: Events,
  opened: { readonly clusters: Clusters; readonly runs: RunService; readonly plans: ShownPlans },
): AgreedStarts {
  return createAgreedStarts({
    ...opened,
    clock,
    log,
    newId,
    windows: journal.windows,
    worlds: opened.clusters,
    onWritten: ({ id, cluster }) => events.emit('window.changed', { id, cluster }),
    onMissed: (window, { seq, words }) => {
      events.internal.emit('window.waits', { window, seq, words })
      events.emit('window.start-missed', { id: window.id, cluster: window.cluster, title: window.title, why: words })
    },
  })
}
