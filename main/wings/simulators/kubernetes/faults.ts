import type { Json } from './store/json.ts'

/** What the server would have answered; `body` is the text of an answer that is no JSON. */
export interface TrueAnswer {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly code: number
  readonly body: Json
}

/** What is sent instead. */
export interface LyingAnswer {
  readonly code: number
  readonly contentType: string
  readonly text: string
  /** The headers promise all of `text`, and the connection ends after so many bytes of it. */
  readonly cutAfterBytes?: number
}

/**
 * Makes of a true answer what is said instead; null lets the truth through. A watch has no answer of its own: its `body` is null, and what is
 * said instead ends it.
 */
export type Lie = (truth: TrueAnswer) => LyingAnswer | null

/** Which requests a fault meets. Path and query are matched together, as in `/api/v1/nodes?watch=1`. */
interface FaultMatch {
  readonly path: RegExp
  /** Any method where absent. */
  readonly method?: string
  /** How many requests it meets; all until undone where absent. */
  readonly times?: number
}

/** What is forbidden; an absent field stands for everything. `resource` may carry a subresource: `pods/eviction`. */
interface Denial {
  readonly verb?: string
  readonly group?: string
  readonly resource?: string
  readonly namespace?: string
  readonly user?: string
}

/** Who wants to do what to which resource. */
export interface AccessAttributes {
  readonly user: string
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string | null
}

/** Takes a fault back. */
type Undo = () => void

/** What can be made to go wrong, at run time. */
export interface Faults {
  /** Answers matching requests later. */
  slow(match: FaultMatch, ms: number): Undo
  /** Answers matching requests with a failure, before anything is done. */
  answer(
    match: FaultMatch,
    failure: { readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string },
  ): Undo
  /** Cuts the connection of matching requests: before anything is done, or after it, so that the client cannot know. */
  drop(match: FaultMatch, when?: 'before' | 'after'): Undo
  /**
   * Says something else than the truth to matching requests. `carriedOut` (the default): what was asked is done, only the answer lies;
   * else nothing is done, and the lie is told of an answer with HTTP 200 and `null`.
   */
  lie(match: FaultMatch, lie: Lie, carriedOut?: boolean): Undo
  /** Forbids, both in access reviews and for real. */
  deny(denial: Denial): Undo
  /** Pods of the node stay Terminating. */
  freezeNode(name: string): Undo
  /** Cuts every watch now. */
  dropWatches(): void
  /** Forgets history, so that watches from an older resourceVersion get 410. */
  compact(): void
  /** Takes every standing fault back. */
  clear(): void
}

/** What a request meets. */
export interface MetFaults {
  readonly delayMs: number
  readonly drop: 'before' | 'after' | null
  readonly failure: { readonly status: number; readonly retryAfterSeconds: number; readonly message: string } | null
  readonly lie: { readonly report: Lie; readonly carriedOut: boolean } | null
}

/** The side of the faults that the server asks. */
export interface FaultTable {
  readonly faults: Faults
  readonly frozenNodes: ReadonlySet<string>
  meet(method: string, path: string): MetFaults
  denies(attributes: AccessAttributes): boolean
  /** Whether anything is denied, which no list of rules tells. */
  deniesAnything(): boolean
}

interface Status extends FaultMatch {
  readonly effect: Partial<MetFaults>
  left: number
}

/** Makes the table of faults; the two functions are what a fault does at once, `onThaw` tells when frozen pods may go. */
export function createFaultTable(dropWatches: () => void, compact: () => void, onThaw: () => void): FaultTable {
  const status = new Set<Status>()
  const denials = new Set<Denial>()
  const frozen = new Set<string>()

  function stand(match: FaultMatch, effect: Partial<MetFaults>): Undo {
    const entry: Status = { ...match, effect, left: match.times ?? Number.POSITIVE_INFINITY }
    status.add(entry)
    return () => status.delete(entry)
  }

  return {
    frozenNodes: frozen,
    faults: {
      slow: (match, ms) => stand(match, { delayMs: ms }),
      answer: (match, failure) =>
        stand(match, {
          failure: {
            status: failure.status,
            retryAfterSeconds: failure.retryAfterSeconds ?? 0,
            message: failure.message ?? 'a scripted fault of the demo cloud',
          },
        }),
      drop: (match, when = 'before') => stand(match, { drop: when }),
      lie: (match, report, carriedOut = true) => stand(match, { lie: { report, carriedOut } }),
      deny(denial) {
        denials.add(denial)
        return () => denials.delete(denial)
      },
      freezeNode(name) {
        frozen.add(name)
        return () => {
          frozen.delete(name)
          onThaw()
        }
      },
      dropWatches,
      compact,
      clear() {
        status.clear()
        denials.clear()
        frozen.clear()
        onThaw()
      },
    },
    meet(method, path) {
      let met: MetFaults = { delayMs: 0, drop: null, failure: null, lie: null }
      for (const entry of status) {
        if (entry.method !== undefined && entry.method !== method) continue
        // A sticky or global expression would remember where it stopped.
        if (!new RegExp(entry.path.source, entry.path.flags.replace(/[gy]/g, '')).test(path)) continue
        met = { ...met, ...entry.effect }
        entry.left -= 1
        if (entry.left <= 0) status.delete(entry)
      }
      return met
    },
    denies: attributes =>
      [...denials].some(
        denial =>
          agrees(denial.verb, attributes.verb) &&
          agrees(denial.group, attributes.group) &&
          agrees(denial.resource, attributes.resource) &&
          agrees(denial.namespace, attributes.namespace) &&
          agrees(denial.user, attributes.user),
      ),
    deniesAnything: () => denials.size > 0,
  }
}

function agrees(rule: string | undefined, value: string | null): boolean {
  return rule === undefined || rule === '*' || rule === value
}
