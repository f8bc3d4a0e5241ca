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
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { WebhookAnswer, WebhookPort } from './ports/webhooks.ts'

/** `key` is null if the form of the webhook has no signature. */
export interface WebhookSecrets {
  readonly url: string
  readonly key: string | null
}

type TestAnswer = Extract<SignalEntry, { kind: 'delivery-ended' }>

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

/** Older news would only confuse. */
const NEWS_FOR_MS = minutes(60)
/** Waits between attempts: 2 s, 6 s, 18 s … at most five minutes. */
const RETRY = { first: seconds(2), factor: 3, max: minutes(5) }
/** No attempt takes this long: an older one without an outcome belongs to a console that has ended. */
const GONE_AFTER_MS = seconds(90)
/** How long an ending console waits for answers, and for attempts that are due. */
const CLOSE_WITHIN_MS = seconds(5)

interface DeliveryParts {
  readonly journal: SignalJournal
  readonly port: WebhookPort
  readonly clusterOf: (name: string) => Result<Cluster>
  readonly secretsOf: (cluster: string, hook: string) => Result<WebhookSecrets>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}

interface Outbox extends DeliveryParts {
  readonly closing: AbortController
  /** Messages that this process will send, is sending, or will try again. */
  readonly own: Set<string>
  readonly jobs: Set<Promise<void>>
}

/** Sends news to webhooks. A claim in the journal gives each message to one console. No run waits for it. */
export function createDeliveries(parts: DeliveryParts): Deliveries {
  const outbox: Outbox = { ...parts, closing: new AbortController(), own: new Set(), jobs: new Set() }
  return {
    report: news => {
      const cluster = outbox.clusterOf(news.cluster)
      if (!cluster.ok) return
      for (const hook of signalsOf(cluster.value).webhooks) {
        if (wantsToReceive(hook, news.event) && claimAttempt(outbox, hook, news, 1)) deliver(outbox, hook, news, 1)
      }
    },
    test: (cluster, hook) => sendTest(outbox, cluster, hook),
    takeOver: () => takeOverUnsent(outbox),
    close: () => closeOutbox(outbox),
  }
}

/** Null if the journal cannot keep it, so nothing is sent; the log says why. */
function keep(
  { journal, log }: Outbox,
  place: Pick<KeptSignal, 'runId' | 'cluster'>,
  body: SignalEntry,
  claim: string,
) {
  const kept = journal.record(place, body, claim)
  if (kept.ok) return kept.value
  log.warn('signal not kept', { message: kept.failure.message })
  return null
}

/** Journals an attempt before it is sent. False if another console has it, or the journal cannot keep it. */
function claimAttempt(outbox: Outbox, { name: hook, host }: Webhook, news: SignalNews, attempt: number): boolean {
  const { operator, machine, id: process } = outbox.driver
  const { id, event, cluster } = news
  const body: SignalEntry = {
    kind: 'delivery-begun',
    hook,
    host,
    id,
    event,
    attempt,
    by: { operator, machine, process },
    news: attempt === 1 ? news : null,
  }
  return keep(outbox, { runId: subjectId(news), cluster }, body, `${deliveryKey(hook, id)} ${attempt}`) === 'kept'
}

/** Journals the outcome of an attempt. */
function endAttempt(
  outbox: Outbox,
  { news, hook, attempt }: Pick<Delivery, 'hook' | 'attempt'> & { readonly news: SignalNews },
  came: Pick<TestAnswer, 'outcome' | 'status' | 'why' | 'code' | 'values' | 'againAt'>,
  ending: 'ended' | 'given up' = 'ended',
): TestAnswer {
  const ended: TestAnswer = { kind: 'delivery-ended', hook, id: news.id, attempt, ...came }
  const place = { runId: subjectId(news), cluster: news.cluster }
  keep(outbox, place, ended, `${deliveryKey(hook, news.id)} ${attempt} ${ending}`)
  return ended
}

async function send({ secretsOf, port, closing }: Outbox, hook: Webhook, news: SignalNews): Promise<WebhookAnswer> {
  const secrets = secretsOf(news.cluster, hook.name)
  if (!secrets.ok) return { kind: 'refused', status: null, why: secrets.failure.message }
  return port.send({ form: hook.form, ...secrets.value, news }, closing.signal)
}

/** Sends a message in the background, from this attempt on. */
function deliver(outbox: Outbox, hook: Webhook, news: SignalNews, first: number): void {
  const job = sendUntilTaken(outbox, hook, news, first).finally(() => outbox.jobs.delete(job))
  outbox.jobs.add(job)
}

async function sendUntilTaken(outbox: Outbox, hook: Webhook, news: SignalNews, first: number): Promise<void> {
  const { own, closing, clock, log } = outbox
  const key = deliveryKey(hook.name, news.id)
  own.add(key)
  try {
    for (let attempt = first; ; attempt += 1) {
      const answer = await send(outbox, hook, news)
      // It may have arrived: the journal has no outcome for it, so the next console sends it once more.
      if (answer.kind === 'passing' && closing.signal.aborted) return
      const waitMs = answer.kind === 'passing' ? waitAfter(attempt, answer.retryAfterMs, clock) : null
      const isNews = waitMs !== null && clock.now() + waitMs < Date.parse(news.at) + NEWS_FOR_MS
      const outcome = answer.kind === 'arrived' ? 'arrived' : isNews ? 'again' : 'given-up'
      const againAt = isNews ? new Date(clock.now() + waitMs).toISOString() : null
      endAttempt(
        outbox,
        { news, hook: hook.name, attempt },
        { outcome, status: answer.status, ...whyNot(answer), againAt },
      )
      if (!isNews) return
      await clock.sleep(waitMs, closing.signal)
      if (closing.signal.aborted) return
      const now = hookNamed(outbox, news.cluster, hook.name)
      if (now === null || !claimAttempt(outbox, now, news, attempt + 1)) return
    }
  } catch (error) {
    log.error('webhook not sent', { hook: hook.name, error })
  } finally {
    own.delete(key)
  }
}

function waitAfter(attempt: number, askedMs: number | null, clock: Clock): number {
  const backoff = Math.min(RETRY.first * RETRY.factor ** (attempt - 1), RETRY.max)
  return Math.round(Math.max(askedMs ?? 0, backoff) * (1 + 0.25 * clock.random()))
}

function hookNamed({ clusterOf }: Outbox, cluster: string, name: string): Webhook | null {
  const found = clusterOf(cluster)
  return found.ok ? (signalsOf(found.value).webhooks.find(hook => hook.name === name) ?? null) : null
}

async function sendTest(outbox: Outbox, cluster: Cluster, name: string): Promise<Result<TestAnswer>> {
  const { operator, machine } = outbox.driver
  const hook = signalsOf(cluster).webhooks.find(each => each.name === name)
  if (hook === undefined) return failed(noHook(cluster.name, name))
  const { message, code, values } = because('WebhookTried', { operator, machine, hook: name })
  const news: SignalNews = {
    id: `test.${outbox.newId()}`,
    event: 'test',
    at: isoNow(outbox.clock),
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
  if (!claimAttempt(outbox, hook, news, 1)) return failed(refusal('damaged', because('SignalNotJournaled')))
  const answer = await send(outbox, hook, news)
  const outcome = answer.kind === 'arrived' ? 'arrived' : 'given-up'
  const came = { outcome, status: answer.status, ...whyNot(answer), againAt: null } as const
  return ok(endAttempt(outbox, { news, hook: name, attempt: 1 }, came))
}

function takeOverUnsent(outbox: Outbox): void {
  const now = outbox.clock.now()
  // A console may have tried a message until its news was too old.
  const kept = outbox.journal.since(new Date(now - 2 * NEWS_FOR_MS).toISOString())
  if (!kept.ok) return
  for (const left of deliveriesIn(kept.value)) {
    const isOpen = (left.state === 'sending' || left.state === 'again') && left.runId !== ''
    if (!isOpen || outbox.own.has(deliveryKey(left.hook, left.id))) continue
    if (Date.parse(left.dueAt) + GONE_AFTER_MS < now) continueDelivery(outbox, left)
  }
}

/** Sends a message again that another console left, or gives it up. */
function continueDelivery(outbox: Outbox, left: Delivery): void {
  const { news, hook: name, attempt } = left
  if (news === null) return
  // The failed attempt already has its outcome: giving up is another entry, under another claim.
  const ending = left.state === 'again' ? 'given up' : 'ended'
  const giveUp = ({ message, code, values }: Finding) => {
    const came = { outcome: 'given-up', status: null, why: message, code, values, againAt: null } as const
    endAttempt(outbox, { news, hook: name, attempt }, came, ending)
  }
  if (left.state === 'sending' && left.unreported > 0) {
    giveUp(because('DeliveryNotHeardTwice'))
    return
  }
  const hook = hookNamed(outbox, left.cluster, name)
  if (hook === null) giveUp(because('WebhookGone'))
  else if (outbox.clock.now() > Date.parse(news.at) + NEWS_FOR_MS) giveUp(because('NewsTooOld'))
  else if (claimAttempt(outbox, hook, news, attempt + 1)) deliver(outbox, hook, news, attempt + 1)
}

async function closeOutbox({ clock, closing, jobs }: Outbox): Promise<void> {
  const settled = new AbortController()
  await Promise.race([Promise.allSettled([...jobs]), clock.sleep(CLOSE_WITHIN_MS, settled.signal)])
  settled.abort()
  closing.abort()
  // An attempt that ended just now writes its outcome before the journal closes.
  await Promise.allSettled([...jobs])
}

/** Why a message did not arrive, as the journal keeps it. */
function whyNot(answer: WebhookAnswer): Pick<TestAnswer, 'why' | 'code' | 'values'> {
  if (answer.kind === 'arrived') return { why: '' }
  const { why, code, values } = answer
  return code === undefined ? { why } : { why, code, values: { ...values } }
}

/** The run that the news is about, else the window; empty means a test, about neither. */
function subjectId({ run, window }: Pick<SignalNews, 'run' | 'window'>): string {
  return run?.id ?? window?.id ?? ''
}

export function noHook(cluster: string, name: string) {
  return refusal('not-found', because('WebhookUnknown', { cluster, hook: name }), { target: `cluster/${cluster}` })
}
