import type { Contract } from '../../shared/contract/index.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { connectHandlers } from '../api/connect.ts'
import { createEvents } from '../api/events.ts'
import { nodeDetailHandlers } from '../api/node-detail.ts'
import { nodeHandlers } from '../api/nodes.ts'
import { createRouter } from '../api/serve.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { Redactor } from '../platform/log/redact.ts'
import { hasNoDriver } from '../runs/engine/liveness.ts'
import { createRunReading } from '../runs/run-reading.ts'
import { openClusters } from './clusters.ts'
import { openCommands } from './commands.ts'
import { type AppOptions, openFoundation } from './foundation.ts'
import { pidAlive } from './own-process.ts'

interface ReadingApp {
  readonly contract: Contract
  readonly log: Logger
  readonly redactor: Redactor
  close(): Promise<void>
}

/**
 * The half of the application that commands need that show nodes and instances: no engine, no windows, no runners, no live views. It answers the
 * requests of api/connect.ts, api/nodes.ts and api/node-detail.ts as main/app.ts does, by the same code.
 */
export async function createReadingApp(options: AppOptions): Promise<Result<ReadingApp>> {
  const opened = await openFoundation(options)
  if (!opened.ok) return opened
  const foundation = opened.value
  const { clock, driver, journal, log, redactor } = foundation
  const { port: commands } = openCommands(foundation, null)
  const clusters = openClusters(foundation, options, { commands, prometheusOf: () => null })
  const liveness = { clock, self: driver, pidAlive, heartbeats: new Map() }
  const runs = createRunReading({
    journal,
    hasLostDriver: (view, row) => hasNoDriver(view, row, liveness),
    whyRefused: () => undefined,
    clock,
  })
  const services = { clock, clusters, runs, worlds: clusters }
  const handlers = { ...connectHandlers(services), ...nodeHandlers(services), ...nodeDetailHandlers(services) }
  const api = log.child('api')
  return ok({
    contract: createRouter(handlers, createEvents(api), clock, api),
    log,
    redactor,
    close: async () => {
      clusters.closeAll()
      await foundation.close()
    },
  })
}
