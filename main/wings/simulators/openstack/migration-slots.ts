interface Waiter {
  readonly admit: (admitted: boolean) => void
}

/** The queues of live migrations, one for each source host (nova.conf max_concurrent_live_migrations); the longest waiting is next. */
export interface MigrationSlots {
  /** Resolves to true with a slot, to false if `signal` aborts first. */
  readonly acquire: (host: string, signal: AbortSignal) => Promise<boolean>
  readonly release: (host: string) => void
}

/** Makes the queues; `limit` is read each time, so that a test may change it. */
export function createMigrationSlots(limit: () => number): MigrationSlots {
  const busy = new Map<string, number>()
  const queues = new Map<string, Waiter[]>()

  const admitNext = (host: string) => {
    const queue = queues.get(host) ?? []
    while ((busy.get(host) ?? 0) < limit()) {
      const next = queue.shift()
      if (next === undefined) return
      busy.set(host, (busy.get(host) ?? 0) + 1)
      next.admit(true)
    }
  }

  return {
    acquire: (host, signal) =>
      new Promise(resolve => {
        if (signal.aborted) {
          resolve(false)
          return
        }
        const queue = queues.get(host) ?? []
        queues.set(host, queue)
        const giveUp = () => {
          const at = queue.indexOf(waiter)
          if (at >= 0) queue.splice(at, 1)
          resolve(false)
        }
        const waiter: Waiter = {
          admit: admitted => {
            signal.removeEventListener('abort', giveUp)
            resolve(admitted)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        queue.push(waiter)
        admitNext(host)
      }),
    release: host => {
      busy.set(host, Math.max(0, (busy.get(host) ?? 0) - 1))
      admitNext(host)
    },
  }
}
