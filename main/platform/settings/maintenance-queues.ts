import { MaintenanceQueue } from '../../../shared/contract/console.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { openStoredList } from '../files/stored-list.ts'
import type { Logger } from '../log/logger.ts'

/** The nodes an operator has set aside on each cluster; nothing starts by being in here. */
export interface MaintenanceQueues {
  /** Empty where nothing was set aside, or the file cannot be read: the log says so, and so does the next change. */
  show(cluster: string): MaintenanceQueue
  /** Adds at the end (what is there already keeps its place), then removes. A node is kept also when its cluster no longer has it. */
  change(cluster: string, change: QueueChange): Result<MaintenanceQueue>
  /** Forgets the queue of a cluster that is removed. */
  forget(cluster: string): Result<void>
}

/** Names of nodes to add and to remove. */
interface QueueChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Opens `queues.json` of a data directory. */
export function openMaintenanceQueues(options: {
  readonly directory: string
  readonly log: Logger
}): MaintenanceQueues {
  const queues = openStoredList(options.directory, {
    fileName: 'queues.json',
    listName: 'queues',
    format: 1,
    item: MaintenanceQueue,
    keyOf: queue => queue.cluster,
  })
  const without = (all: readonly MaintenanceQueue[], cluster: string) => all.filter(queue => queue.cluster !== cluster)
  return {
    show: cluster => {
      const read = queues.read()
      if (read.ok) return queueIn(read.value, cluster)
      options.log.warn('queues not read', { message: read.failure.message })
      return { cluster, nodes: [] }
    },
    change: (cluster, { add, remove }) =>
      queues.change(all => {
        const before = queueIn(all, cluster).nodes
        const nodes = [...new Set([...before, ...add])].filter(node => !remove.includes(node))
        const after = { cluster, nodes }
        const others = without(all, cluster)
        return ok({ items: nodes.length === 0 ? others : [...others, after], report: after })
      }),
    forget: cluster => queues.change(all => ok({ items: without(all, cluster), report: undefined })),
  }
}

function queueIn(all: readonly MaintenanceQueue[], cluster: string): MaintenanceQueue {
  return all.find(queue => queue.cluster === cluster) ?? { cluster, nodes: [] }
}
