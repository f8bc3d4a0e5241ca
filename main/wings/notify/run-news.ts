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
import type { Clock } from '../../platform/clock/clock.ts'

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

/** A question is news only if it is open this long; one answered in advance is not. */
const ASKED_FOR_MS = seconds(3)

/** Makes news of events. Only the process that drives a run, by the journal, reports it, so that two consoles never both do. */
export function createRunNews(parts: {
  readonly journal: Pick<Journal, 'row' | 'events'>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly report: (news: SignalNews) => void
}): RunNews {
  const { journal, driver, clock, report } = parts
  const plans = new Map<string, Plan>()
  const held = new Map<
    string,
    { readonly runId: string; readonly news: SignalNews; readonly answered: AbortController }
  >()

  const planOf = (runId: string): Plan | null => {
    const known = plans.get(runId)
    if (known !== undefined) return known
    const events = journal.events(runId)
    const first = events.ok ? events.value[0]?.body : undefined
    if (first?.kind !== 'run-created') return null
    plans.set(runId, first.plan)
    return first.plan
  }

  /** Who drove a run last; null: its events do not say. */
  const lastDriverOf = (runId: string): RunDriver | null => {
    const events = journal.events(runId)
    const drivers = events.ok ? events.value.flatMap(({ body }) => ('driver' in body ? [body.driver] : [])) : []
    return drivers.at(-1) ?? null
  }

  /** How a finished run ended; null: its events cannot be read. */
  const endOf = (runId: string): RunEnding | null => {
    const events = journal.events(runId)
    if (!events.ok) return null
    const view = foldRun(events.value)
    return view.state.kind === 'finished' ? endingOf(view, view.state) : null
  }

  const newsOf = (
    runId: string,
    what: {
      readonly key: string
      readonly event: WebhookEvent
      readonly at: string
      readonly outcome?: SignalNews['outcome']
      readonly ending?: RunEnding | null
      /** As text of a person or another program, or as a code. */
      readonly text: string | Finding
    },
    by: RunDriver = driver,
  ): SignalNews | null => {
    const plan = planOf(runId)
    if (plan === null) return null
    const { event, at, text, outcome = null, ending = null } = what
    const node = nodeOfPlan(plan)
    const { operator, machine } = by
    const window = plan.window?.kind === 'in' ? { id: plan.window.id, title: plan.window.title } : null
    return {
      id: `${runId}.${what.key}`,
      event,
      at,
      cluster: plan.cluster,
      outcome,
      ...(ending === null ? {} : { ending }),
      run: { id: runId, kind: plan.kind, node, operator, machine },
      window,
      title: newsTitle({ kind: plan.kind, cluster: plan.cluster, node }, { event, outcome, ending }),
      ...(typeof text === 'string' ? { text } : { text: text.message, code: text.code, values: text.values }),
      demo: isOfDemo(by),
    }
  }

  const reportOf = (...args: Parameters<typeof newsOf>) => {
    const news = newsOf(...args)
    if (news !== null) report(news)
  }

  /** News of a question: reported if it is still open a moment later. */
  const hold = (runId: string, key: string, news: SignalNews | null) => {
    if (news === null) return
    const answered = new AbortController()
    held.set(key, { runId, news, answered })
    void clock.sleep(ASKED_FOR_MS, answered.signal).then(() => {
      if (!held.delete(key) || answered.signal.aborted) return
      report(news)
    })
  }
  const answered = (key: string) => {
    const known = held.get(key)
    held.delete(key)
    known?.answered.abort()
  }
  /** For a run that ended or was left: its questions are no longer open. */
  const drop = (runId: string) => {
    for (const [key, question] of [...held]) if (question.runId === runId) answered(key)
  }

  return {
    received: ({ runId, seq, at, body }) => {
      if (body.kind === 'run-created') plans.set(runId, body.plan)
      if (!NEWS.has(body.kind === 'fact' ? body.fact : body.kind)) return
      // Checks first who drives the run: events of other processes come here too.
      if (journal.row(runId)?.driverId !== driver.id) return
      switch (body.kind) {
        case 'run-driven':
          if (!body.resumed) {
            const text = because('RunDriven', { operator: driver.operator, machine: driver.machine })
            reportOf(runId, { key: 'started', event: 'started', at, text })
          }
          return
        case 'gate-opened':
          hold(
            runId,
            body.gateId,
            newsOf(runId, {
              key: `asks.${body.gateId}`,
              event: 'waiting',
              at,
              text: `${body.question} (${body.choices.join(', ')})`,
            }),
          )
          return
        case 'gate-answered':
          answered(body.gateId)
          return
        case 'fact': {
          const key = `${runId} ${body.subject}`
          if (factName(body) !== MIGRATION_ASKS) {
            answered(key)
            return
          }
          const text = because('MigrationNeedsDecision', {
            subject: subjectName(body),
            cause: factText(body, 'cause') ?? null,
          })
          hold(runId, key, newsOf(runId, { key: `asks.${seq}`, event: 'waiting', at, text }))
          return
        }
        case 'driver-left':
          drop(runId)
          // Needs no one: a runner continues it, or the console reports that none does.
          if (body.handsOver === true) return
          reportOf(runId, {
            key: `left.${seq}`,
            event: 'failed',
            outcome: 'interrupted',
            at,
            text: because('RunLeft', { run: runId, cause: body.why }),
          })
          plans.delete(runId)
          return
        case 'hand-over-failed':
          drop(runId)
          reportOf(runId, {
            key: `left.${seq}`,
            event: 'failed',
            outcome: 'interrupted',
            at,
            text: because('RunNotHandedOver', { run: runId, cause: body.why }),
          })
          plans.delete(runId)
          return
        case 'run-finished': {
          drop(runId)
          if (body.outcome === 'handed-over') {
            plans.delete(runId)
            return
          }
          const { outcome } = body
          const ending = endOf(runId)
          const event = outcome !== 'done' ? 'failed' : ending === null || isReached(ending) ? 'done' : 'not-reached'
          const left = body.leftBehind.length === 0 ? '' : ` Still changed: ${body.leftBehind.join(' ')}`
          reportOf(runId, { key: `over.${seq}`, event, outcome, ending, at, text: `${body.summary}${left}` })
          plans.delete(runId)
          return
        }
        default:
      }
    },
    interrupted: runId => {
      const row = journal.row(runId)
      if (row === null) return
      const at = new Date(clock.now()).toISOString()
      const text = because('RunConsoleSilent', { run: runId, machine: row.machine, pid: row.pid })
      const by = lastDriverOf(runId)
      if (by !== null)
        reportOf(runId, { key: `silent.${row.epoch}`, event: 'failed', outcome: 'interrupted', at, text }, by)
      plans.delete(runId)
    },
    overrun: (runId, words) => {
      const at = new Date(clock.now()).toISOString()
      reportOf(runId, { key: 'overrun', event: 'overrun', at, text: words })
    },
    flush: () => {
      for (const [key, { news }] of [...held]) {
        answered(key)
        report(news)
      }
    },
  }
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
