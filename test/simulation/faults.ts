import type { Dice } from './dice.ts'
import type { Theme } from './themes.ts'

/** What one message meets on its way. */
export type MessageFault =
  /** The request never arrives: the connection breaks, or no answer comes. */
  | { readonly kind: 'request-lost'; readonly silent: boolean }
  /** It is carried out and the answer never comes back. */
  | { readonly kind: 'answer-lost'; readonly silent: boolean }
  /** Something on the way sends it on twice; one of the two answers comes back. */
  | { readonly kind: 'twice'; readonly answer: 'first' | 'second' }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterSeconds: number
      /** Retry-After is a date. */
      readonly asDate?: boolean
      readonly html: boolean
    }
  | { readonly kind: 'lie'; readonly lie: LieKind; readonly carriedOut: boolean }
  /** What a test says instead of a good answer to a read; null: the truth. */
  | { readonly kind: 'told'; readonly report: (truth: GoodAnswer) => GoodAnswer | null }
  | { readonly kind: 'slow'; readonly ms: number }

/** A good answer to a read, as it goes over a wire. */
export interface GoodAnswer {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Ways to say something else with a good status. `stale` is an earlier answer with its headers, as a cache keeps it; `lagging` an earlier body in an
 * answer of now, as from a database replica that is behind.
 */
type LieKind = 'html' | 'cut' | 'nothing' | 'bare' | 'empty-list' | 'stale' | 'lagging' | 'another'

/** Which messages something is about. */
interface Topic {
  readonly name: string
  readonly path: RegExp
}

const TOPICS: readonly [Topic, ...Topic[]] = [
  { name: 'everything', path: /./ },
  { name: 'Kubernetes', path: /^kubernetes / },
  { name: 'OpenStack', path: /^openstack / },
  { name: 'pods', path: /^kubernetes \w+ \/api\/v1\/.*pods/ },
  { name: 'nodes', path: /^kubernetes \w+ \/api\/v1\/nodes/ },
  { name: 'Leases', path: /^kubernetes \w+ \S*\/leases/ },
  { name: 'maintenance objects', path: /lcm\.mirantis\.com/ },
  { name: 'servers', path: /\/servers/ },
  { name: 'compute services', path: /os-services/ },
  { name: 'migrations', path: /migrations/ },
  { name: 'Placement', path: /^openstack \w+ \/placement/ },
  { name: 'Keystone', path: /^openstack \w+ \/identity/ },
  { name: 'writes', path: /^\w+ (POST|PUT|PATCH|DELETE) / },
]

/** A time in which messages of one topic fare badly in one way. */
interface Episode {
  readonly fromMs: number
  readonly untilMs: number
  readonly topic: Topic
  readonly weather: Weather
  readonly probability: number
}

/** Kinds of bad times. */
type Weather = 'losses' | 'doubles' | 'storm' | 'refusals' | 'lies' | 'one-lie' | 'slow' | 'silence'

const WEATHERS: readonly [Weather, ...Weather[]] = [
  'losses',
  'doubles',
  'storm',
  'refusals',
  'lies',
  'lies',
  'one-lie',
  'slow',
  'silence',
]

const LIES: readonly [LieKind, ...LieKind[]] = ['html', 'cut', 'nothing', 'bare', 'empty-list', 'stale', 'another']

/** The bad times of one run. */
export interface FaultPlan {
  readonly episodes: readonly Episode[]
  /** What this message meets; null: nothing. */
  meet(atMs: number, message: string): MessageFault | null
  /** A console journaled that a step of this kind starts: a lie may begin with it. */
  stepStarts(kind: string, atMs: number): void
  /** Drops all messages about Leases for this long. */
  silenceLeases(atMs: number, forMs: number): void
}

/** Draws the bad times between `fromMs` and `fromMs + spanMs`. */
export function drawFaults(dice: Dice, fromMs: number, spanMs: number, theme: Theme): FaultPlan {
  const episodes = Array.from({ length: dice.pick(theme.episodes) }, (): Episode & { readonly lie: LieKind } => {
    const weather = dice.pick(WEATHERS)
    // Most procedures of a small cloud end within half a minute.
    const from = fromMs + dice.below(Math.min(spanMs, dice.pick([6_000, 15_000, 40_000, spanMs])))
    const lasts =
      weather === 'silence' ? dice.between(1_000, 70_000) : dice.pick([2_000, 10_000, 45_000, 120_000, 280_000])
    return {
      fromMs: from,
      untilMs: Math.min(from + dice.between(1, lasts), fromMs + spanMs + 60_000),
      topic: dice.pick(TOPICS),
      weather,
      probability: dice.pick([0.1, 0.3, 0.6, 1]),
      lie: dice.pick(LIES),
    }
  })
  const atSteps = dice.chance(theme.lieAtStep) ? drawLiesAtSteps(dice.of('at steps')) : []
  const during = dice.of('messages')
  const behind = dice.of('replicas that are behind')
  const leases = TOPICS.find(({ name }) => name === 'Leases') ?? TOPICS[0]
  return {
    episodes,
    silenceLeases: (atMs, forMs) => {
      const lie = 'nothing'
      episodes.unshift({ fromMs: atMs, untilMs: atMs + forMs, topic: leases, weather: 'silence', probability: 1, lie })
    },
    stepStarts: (kind, atMs) => {
      for (const lie of atSteps.filter(({ step }) => step === kind)) {
        atSteps.splice(atSteps.indexOf(lie), 1)
        const from = atMs + lie.afterMs
        const { topic, probability } = lie
        episodes.push({
          fromMs: from,
          untilMs: from + lie.forMs,
          topic,
          weather: 'one-lie',
          probability,
          lie: lie.lie === 'stale' && behind.chance(LAGGING) ? 'lagging' : lie.lie,
        })
      }
    },
    meet: (atMs, message) => {
      for (const episode of episodes) {
        if (atMs < episode.fromMs || atMs >= episode.untilMs || !episode.topic.path.test(message)) continue
        if (!during.chance(episode.probability)) continue
        const fault = faultOf(episode.weather, episode.lie, during)
        const isBehind = fault.kind === 'lie' && fault.lie === 'stale' && behind.chance(LAGGING)
        return isBehind ? { ...fault, lie: 'lagging' } : fault
      }
      return null
    },
  }
}

/** A lie that begins this long after a step of this kind starts. */
interface LieAtStep {
  readonly step: string
  readonly afterMs: number
  readonly forMs: number
  readonly topic: Topic
  readonly lie: LieKind
  readonly probability: number
}

/** What each step reads to say that it holds. */
const READ_BY_STEPS: readonly [
  readonly [string, readonly [string, ...string[]]],
  ...(readonly [string, readonly [string, ...string[]]])[],
] = [
  ['drain-node', ['pods', 'pods', 'Kubernetes', 'nodes']],
  ['drain-node', ['pods', 'pods', 'Kubernetes']],
  ['migrate-instances', ['servers', 'servers', 'OpenStack', 'migrations', 'Placement']],
  ['migrate-instances', ['servers', 'servers', 'OpenStack']],
  ['disable-compute', ['compute services', 'OpenStack']],
  ['enable-compute', ['compute services', 'OpenStack']],
  ['cordon-node', ['nodes', 'Leases', 'Kubernetes']],
  ['uncordon-node', ['nodes', 'Kubernetes']],
  ['request-node-maintenance', ['maintenance objects']],
  ['node-locks-inactive', ['maintenance objects']],
  ['remove-node-request', ['maintenance objects']],
]

/** The share of old answers that come from a lagging replica, not from a cache. */
const LAGGING = 0.4

function drawLiesAtSteps(dice: Dice): LieAtStep[] {
  return Array.from({ length: dice.between(1, 3) }, () => {
    const [step, topics] = dice.pick(READ_BY_STEPS)
    const named = dice.pick(topics)
    return {
      step,
      topic: TOPICS.find(({ name }) => name === named) ?? TOPICS[0],
      afterMs: dice.pick([0, 0, 50, 500, 3_000]),
      forMs: dice.pick([5_000, 20_000, 90_000]),
      lie: dice.pick(['html', 'empty-list', 'empty-list', 'stale', 'bare', 'another']),
      probability: dice.pick([0.5, 1, 1]),
    }
  })
}

function faultOf(weather: Weather, lie: LieKind, dice: Dice): MessageFault {
  switch (weather) {
    case 'losses':
      return { kind: dice.chance(0.5) ? 'request-lost' : 'answer-lost', silent: dice.chance(0.3) }
    case 'doubles':
      return { kind: 'twice', answer: dice.chance(0.5) ? 'first' : 'second' }
    case 'storm':
      return {
        kind: 'status',
        status: dice.pick([429, 500, 502, 503, 503, 504]),
        retryAfterSeconds: dice.chance(0.5) ? dice.between(1, 5) : 0,
        html: dice.chance(0.3),
      }
    case 'refusals':
      return {
        kind: 'status',
        status: dice.pick([400, 401, 403, 404, 409, 410]),
        retryAfterSeconds: 0,
        html: dice.chance(0.3),
      }
    case 'lies':
      return { kind: 'lie', lie: dice.pick(LIES), carriedOut: dice.chance(0.5) }
    case 'one-lie':
      return { kind: 'lie', lie, carriedOut: dice.chance(0.5) }
    case 'slow':
      return { kind: 'slow', ms: dice.between(200, 20_000) }
    case 'silence':
      return { kind: 'request-lost', silent: true }
  }
}

const LOGIN_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login"></form></body></html>\n'

/** An answer as a server gave it. */
interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Earlier answers of a wire, for use at the wrong time. */
interface WireMemory {
  keep(message: string, answer: KeptAnswer): void
  /** An earlier answer to the same message; null when there is none. */
  earlier(message: string, dice: Dice): KeptAnswer | null
  /** An answer to another message. */
  another(message: string, dice: Dice): string | null
}

export function createWireMemory(): WireMemory {
  const reported = new Map<string, KeptAnswer[]>()
  return {
    keep: (message, answer) => {
      const known = reported.get(message)
      if (known === undefined) reported.set(message, [answer])
      else if (known.at(-1)?.text !== answer.text) {
        known.push(answer)
        // The oldest answer stays: the state before any work is the most dangerous one to repeat.
        if (known.length > 6) known.splice(1, 1)
      }
    },
    earlier: (message, dice) => {
      const known = reported.get(message)
      return known === undefined ? null : (known[dice.below(known.length)] ?? null)
    },
    another: (message, dice) => {
      const others = [...reported.keys()].filter(other => other !== message)
      const chosen = others[dice.below(Math.max(1, others.length))]
      return chosen === undefined ? null : (reported.get(chosen)?.at(-1)?.text ?? null)
    },
  }
}

/** Returns the false answer, with its content type. */
export function reportLie(
  lie: LieKind,
  message: string,
  truth: string,
  memory: WireMemory,
  dice: Dice,
): { readonly text: string; readonly type: string } {
  const json = (text: string) => ({ text, type: 'application/json' })
  switch (lie) {
    case 'html':
      return { text: LOGIN_PAGE, type: 'text/html; charset=utf-8' }
    case 'cut':
      return json(truth.slice(0, dice.between(1, Math.max(1, truth.length - 2))))
    case 'nothing':
      return json('')
    case 'bare':
      return json(
        dice.pick([
          'null',
          '{}',
          '[]',
          '""',
          '0',
          '{"items":null}',
          '{"items":[]}',
          '{"kind":"Status","status":"Success"}',
        ]),
      )
    case 'empty-list':
      return json(emptied(truth))
    case 'stale':
    case 'lagging':
      return json(memory.earlier(message, dice)?.text ?? truth)
    case 'another':
      return json(memory.another(message, dice) ?? '{}')
  }
}

/** Every list in it without its entries; whole otherwise. */
function emptied(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return text
    return JSON.stringify(
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? [] : value])),
    )
  } catch {
    return text
  }
}
