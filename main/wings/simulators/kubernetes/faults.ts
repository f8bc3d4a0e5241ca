import type { Json } from './store/json.ts'

/** The answer that the server would send; `body` is the text of an answer that is not JSON. */
export interface TrueAnswer {
  readonly method: string
  readonly path: string
  readonly code: number
  readonly body: Json
}

/** The answer that is sent instead. */
export interface LyingAnswer {
  readonly code: number
  readonly contentType: string
  readonly text: string
  /** The headers promise all of `text`, and the connection ends after this many bytes. */
  readonly cutAfterBytes?: number
}

/** Replaces a true answer; null lets it through. For a watch `body` is null, and a replacement ends the watch. */
export type Lie = (truth: TrueAnswer) => LyingAnswer | null

interface FaultMatch {
  readonly path: RegExp
  readonly method?: string
  /** How many requests it affects; the default is all until undone. */
  readonly times?: number
}

/** A denied right; an absent field matches everything. `resource` may name a subresource: `pods/eviction`. */
interface Denial {
  readonly verb?: string
  readonly group?: string
  readonly resource?: string
  readonly namespace?: string
  readonly user?: string
}

/** The user, verb and resource of an access check. */
export interface AccessAttributes {
  readonly user: string
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string | null
}

type Undo = () => void

/** Faults of the cluster; a test can set them while it runs. */
export interface Faults {
  slow(match: FaultMatch, ms: number): Undo
  answer(
    match: FaultMatch,
    failure: { readonly status: number; readonly retryAfterSeconds?: number; readonly message?: string },
  ): Undo
  /** Cuts the connection before the work or after it, so that the client cannot know which. */
  drop(match: FaultMatch, when?: 'before' | 'after'): Undo
  /** Sends false answers. With `carriedOut` (the default) the server does the work; otherwise it does nothing, and `lie` gets HTTP 200 with `null`. */
  lie(match: FaultMatch, lie: Lie, carriedOut?: boolean): Undo
  deny(denial: Denial): Undo
  /** Keeps the node's pods Terminating. */
  freezeNode(name: string): Undo
  dropWatches(): void
  /** Drops the history, so that watches from an older resourceVersion get 410. */
  compact(): void
  clear(): void
}

/** The faults that affect one request. */
export interface MetFaults {
  readonly delayMs: number
  readonly drop: 'before' | 'after' | null
  readonly failure: { readonly status: number; readonly retryAfterSeconds: number; readonly message: string } | null
  readonly lie: { readonly report: Lie; readonly carriedOut: boolean } | null
}

/** The questions that the server asks about faults. */
export interface FaultTable {
  readonly faults: Faults
  readonly frozenNodes: ReadonlySet<string>
  meet(method: string, path: string): MetFaults
  denies(attributes: AccessAttributes): boolean
  /** Whether any right is denied; the rules list of a user does not show denials. */
  deniesAnything(): boolean
}

interface Status extends FaultMatch {
  readonly effect: Partial<MetFaults>
  left: number
}

/** Makes the table of faults; `onThaw` runs when frozen pods may go. */
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
        // A sticky or global expression would continue after its last match.
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
