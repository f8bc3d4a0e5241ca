/** Bounds how much is asked of the API server at once; who waits for an answer of the world holds no place (docs/drain.md V7). */
export interface InFlight {
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Lets at most `limit` pieces of work run at once, first come, first served. */
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
