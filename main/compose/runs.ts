import type { EventPayload } from '../../shared/contract/index.ts'
import type { Events } from '../api/events.ts'
import { createJournalTail, type JournalTail } from '../journal/journal-tail.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { maintenanceSteps } from '../procedures/registry.ts'
import { nodeLeaseKeeper } from '../procedures/steps/general/node-lease.ts'
import { createRunEngine } from '../runs/engine/run-engine.ts'
import { createRunService, type RunsOfProcess } from '../runs/run-service.ts'
import type { openCommands } from './commands.ts'
import type { Foundation } from './foundation.ts'
import { newId } from './new-id.ts'
import { pidAlive } from './own-process.ts'

export function openRuns(
  foundation: Foundation,
  events: Events,
  { bind }: Pick<ReturnType<typeof openCommands>, 'bind'>,
): { readonly tail: JournalTail; readonly own: RunsOfProcess } {
  const { journal, clock, log, driver } = foundation
  const liveness = { clock, self: driver, pidAlive, heartbeats: new Map() }
  const tail = openTail(foundation, events)
  const engine = createRunEngine<MaintenanceWorld>({
    journal,
    registry: maintenanceSteps,
    lease: nodeLeaseKeeper(driver, undefined, journal),
    clocksOf: (world, signal) => world.clocks(signal),
    readingOf: (world, signal) => readCluster(world, clock, signal),
    clock,
    log: log.child('engine'),
    driver,
    liveness,
    newId,
    bind,
    onEvent: tail.wrote,
    onWaiting: (runId, waiting) => {
      if (waiting) events.emit('run.rested', { runId, state: 'waiting', outcome: null })
    },
  })
  const onRested = (rested: EventPayload<'run.rested'>) => events.emit('run.rested', rested)
  return { tail, own: createRunService({ engine, journal, driver, liveness, clock, onRested }) }
}

/** Passes on what is written into the journal, by this process or by others. */
function openTail({ journal, clock, log }: Foundation, events: Events): JournalTail {
  return createJournalTail({
    journal,
    clock,
    log: log.child('journal'),
    onEdit: ({ kind }) => {
      if (kind === 'cluster-settings') events.emit('cluster.changed', {})
    },
    onWindow: ({ id, cluster }) => events.emit('window.changed', { id, cluster }),
    onEvent: event => {
      events.emit('run.event', event)
      if (event.body.kind !== 'fact') events.internal.emit('runs.changed', null)
      events.internal.emit('journal.event', event)
    },
  })
}
