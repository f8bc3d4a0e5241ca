import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { ProcessOfDriver } from '../../../shared/domain/run.ts'
import {
  type Delivery,
  deliveriesIn,
  deliveryKey,
  type KeptSignal,
  type SignalEntry,
  type SignalNews,
  signalsOf,
  type Webhook,
  wantsToReceive,
} from '../../../shared/domain/signals.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { testTitle } from '../../../shared/words/signals.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { SignalJournal } from '../../journal/signal-journal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { WebhookAnswer, WebhookPort } from './ports/webhooks.ts'

/** The secrets of a webhook. `key` is null where its form has no signature. */
export interface WebhookSecrets {
  readonly url: string
  readonly key: string | null
}

/** The result of a test. */
type TestAnswer = Extract<SignalEntry, { kind: 'delivery-ended' }>

/** Sends messages to webhooks. */
export interface Deliveries {
  /** Sends news to every webhook of the cluster that wants it. The journal has it before this returns; it is sent meanwhile. */
  report(news: SignalNews): void
  /** Sends a test once, and returns the result. */
  test(cluster: Cluster, hook: string): Promise<Result<TestAnswer>>
  /** Takes over messages that a console left when it ended: unsent, or sent without an answer. */
  takeOver(): void
  /** Waits a short time for messages that are being sent or are due; the next console sends the rest. */
  close(): Promise<void>
}

/** News older than this is not sent: it would only confuse. */
const NEWS_FOR_MS = minutes(60)
/** Waits between attempts: 2 s, 6 s, 18 s … at most five minutes. */
const RETRY = { first: seconds(2), factor: 3, max: minutes(5) }
/** No attempt takes this long: an older one without an outcome belongs to a console that has ended. */
const GONE_AFTER_MS = seconds(90)
/** How long an ending console waits for answers, and for attempts that are due. */
const CLOSE_WITHIN_MS = seconds(5)

/** Sends news to webhooks. A claim in the journal gives each message to one console. No run waits for it. */
export function createDeliveries(parts: {
  readonly journal: SignalJournal
  readonly port: WebhookPort
  readonly clusterOf: (name: string) => Result<Cluster>
  readonly secretsOf: (cluster: string, hook: string) => Result<WebhookSecrets>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}): Deliveries {
  const { journal, port, clusterOf, secretsOf, driver, clock, log, newId } = parts
  const by = { operator: driver.operator, machine: driver.machine, process: driver.id }
  const closing = new AbortController()
  /** Messages that this process will send, is sending, or will try again. */
  const own = new Set<string>()
  const jobs = new Set<Promise<void>>()

  /** Null: the journal cannot keep it, so nothing is sent; the log says why. */
  const keep = (place: Pick<KeptSignal, 'runId' | 'cluster'>, body: SignalEntry, claim: string) => {
    const kept = journal.record(place, body, claim)
    if (kept.ok) return kept.value
    log.warn('signal not kept', { message: kept.failure.message })
    return null
  }

  const begin = (hook: Webhook, news: SignalNews, attempt: number): boolean => {
    const { id, event, cluster } = news
    const place = { runId: ownerOf(news), cluster }
    const claim = `${deliveryKey(hook.name, id)} ${attempt}`
    const { name, host } = hook
    const firstNews = attempt === 1 ? news : null
    return (
      keep(place, { kind: 'delivery-begun', hook: name, host, id, event, attempt, by, news: firstNews }, claim) ===
      'kept'
    )
  }

  const end = (
    news: Pick<SignalNews, 'id' | 'cluster' | 'run' | 'window'>,
    hook: string,
    attempt: number,
    came: Pick<TestAnswer, 'outcome' | 'status' | 'why' | 'code' | 'values' | 'againAt'>,
    ending: 'ended' | 'given up' = 'ended',
  ): TestAnswer => {
    const ended: TestAnswer = { kind: 'delivery-ended', hook, id: news.id, attempt, ...came }
    const place = { runId: ownerOf(news), cluster: news.cluster }
    keep(place, ended, `${deliveryKey(hook, news.id)} ${attempt} ${ending}`)
    return ended
  }

  const send = async (hook: Webhook, news: SignalNews): Promise<WebhookAnswer> => {
    const secrets = secretsOf(news.cluster, hook.name)
    if (!secrets.ok) return { kind: 'refused', status: null, why: secrets.failure.message }
    return port.send({ form: hook.form, ...secrets.value, news }, closing.signal)
  }

  const deliver = (hook: Webhook, news: SignalNews, first: number): void => {
    const job = sendUntilTaken(hook, news, first).finally(() => jobs.delete(job))
    jobs.add(job)
  }

  const sendUntilTaken = async (hook: Webhook, news: SignalNews, first: number): Promise<void> => {
    const key = deliveryKey(hook.name, news.id)
    own.add(key)
    try {
      for (let attempt = first; ; attempt += 1) {
        const answer = await send(hook, news)
        // It may have arrived: the journal has no outcome for it, so the next console sends it once more.
        if (answer.kind === 'passing' && closing.signal.aborted) return
        const waitMs = answer.kind === 'passing' ? waitAfter(attempt, answer.retryAfterMs) : null
        const isNews = waitMs !== null && clock.now() + waitMs < Date.parse(news.at) + NEWS_FOR_MS
        end(news, hook.name, attempt, {
          outcome: answer.kind === 'arrived' ? 'arrived' : isNews ? 'again' : 'given-up',
          status: answer.status,
          ...whyNot(answer),
          againAt: isNews ? new Date(clock.now() + waitMs).toISOString() : null,
        })
        if (!isNews) return
        await clock.sleep(waitMs, closing.signal)
        if (closing.signal.aborted) return
        const now = hookOf(news.cluster, hook.name)
        if (now === null || !begin(now, news, attempt + 1)) return
      }
    } catch (error) {
      log.error('webhook not sent', { hook: hook.name, error })
    } finally {
      own.delete(key)
    }
  }

  const waitAfter = (attempt: number, askedMs: number | null): number => {
    const backoff = Math.min(RETRY.first * RETRY.factor ** (attempt - 1), RETRY.max)
    return Math.round(Math.max(askedMs ?? 0, backoff) * (1 + 0.25 * clock.random()))
  }

  const hookOf = (cluster: string, name: string): Webhook | null => {
    const found = clusterOf(cluster)
    return found.ok ? (signalsOf(found.value).webhooks.find(hook => hook.name === name) ?? null) : null
  }

  const goOn = (left: Delivery): void => {
    const { news, hook: name, attempt } = left
    if (news === null) return
    // The failed attempt already has its outcome: giving up is another entry, under another claim.
    const ending = left.state === 'again' ? 'given up' : 'ended'
    const giveUp = ({ message, code, values }: Finding) =>
      end(news, name, attempt, { outcome: 'given-up', status: null, why: message, code, values, againAt: null }, ending)
    if (left.state === 'sending' && left.unreported > 0) {
      giveUp(because('DeliveryNotHeardTwice'))
      return
    }
    const hook = hookOf(left.cluster, name)
    if (hook === null) giveUp(because('WebhookGone'))
    else if (clock.now() > Date.parse(news.at) + NEWS_FOR_MS) giveUp(because('NewsTooOld'))
    else if (begin(hook, news, attempt + 1)) deliver(hook, news, attempt + 1)
  }

  return {
    report: news => {
      const cluster = clusterOf(news.cluster)
      if (!cluster.ok) return
      for (const hook of signalsOf(cluster.value).webhooks) {
        if (wantsToReceive(hook, news.event) && begin(hook, news, 1)) deliver(hook, news, 1)
      }
    },
    test: async (cluster, name) => {
      const hook = signalsOf(cluster).webhooks.find(each => each.name === name)
      if (hook === undefined) return failed(noHook(cluster.name, name))
      const { message, code, values } = because('WebhookTried', {
        operator: driver.operator,
        machine: driver.machine,
        hook: name,
      })
      const news: SignalNews = {
        id: `test.${newId()}`,
        event: 'test',
        at: new Date(clock.now()).toISOString(),
        cluster: cluster.name,
        outcome: null,
        run: null,
        window: null,
        title: testTitle(cluster.name),
        text: message,
        code,
        values,
        demo: false,
      }
      if (!begin(hook, news, 1)) {
        return failed(refusal('damaged', because('SignalNotJournaled')))
      }
      const answer = await send(hook, news)
      return ok(
        end(news, name, 1, {
          outcome: answer.kind === 'arrived' ? 'arrived' : 'given-up',
          status: answer.status,
          ...whyNot(answer),
          againAt: null,
        }),
      )
    },
    takeOver: () => {
      const now = clock.now()
      // A message that was begun as news may have been tried until then.
      const kept = journal.since(new Date(now - 2 * NEWS_FOR_MS).toISOString())
      if (!kept.ok) return
      for (const left of deliveriesIn(kept.value)) {
        const isOpen = (left.state === 'sending' || left.state === 'again') && left.runId !== ''
        if (!isOpen || own.has(deliveryKey(left.hook, left.id))) continue
        if (Date.parse(left.dueAt) + GONE_AFTER_MS < now) goOn(left)
      }
    },
    close: async () => {
      const settled = new AbortController()
      await Promise.race([Promise.allSettled([...jobs]), clock.sleep(CLOSE_WITHIN_MS, settled.signal)])
      settled.abort()
      closing.abort()
      // An attempt that ended just now writes its outcome before the journal closes.
      await Promise.allSettled([...jobs])
    },
  }
}

/** Why a message did not arrive, as the journal keeps it. */
function whyNot(answer: WebhookAnswer): Pick<TestAnswer, 'why' | 'code' | 'values'> {
  if (answer.kind === 'arrived') return { why: '' }
  const { why, code, values } = answer
  return code === undefined ? { why } : { why, code, values: { ...values } }
}

/** The run that the news is about, else the window; empty: a test, about neither. */
function ownerOf({ run, window }: Pick<SignalNews, 'run' | 'window'>): string {
  return run?.id ?? window?.id ?? ''
}

/** There is no webhook of that name. */
export function noHook(cluster: string, name: string) {
  return refusal('not-found', because('WebhookUnknown', { cluster, hook: name }), { target: `cluster/${cluster}` })
}
