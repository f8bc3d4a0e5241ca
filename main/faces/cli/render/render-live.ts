import { isOutOfTheWay } from '../../../../shared/domain/instance-state.ts'
import type { EvictionProgress } from '../../../../shared/domain/pod-history.ts'
import type { PassingWait, RunView, StepView } from '../../../../shared/domain/run.ts'
import { conditionOf } from '../../../../shared/domain/run-condition.ts'
import {
  EVICTION_RANK,
  evictionsOf,
  type MigrationProgress,
  migrationsOf,
  talliesOf,
} from '../../../../shared/domain/run-progress.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { durationWords } from '../../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../../shared/grammar/times.ts'
import { COPYING_WORDS, NO_END } from '../../../../shared/words/copying.ts'
import { movesWords } from '../../../../shared/words/instance-counts.ts'
import { workTitle } from '../../../../shared/words/plans.ts'
import { leftWords } from '../../../../shared/words/run-left.ts'
import { passingWords, waitText } from '../../../../shared/words/waits.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { shorten, widthOf } from '../words/width.ts'

/** Maximum number of migrations or waiting pods shown; the rest is counted. */
const MOST_DETAILS = 6

/**
 * A running run as a block that is redrawn in place: finished steps, running migrations with attempt, progress and time, and waiting
 * pods with the text of their budget. Every line fits the terminal, and the block fits its height.
 */
export function renderLive(view: RunView, nowMs: number, look: Look, rows: number): readonly string[] {
  const draft = [
    headLine(view, nowMs, look),
    ...preflightLines(view, look),
    ...working(view).flatMap(step => stepLines(step, view, nowMs, look)),
    ...view.passingWaits.map(wait => passingLine(wait, look)),
    ...conditionLines(view, look),
  ]
  return fitHeight(draft, rows, look).map(({ text, paint }) =>
    paint(shorten(text, (look.columns ?? 80) - 1, look.symbols.ellipsis)),
  )
}

interface Line {
  readonly text: string
  readonly paint: Paint
}

function headLine(view: RunView, nowMs: number, look: Look): Line {
  const { separator } = look.symbols
  return {
    text: `${workTitle(view.plan)} ${separator} run ${view.id} ${separator} ${durationWords(nowMs - Date.parse(view.createdAt))}`,
    paint: look.palette.strong,
  }
}

/** Checks share one line: they take less than a second; a blocking check gets its own line. */
function preflightLines(view: RunView, look: Look): readonly Line[] {
  const checks = view.steps.filter(step => !works(step))
  const blocked = checks.filter(step => step.state === 'blocked')
  if (checks.length === 0) return []
  if (blocked.length > 0)
    return blocked.map(step => ({ text: ` ${look.symbols.blocked} ${step.step.title}`, paint: look.palette.bad }))
  const answered = checks.filter(step => step.state !== 'pending').length
  return answered === checks.length
    ? [{ text: ` ${look.symbols.ok} ${counted(checks.length, 'check')} done`, paint: look.palette.good }]
    : [{ text: ` ${look.symbols.running} ${answered} of ${counted(checks.length, 'check')} done`, paint: same }]
}

function working(view: RunView): readonly StepView[] {
  return view.steps.filter(works)
}

function works(step: StepView): boolean {
  return step.step.verbs.includes('apply')
}

function stepLines(step: StepView, view: RunView, nowMs: number, look: Look): readonly Line[] {
  const { sign, paint } = signOfStep(step, look)
  const took =
    step.startedAt === null
      ? ''
      : durationWords((step.endedAt === null ? nowMs : Date.parse(step.endedAt)) - Date.parse(step.startedAt))
  const active = step.state === 'applying' || step.state === 'waiting'
  const migrations = migrationsOf(step)
  const evictions = evictionsOf(step)
  const tally = [migrations.length === 0 ? '' : tallyOf(view), tallyOfPods(evictions)].filter(part => part !== '')
  const note = [
    ...tally,
    ...(took === '' ? [] : [took]),
    ...(step.state === 'nothing-to-do' ? ['nothing to do'] : []),
  ].join(', ')
  const head: Line = { text: ` ${sign} ${step.step.title}${note === '' ? '' : ` (${note})`}`, paint }
  if (step.failure !== null && step.state === 'failed')
    return [head, { text: `     ${step.failure.message}`, paint: look.palette.bad }]
  return active ? [head, ...migrationLines(migrations, nowMs, look), ...evictionLines(evictions, look)] : [head]
}

/** The number of moved instances of the run: one step reads them, another moves them. */
function tallyOf(view: RunView): string {
  const { moves } = talliesOf(view)
  return moves === null ? '' : movesWords(moves)
}

function tallyOfPods(evictions: readonly EvictionProgress[]): string {
  if (evictions.length === 0) return ''
  return `${evictions.filter(({ state }) => state === 'left').length} of ${counted(evictions.length, 'pod')} left`
}

function migrationLines(migrations: readonly MigrationProgress[], nowMs: number, look: Look): readonly Line[] {
  const open = migrations.filter(({ state }) => !isOutOfTheWay(state))
  const width = Math.max(0, ...open.map(({ name }) => widthOf(name)))
  const lines = open.map(({ name, attempt, state, startedAt, percent, copying, note }): Line => {
    const where =
      state === 'running'
        ? `attempt ${attempt}, ${copyingWords(copying, percent)}, ${durationWords(nowMs - Date.parse(startedAt))}`
        : state === 'again'
          ? `attempt ${attempt} failed: ${note}`
          : `given up after attempt ${attempt}: ${note}`
    const paint =
      state === 'given-up' ? look.palette.bad : state === 'again' || copying !== 'copying' ? look.palette.warn : same
    return { text: `     ${name.padEnd(width)}  ${where}`, paint }
  })
  return most(lines, look)
}

function copyingWords(copying: MigrationProgress['copying'], percent: number | null): string {
  const share = percent === null ? '' : `${percent} %`
  if (copying === 'copying') return share === '' ? COPYING_WORDS.copying : share
  const words = copying === 'not-converging' ? `${COPYING_WORDS[copying]}, ${NO_END}` : COPYING_WORDS[copying]
  return share === '' ? words : `${share}, ${words}`
}

function whereOf(state: EvictionProgress['state'], note: string, again: string): string {
  switch (state) {
    case 'held':
      return `has ended, but ${note} keeps it`
    case 'refused':
      return `waits: ${note}${again}`
    case 'failed':
      return `failed: ${note}`
    default:
      return 'leaving'
  }
}

function evictionLines(evictions: readonly EvictionProgress[], look: Look): readonly Line[] {
  const open = evictions.filter(({ state }) => state !== 'left')
  const lines = [...open]
    .sort((a, b) => EVICTION_RANK[a.state] - EVICTION_RANK[b.state])
    .map(({ pod, state, note, retryAt }): Line => {
      const again = retryAt === null ? '' : ` Next try ${timeOfDay(retryAt, look.clock)}.`
      const where = whereOf(state, note, again)
      const paint =
        state === 'failed' ? look.palette.bad : state === 'refused' || state === 'held' ? look.palette.warn : same
      return { text: `     ${pod}  ${where}`, paint }
    })
  return most(lines, look)
}

/** The times come first, so that they fit the narrowest terminal. */
function passingLine(wait: PassingWait, { palette, symbols, clock }: Look): Line {
  const { since, asksAt, failsAt } = wait
  const then =
    failsAt !== null
      ? `checks again until ${timeOfDay(failsAt, clock)}, then fails`
      : `continues automatically${asksAt === null ? '' : `; asks at ${timeOfDay(asksAt, clock)}`}`
  return {
    text: ` ${symbols.warning} Waits since ${timeOfDay(since, clock)}, ${then}: ${passingWords(wait)}`,
    paint: palette.warn,
  }
}

/** What the run waits for, if anything. The reader's console runs it, or the text says which one does. */
function conditionLines(view: RunView, { palette, symbols, clock }: Look): readonly Line[] {
  const line = (text: string): Line => ({ text: ` ${symbols.warning} ${text}`, paint: palette.warn })
  const condition = conditionOf(view, false)
  switch (condition.kind) {
    case 'waiting':
    case 'moving':
      return condition.waits.flatMap(wait => {
        if (wait.for === 'answer') return [line(`Waits for an answer: ${waitText(wait).what}`)]
        const isReported = wait.for === 'world' && view.passingWaits.some(({ since }) => since === wait.since)
        // Waits that end automatically were printed with their times, and pods with their budget.
        if (wait.moves || isReported || wait.for === 'budget') return []
        const since = wait.since === null ? '' : ` since ${timeOfDay(wait.since, clock)}`
        const { what, who } = waitText(wait)
        return [line(`Waits${since}: ${what} ${who}`)]
      })
    case 'paused':
      return [line('Paused')]
    case 'aborting':
      return [line('Stopping: no further step starts')]
    case 'interrupted':
      return [line(`Left: ${condition.left === null ? 'it has no console' : leftWords(condition.left)}`)]
    case 'starting':
    case 'unheard':
    case 'over':
      return []
  }
}

/** The sign and colour of a step in all lists; a check is done when it passes. */
export function signOfStep(
  { state, step }: StepView,
  { symbols, palette }: Look,
): { readonly sign: string; readonly paint: Paint } {
  switch (state) {
    case 'verified':
    case 'applied':
    case 'nothing-to-do':
      return { sign: symbols.ok, paint: palette.good }
    case 'applying':
      return { sign: symbols.running, paint: same }
    case 'waiting':
    case 'overridden':
    case 'skipped':
      return { sign: symbols.warning, paint: palette.warn }
    case 'cannot-tell':
    case 'failed':
    case 'blocked':
      return { sign: symbols.blocked, paint: palette.bad }
    case 'ready':
      return step.verbs.includes('apply')
        ? { sign: symbols.pending, paint: palette.faint }
        : { sign: symbols.ok, paint: palette.good }
    case 'pending':
      return { sign: symbols.pending, paint: palette.faint }
  }
}

function most(lines: readonly Line[], look: Look): readonly Line[] {
  const hidden = lines.length - MOST_DETAILS
  return hidden > 0
    ? [...lines.slice(0, MOST_DETAILS), { text: `     and ${hidden} more`, paint: look.palette.faint }]
    : lines
}

/** A block higher than the terminal cannot be redrawn in place, so lines in the middle are left out. */
function fitHeight(lines: readonly Line[], rows: number, look: Look): readonly Line[] {
  const room = Math.max(4, rows - 2)
  if (lines.length <= room) return lines
  const tail = Math.ceil((room - 1) / 2)
  return [
    ...lines.slice(0, room - 1 - tail),
    { text: ` ${look.symbols.ellipsis} ${lines.length - room + 1} lines more`, paint: look.palette.faint },
    ...lines.slice(-tail),
  ]
}

function same(text: string): string {
  return text
}
