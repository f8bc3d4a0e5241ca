/** One request that the simulated API server got. */
interface LoggedRequest {
  readonly at: string
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** 0: the connection was cut by a fault. */
  readonly status: number
  /** Asked for by the query or by an eviction's deleteOptions. */
  readonly dryRun: boolean
  /** Null for nobody. */
  readonly user: string | null
}

/** The newest requests, oldest first. */
export interface RequestLog {
  all(): readonly LoggedRequest[]
  /** How many there ever were, those that are not kept any more among them. */
  readonly count: number
  add(request: LoggedRequest): void
  clear(): void
}

const KEPT = 20_000

/** Makes an empty log that keeps the newest 20,000 requests. */
export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  let count = 0
  return {
    all: () => requests.slice(-KEPT),
    get count() {
      return count
    },
    add(request) {
      count += 1
      requests.push(request)
      if (requests.length > 2 * KEPT) requests = requests.slice(-KEPT)
    },
    clear() {
      requests = []
    },
  }
}
