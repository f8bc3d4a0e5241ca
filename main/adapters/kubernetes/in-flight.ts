/** Limits parallel requests to the API server; waiting for the cluster to change takes no slot (docs/drain.md V7). */
export interface InFlight {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createInFlight(limit: number): InFlight {
  let free = limit
  const waiting: (() => void)[] = []
  return {
    run: async work => {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}
