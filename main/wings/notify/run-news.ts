import { seconds } from '../../../shared/domain/durations.ts'
import { nodeOfPlan, type Plan } from '../../../shared/domain/plan.ts'
import { isOfDemo, type ProcessOfDriver, type RunDriver, type RunEvent } from '../../../shared/domain/run.ts'
import { endingOf, isReached, type RunEnding } from '../../../shared/domain/run-ending.ts'
import {
  factName,
  factText,
  INSTANCE_DECIDED,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  subjectName,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { SignalNews, WebhookEvent } from '../../../shared/domain/signals.ts'
import { because } from '../../../shared/words/reasons.ts'
import { newsTitle } from '../../../shared/words/signals.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Journal } from '../../journal/journal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'

/** Reports news of the runs that this process drives. */
export interface RunNews {
  /** Call it with every event of the journal when it is written. */
  received(event: RunEvent): void
  /** Call it for a run that another process drove and that has no driver now. */
  interrupted(runId: string): void
  /** Call it for a run that will not end before its window. */
  overrun(runId: string, words: string): void
  /** Reports at once what waits for a moment. */
  flush(): void
}

type BodyOf<Kind extends RunEvent['body']['kind']> = Extract<RunEvent['body'], { kind: Kind }>

/** A question is news only if it is open this long; one answered in advance is not. */
const ASKED_FOR_MS = seconds(3)

interface NewsParts {
  readonly journal: Pick<Journal, 'row' | 'events'>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly report: (news: SignalNews) => void
}

/** A question that was asked a moment ago. */
interface HeldQuestion {
  readonly runId: string
  readonly news: SignalNews
  readonly answered: AbortController
}

interface NewsState extends NewsParts {
  readonly plans: Map<string, Plan>
  /** Questions that are not reported yet, by gate, or by run and instance. */
  readonly held: Map<string, HeldQuestion>
}

/** News of a run, without what its plan says. */
interface RunNewsItem {
  readonly key: string
  readonly event: WebhookEvent
  readonly at: string
  readonly outcome?: SignalNews['outcome']
  readonly ending?: RunEnding | null
  /** The text of a person or another program, or a code. */
  readonly text: string | Finding
}

/** Makes news of events. Only the process that drives a run, by the journal, reports it, so that two consoles never both do. */
export function createRunNews(parts: NewsParts): RunNews {
  const state: NewsState = { ...parts, plans: new Map(), held: new Map() }
  return {
    received: event => {
      const { runId, body } = event
      if (body.kind === 'run-created') state.plans.set(runId, body.plan)
      if (!NEWS.has(body.kind === 'fact' ? body.fact : body.kind)) return
      // Checks first who drives the run: events of other processes come here too.
      if (state.journal.row(runId)?.driverId === state.driver.id) receive(state, event)
    },
    interrupted: runId => reportInterrupted(state, runId),
    overrun: (runId, words) =>
      reportNews(state, runId, { key: 'overrun', event: 'overrun', at: isoNow(state.clock), text: words }),
    flush: () => {
      for (const [key, { news }] of [...state.held]) {
        closeQuestion(state, key)
        state.report(news)
      }
    },
  }
}

function receive(state: NewsState, event: RunEvent): void {
  const { runId, at, body } = event
  switch (body.kind) {
    case 'run-driven': {
      const { operator, machine } = state.driver
      const text = because('RunDriven', { operator, machine })
      if (!body.resumed) reportNews(state, runId, { key: 'started', event: 'started', at, text })
      return
    }
    case 'gate-opened': {
      const text = `${body.question} (${body.choices.join(', ')})`
      holdQuestion(state, runId, body.gateId, { key: `asks.${body.gateId}`, event: 'waiting', at, text })
      return
    }
    case 'gate-answered':
      closeQuestion(state, body.gateId)
      return
    case 'fact':
      receiveFact(state, event, body)
      return
    case 'driver-left':
      // A run that is handed over needs no one: a runner continues it, or the console reports that none does.
      if (body.handsOver === true) dropQuestions(state, runId)
      else reportLeft(state, event, because('RunLeft', { run: runId, cause: body.why }))
      return
    case 'hand-over-failed':
      reportLeft(state, event, because('RunNotHandedOver', { run: runId, cause: body.why }))
      return
    case 'run-finished':
      dropQuestions(state, runId)
      reportEnd(state, event, body)
      state.plans.delete(runId)
      return
    default:
  }
}

function receiveFact(state: NewsState, { runId, seq, at }: RunEvent, fact: BodyOf<'fact'>): void {
  const key = `${runId} ${fact.subject}`
  if (factName(fact) !== MIGRATION_ASKS) {
    closeQuestion(state, key)
    return
  }
  const text = because('MigrationNeedsDecision', {
    subject: subjectName(fact),
    cause: factText(fact, 'cause') ?? null,
  })
  holdQuestion(state, runId, key, { key: `asks.${seq}`, event: 'waiting', at, text })
}

/** Reports a run that its driver left, or that no runner took over. */
function reportLeft(state: NewsState, { runId, seq, at }: RunEvent, text: Finding): void {
  dropQuestions(state, runId)
  reportNews(state, runId, { key: `left.${seq}`, event: 'failed', outcome: 'interrupted', at, text })
  state.plans.delete(runId)
}

function reportEnd(state: NewsState, { runId, seq, at }: RunEvent, body: BodyOf<'run-finished'>): void {
  const { outcome, leftBehind, summary } = body
  if (outcome === 'handed-over') return
  const ending = endOf(state, runId)
  const event = outcome !== 'done' ? 'failed' : ending === null || isReached(ending) ? 'done' : 'not-reached'
  const left = leftBehind.length === 0 ? '' : ` Still changed: ${leftBehind.join(' ')}`
  reportNews(state, runId, { key: `over.${seq}`, event, outcome, ending, at, text: `${summary}${left}` })
}

function reportInterrupted(state: NewsState, runId: string): void {
  const row = state.journal.row(runId)
  if (row === null) return
  const text = because('RunConsoleSilent', { run: runId, machine: row.machine, pid: row.pid })
  const by = lastDriver(state, runId)
  const at = isoNow(state.clock)
  if (by !== null)
    reportNews(state, runId, { key: `silent.${row.epoch}`, event: 'failed', outcome: 'interrupted', at, text }, by)
  state.plans.delete(runId)
}

function reportNews(state: NewsState, runId: string, item: RunNewsItem, by?: RunDriver): void {
  const news = newsOf(state, runId, item, by)
  if (news !== null) state.report(news)
}

/** Reports a question if it is still open a moment later. */
function holdQuestion(state: NewsState, runId: string, key: string, item: RunNewsItem): void {
  const news = newsOf(state, runId, item)
  if (news === null) return
  const answered = new AbortController()
  state.held.set(key, { runId, news, answered })
  void state.clock.sleep(ASKED_FOR_MS, answered.signal).then(() => {
    if (!state.held.delete(key) || answered.signal.aborted) return
    state.report(news)
  })
}

function closeQuestion({ held }: NewsState, key: string): void {
  const known = held.get(key)
  held.delete(key)
  known?.answered.abort()
}

/** Closes all questions of a run that ended or was left. */
function dropQuestions(state: NewsState, runId: string): void {
  for (const [key, question] of [...state.held]) if (question.runId === runId) closeQuestion(state, key)
}

/** Null if the journal does not have the plan of the run. */
function newsOf(
  state: NewsState,
  runId: string,
  { key, event, at, text, outcome = null, ending = null }: RunNewsItem,
  by: RunDriver = state.driver,
): SignalNews | null {
  const plan = planOf(state, runId)
  if (plan === null) return null
  const { kind, cluster } = plan
  const node = nodeOfPlan(plan)
  const { operator, machine } = by
  return {
    id: `${runId}.${key}`,
    event,
    at,
    cluster,
    outcome,
    ...(ending === null ? {} : { ending }),
    run: { id: runId, kind, node, operator, machine },
    window: plan.window?.kind === 'in' ? { id: plan.window.id, title: plan.window.title } : null,
    title: newsTitle({ kind, cluster, node }, { event, outcome, ending }),
    ...(typeof text === 'string' ? { text } : { text: text.message, code: text.code, values: text.values }),
    demo: isOfDemo(by),
  }
}

function planOf({ plans, journal }: NewsState, runId: string): Plan | null {
  const known = plans.get(runId)
  if (known !== undefined) return known
  const events = journal.events(runId)
  const first = events.ok ? events.value[0]?.body : undefined
  if (first?.kind !== 'run-created') return null
  plans.set(runId, first.plan)
  return first.plan
}

/** The last driver of a run; null if its events do not name one. */
function lastDriver({ journal }: NewsState, runId: string): RunDriver | null {
  const events = journal.events(runId)
  const drivers = events.ok ? events.value.flatMap(({ body }) => ('driver' in body ? [body.driver] : [])) : []
  return drivers.at(-1) ?? null
}

/** The ending of a finished run; null if its events cannot be read. */
function endOf({ journal }: NewsState, runId: string): RunEnding | null {
  const events = journal.events(runId)
  if (!events.ok) return null
  const view = foldRun(events.value)
  return view.state.kind === 'finished' ? endingOf(view, view.state) : null
}

/** Events and facts that are news, or end the wait for an answer. */
const NEWS: ReadonlySet<string> = new Set([
  'run-driven',
  'gate-opened',
  'gate-answered',
  'driver-left',
  'hand-over-failed',
  'run-finished',
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  INSTANCE_DECIDED,
])
