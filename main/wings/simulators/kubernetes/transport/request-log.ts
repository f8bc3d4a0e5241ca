interface LoggedRequest {
  readonly at: string
  readonly method: string
  readonly path: string
  /** 0 if a fault cut the connection. */
  readonly status: number
  /** Whether the query or an eviction's deleteOptions request a dry run. */
  readonly dryRun: boolean
  /** Null for an anonymous user. */
  readonly user: string | null
}

/** The newest requests, oldest first. */
export interface RequestLog {
  all(): readonly LoggedRequest[]
  /** The number of all requests, including those that the log no longer keeps. */
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
