import type { AttendedStart, ListedWindow } from '../../shared/contract/index.ts'
import { type AgreedStart, dueness } from '../../shared/domain/agreed-start.ts'
import { minutes, seconds } from '../../shared/domain/durations.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import {
  foldWindow,
  type MaintenanceWindow,
  type WindowEvent,
  type WindowEventBody,
} from '../../shared/domain/window.ts'
import { startByHand } from '../../shared/words/agreed-starts.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { wordedWindow } from '../../shared/words/window-remarks.ts'
import type { Logger } from '../platform/log/logger.ts'
import { planAsAgreed, type Why, whyFailed } from './agreed-plan.ts'
import { createEstimateKeeper } from './kept-estimate.ts'
import { windowOfRun } from './window-of-run.ts'
import { createWindowReader } from './window-reader.ts'
import type { WindowServices } from './window-services.ts'

export interface StartAttendant {
  /** Checks one window: starts it when its time has come, or returns why not. */
  attend(id: string): Promise<Result<AttendedStart>>
  /** Attends every window until stopped, for a console that stays open. */
  attendAll(signal: AbortSignal): Promise<void>
  close(): void
}

export type AttendantServices = Pick<
  WindowServices,
  'clock' | 'clusters' | 'log' | 'newId' | 'plans' | 'runs' | 'windows' | 'worlds'
> & {
  readonly onWritten: (window: Pick<MaintenanceWindow, 'id' | 'cluster'>) => void
  /** A window did not start automatically: an operator must act. */
  readonly onMissed: (window: MaintenanceWindow, missed: { readonly seq: number; readonly words: string }) => void
}

/** Interval of checks for windows whose time comes. */
const LOOK_EVERY_MS = seconds(5)
const AGAIN_MS = seconds(20)
const COMPARE_EVERY_MS = minutes(10)
/** A console waits for nothing between taking a start and the run's first entry, so one that took it longer ago is gone. */
const TAKEN_FOR_MS = minutes(2)

interface Attending {
  readonly services: AttendantServices
  readonly log: Logger
  readonly windowReader: ReturnType<typeof createWindowReader>
  readonly keepEstimate: (plan: Plan, windowId: string) => Promise<void>
  /** The check of a window that is under way, by the window's id. */
  readonly looking: Map<string, Promise<Result<AttendedStart>>>
  /** Why an agreed start failed at the last try, and when to retry; by the number of the agreement. */
  readonly trouble: Map<number, { readonly why: Why; readonly againMs: number }>
  /** When an agreed start with a seal of an earlier version is compared again before its time; by the number of the agreement. */
  readonly compared: Map<number, number>
  isClosed: boolean
}

interface ListedStart extends ListedWindow {
  readonly start: AgreedStart
}

export function createStartAttendant(services: AttendantServices): StartAttendant {
  const attending: Attending = {
    services,
    log: services.log.child('windows'),
    windowReader: createWindowReader(services),
    keepEstimate: createEstimateKeeper(services),
    looking: new Map(),
    trouble: new Map(),
    compared: new Map(),
    isClosed: false,
  }
  return {
    attend: id => attend(attending, id),
    attendAll: signal => attendAll(attending, signal),
    close: () => {
      attending.isClosed = true
    },
  }
}

async function attendAll(attending: Attending, signal: AbortSignal): Promise<void> {
  const { services, log } = attending
  const waiting = new Set<string>()
  let seen = 0
  for (;;) {
    await services.clock.sleep(LOOK_EVERY_MS, signal)
    if (signal.aborted || attending.isClosed) return
    try {
      for (const { seq, id } of services.windows.agreedAfter(seen)) {
        seen = seq
        waiting.add(id)
      }
      attendEach(attending, waiting)
    } catch (error) {
      if (!attending.isClosed) log.error('windows not attended', { error })
    }
  }
}

/** Attends every window that waits, and removes those that wait no more; a new agreement brings one back. */
function attendEach(attending: Attending, waiting: Set<string>): void {
  const { windows } = attending.services
  for (const id of [...waiting]) {
    if (attending.isClosed) return
    const window = foldedOf(attending, id)
    const kind = window?.closed === null && window.cancelled === null ? window.start?.state.kind : undefined
    if (kind === undefined || kind === 'missed' || (kind === 'taken' && windows.runsOf(id).length > 0)) {
      waiting.delete(id)
      continue
    }
    // A cluster that does not answer does not delay other windows.
    void attendOrReport(attending, id)
  }
}

async function attendOrReport(attending: Attending, id: string): Promise<void> {
  const { log } = attending
  try {
    const attended = await attend(attending, id)
    if (!attended.ok) log.warn('window not attended', { window: id, why: attended.failure.message })
  } catch (error) {
    if (!attending.isClosed) log.error('window not attended', { window: id, error })
  }
}

async function attend(attending: Attending, id: string): Promise<Result<AttendedStart>> {
  const { services, windowReader, looking } = attending
  const folded = foldedOf(attending, id)
  // Its runs need no reading before its time.
  if (
    folded?.start?.state.kind === 'waits' &&
    !mustCompareEarly(attending, folded.start) &&
    dueness(folded.start, folded.endsAt, services.clock.now()) === 'early'
  ) {
    return waits(folded.start, null)
  }
  const found = windowReader.find(id)
  if (!found.ok) return found
  const { window } = found.value
  const { start } = window
  if (start === null) return ok({ kind: 'not-ours' })
  const known = looking.get(window.id)
  if (known !== undefined) return known
  const now = attendNow(attending, { ...found.value, start }).finally(() => looking.delete(window.id))
  looking.set(window.id, now)
  return now
}

async function attendNow(attending: Attending, listed: ListedStart): Promise<Result<AttendedStart>> {
  const { clock, runs } = attending.services
  const { window, status, start } = listed
  if (status === 'closed' || status === 'cancelled' || start.state.kind === 'missed') return ok({ kind: 'not-ours' })
  if (start.state.kind === 'taken') {
    const isGone = listed.runs.length === 0 && clock.now() > Date.parse(start.state.at) + TAKEN_FOR_MS
    return isGone
      ? miss(attending, listed, because('StartingConsoleEnded', { machine: start.state.machine }))
      : ok({ kind: 'not-ours' })
  }
  const [begun] = listed.runs
  if (begun !== undefined) {
    const why = because('StartedByHand', { run: begun.id })
    const body = { kind: 'start-taken-back', why: why.message, ...codeOf(why), by: runs.driver.operator } as const
    const taken = write(attending, window, body)
    return taken.ok ? ok({ kind: 'not-ours' }) : taken
  }
  switch (dueness(start, window.endsAt, clock.now())) {
    case 'early':
      return attendEarly(attending, listed)
    case 'late':
      return miss(attending, listed, tooLate(start, window.timeZone, attending.trouble.get(start.seq)?.why ?? null))
    case 'due':
      return attendDue(attending, listed)
  }
}

/** Reports a seal of an earlier version that cannot be compared any more at once, while its operator has time to confirm the start again. */
async function attendEarly(attending: Attending, listed: ListedStart): Promise<Result<AttendedStart>> {
  const { services, compared } = attending
  const { window, start } = listed
  if (mustCompareEarly(attending, start)) {
    compared.set(start.seq, services.clock.now() + COMPARE_EVERY_MS)
    const planned = await planAsAgreed(window, start, services)
    if (planned.kind === 'missed' && planned.why.code === 'AgreedByEarlierVersion') {
      return miss(attending, listed, planned.why)
    }
    if (planned.kind === 'as-agreed') {
      compared.set(start.seq, Number.POSITIVE_INFINITY)
      await services.plans.discard(planned.plan.id)
    }
  }
  return waits(start, null)
}

function mustCompareEarly({ services, compared }: Attending, { machine, seal, seq }: AgreedStart): boolean {
  const isHere = machine === services.runs.driver.machine
  return isHere && seal.rule === undefined && services.clock.now() >= (compared.get(seq) ?? 0)
}

/** Its time has come: starts it if its plan is still what was agreed. */
async function attendDue(attending: Attending, listed: ListedStart): Promise<Result<AttendedStart>> {
  const { services, trouble } = attending
  const { window, start } = listed
  // In a journal copied to another machine nothing starts.
  if (start.machine !== services.runs.driver.machine) return ok({ kind: 'not-ours' })
  const last = trouble.get(start.seq)
  if (last !== undefined && services.clock.now() < last.againMs) return waits(start, last.why)
  const planned = await planAsAgreed(window, start, services)
  switch (planned.kind) {
    case 'as-agreed':
      return begin(attending, listed, planned.plan)
    case 'again':
      return retryLater(attending, listed, planned.why)
    case 'missed':
      return miss(attending, listed, planned.why)
  }
}

async function begin(attending: Attending, agreed: ListedStart, made: Plan): Promise<Result<AttendedStart>> {
  const { services, log, trouble } = attending
  const { clock, plans, runs, worlds } = services
  const { window, start } = agreed
  const { operator: by, machine } = runs.driver
  await attending.keepEstimate(made, window.id)
  const connected = await worlds.open(window.cluster)
  if (!connected.ok) return retryLater(attending, agreed, whyFailed(connected.failure))
  for (;;) {
    const now = currentOf(attending, agreed)
    if (attending.isClosed || now === null || now.start.state.kind !== 'waits') return ok({ kind: 'not-ours' })
    // An operator started it meanwhile, or its time has passed.
    if (now.runs.length > 0 || dueness(start, now.window.endsAt, clock.now()) !== 'due')
      return attendNow(attending, now)
    const belongs = windowOfRun(made, { windowId: window.id, outsideWindow: undefined, production: false }, services)
    if (!belongs.ok) return miss(attending, now, whyFailed(belongs.failure))
    const taken = write(attending, now.window, { kind: 'start-taken', agreed: start.seq, by, machine })
    if (!taken.ok && taken.failure.code === 'conflict') continue
    if (!taken.ok) return taken
    plans.forget(made.id)
    const place =
      belongs.value?.kind === 'in' ? { ...belongs.value, agreed: { by: start.by, at: start.at } } : belongs.value
    // No wait since then: a console that closes leaves the run like all others.
    const run = await runs.start({ ...made, window: place }, connected.value.world)
    if (!run.ok) return miss(attending, now, whyFailed(run.failure), 'taken')
    trouble.delete(start.seq)
    services.onWritten(window)
    log.info('window started', { window: window.id, run: run.value.runId })
    return ok({ kind: 'started', runId: run.value.runId })
  }
}

/** Undecided, or not yet: retried until it is too late. */
function retryLater(
  { services, log, trouble }: Attending,
  { window, start }: ListedStart,
  why: Why,
): Result<AttendedStart> {
  trouble.set(start.seq, { why, againMs: services.clock.now() + AGAIN_MS })
  log.info('window start delayed', { window: window.id, why: why.message })
  return waits(start, why)
}

/** Records it once in the journal, even if two consoles notice. A start that another console took is that console's (`from`: earlier state). */
function miss(
  attending: Attending,
  listed: ListedStart,
  why: Why,
  from = listed.start.state.kind,
): Result<AttendedStart> {
  const { services, trouble } = attending
  const { window, start } = listed
  const words = `${why.message} ${startByHand(window)}`
  const missed = { kind: 'start-missed', agreed: start.seq, why: words, ...codeOf(why) } as const
  for (;;) {
    const now = currentOf(attending, listed)
    if (attending.isClosed || now === null || now.start.state.kind !== from) return ok({ kind: 'not-ours' })
    const written = write(attending, now.window, { ...missed, by: services.runs.driver.operator })
    if (written.ok) {
      trouble.delete(start.seq)
      services.onMissed(window, { seq: written.value.seq, words })
      return ok({ kind: 'missed', why: words, ...codeOf(why) })
    }
    if (written.failure.code !== 'conflict') return written
  }
}

/** Journals a change of a window, unless another console changed it since `revision`. */
function write(
  { services: { windows, onWritten } }: Attending,
  { id, cluster, revision }: MaintenanceWindow,
  body: WindowEventBody,
): Result<WindowEvent> {
  const written = windows.record({ id, cluster }, body, revision)
  if (written.ok) onWritten({ id, cluster })
  return written
}

function foldedOf({ services: { windows } }: Attending, id: string): MaintenanceWindow | null {
  const events = windows.events(id)
  const folded = events.ok ? foldWindow(events.value) : null
  return folded === null ? null : wordedWindow(folded)
}

/** The window as it is now; null if this agreement no longer counts. */
function currentOf({ windowReader }: Attending, { window, start: { seq } }: ListedStart): ListedStart | null {
  const found = windowReader.find(window.id)
  const start = found.ok ? found.value.window.start : null
  return found.ok && start?.seq === seq ? { ...found.value, start } : null
}

function waits({ startsAt }: AgreedStart, trouble: Why | null): Result<AttendedStart> {
  return ok({ kind: 'waits', until: startsAt, trouble: trouble?.message ?? null, ...(trouble && codeOf(trouble)) })
}

/** No console was open at its time, or a problem lasted too long. */
function tooLate({ startsAt, lateByMs }: AgreedStart, timeZone: string, trouble: Why | null): Finding {
  const until = new Date(Date.parse(startsAt) + lateByMs).toISOString()
  return trouble === null
    ? because('StartTooLate', { until, timeZone })
    : because('StartTooLateAfterTrouble', { until, timeZone, trouble })
}

function codeOf({ code, values }: Why): { readonly code?: string; readonly values?: Finding['values'] } {
  return code === undefined || values === undefined ? {} : { code, values }
}
