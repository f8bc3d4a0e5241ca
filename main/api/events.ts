import type { EventPayloads } from '../../shared/contract/index.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import type { MaintenanceWindow } from '../../shared/domain/window.ts'
import { createEmitter, type Emitter } from '../platform/events/emitter.ts'
import type { Logger } from '../platform/log/logger.ts'

/** What only the services of this process hear. */
interface InternalEvents {
  /** An event of a run reached this console's own journal, whichever process wrote it. */
  readonly 'journal.event': RunEvent
  /** A run moved on, here or on a runner: the nodes it works on may be in another state. */
  readonly 'runs.changed': null
  /** A window did not start automatically, and waits for an operator. */
  readonly 'window.waits': {
    readonly window: Pick<MaintenanceWindow, 'id' | 'title' | 'cluster'>
    readonly seq: number
    readonly words: string
  }
}

/** Where the services of this process hear of each other: events of the contract, which every face hears too, and internal ones. */
export interface Events extends Emitter<EventPayloads> {
  readonly internal: Emitter<InternalEvents>
}

export function createEvents(log: Logger): Events {
  const onCrash = (event: string, error: unknown) => log.error('event-listener-failed', { event, error })
  return { ...createEmitter<EventPayloads>(onCrash), internal: createEmitter<InternalEvents>(onCrash) }
}
