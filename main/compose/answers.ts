import { type Contract, type RequestName, requests } from '../../shared/contract/index.ts'
import { batchesHandlers } from '../api/batches.ts'
import { clusterHandlers } from '../api/clusters.ts'
import { connectHandlers } from '../api/connect.ts'
import { consoleHandlers } from '../api/console.ts'
import { controllerHandlers } from '../api/controllers.ts'
import { definitionHandlers } from '../api/definitions.ts'
import { editHandlers } from '../api/edits.ts'
import { estimateHandlers } from '../api/estimates.ts'
import type { Events } from '../api/events.ts'
import { historyHandlers } from '../api/history.ts'
import { journalHandlers } from '../api/journal-care.ts'
import { maintenanceObjectHandlers } from '../api/maintenance-objects.ts'
import { nodeDetailHandlers } from '../api/node-detail.ts'
import { nodeHandlers } from '../api/nodes.ts'
import type { Observers } from '../api/observers.ts'
import { removeRequestHandler } from '../api/remove-request.ts'
import { reportHandlers } from '../api/reports.ts'
import { runHandlers } from '../api/runs.ts'
import { createRouter, type Handlers } from '../api/serve.ts'
import type { ApiServices } from '../api/services.ts'
import { observeHandlers, updateHandlers } from '../api/updates.ts'
import { viewHandlers } from '../api/views.ts'
import { windowHandlers } from '../api/windows.ts'
import type { Views } from '../clusters/view/views.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { openNotify } from '../wings/notify/door.ts'
import type { openOtherDrivers } from '../wings/runner/door.ts'
import type { openDemo } from '../wings/simulators/door.ts'

/** The parts that answer requests: services of the core, live views, and the wings. */
export interface Answering {
  readonly services: ApiServices
  readonly views: Views
  readonly observers: Observers
  readonly drivers: Pick<ReturnType<typeof openOtherDrivers>, 'handlers'>
  readonly notify: Pick<ReturnType<typeof openNotify>, 'handlers'>
  readonly demo: Pick<ReturnType<typeof openDemo>, 'handlers'>
}

export function contractOver(
  answering: Answering,
  parts: {
    readonly events: Events
    readonly journal: Pick<Journal, 'readOnly'>
    readonly clock: Clock
    readonly log: Logger
  },
): Contract {
  const { events, journal, clock, log } = parts
  const refusalOf = (name: RequestName) => (requests[name].effect === 'journaled' ? journal.readOnly : null)
  return createRouter(handlersOf(answering), events, clock, log.child('api'), refusalOf)
}

function handlersOf({ services, views, observers, drivers, notify, demo }: Answering): Handlers {
  return {
    ...clusterHandlers(services),
    ...connectHandlers(services),
    ...controllerHandlers(services),
    ...definitionHandlers(services),
    ...maintenanceObjectHandlers(services),
    ...removeRequestHandler(services),
    ...observeHandlers(observers),
    ...updateHandlers(services, observers),
    ...consoleHandlers(services),
    ...editHandlers(services),
    ...nodeDetailHandlers(services),
    ...nodeHandlers(services),
    ...runHandlers(services),
    ...windowHandlers(services),
    ...batchesHandlers(services),
    ...estimateHandlers(services),
    ...reportHandlers(services),
    ...historyHandlers(services),
    ...journalHandlers(services),
    ...viewHandlers(views),
    ...drivers.handlers(services),
    ...notify.handlers(services),
    ...demo.handlers,
  }
}
