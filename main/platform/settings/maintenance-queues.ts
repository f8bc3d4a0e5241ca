import { MaintenanceQueue } from '../../../shared/contract/console.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { openStoredList } from '../files/stored-list.ts'
import type { Logger } from '../log/logger.ts'

/** The nodes that an operator has queued on each cluster; being queued starts nothing. */
export interface MaintenanceQueues {
  /** Empty if nothing is queued or the file cannot be read, which the log and the next change report. */
  show(cluster: string): MaintenanceQueue
  /** Appends nodes (queued ones keep their place), then removes. Keeps nodes that the cluster no longer has. */
  change(cluster: string, change: QueueChange): Result<MaintenanceQueue>
  forget(cluster: string): Result<void>
}

interface QueueChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

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
