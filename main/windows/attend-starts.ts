import type { AttendedStart, ListedWindow } from '../../shared/contract/index.ts'
import { type AgreedStart, dueness, notAgreed } from '../../shared/domain/agreed-start.ts'
import { minutes, seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { isDisruptive, type Plan } from '../../shared/domain/plan.ts'
import { effectsOf, openBlockers } from '../../shared/domain/plan-effects.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { foldWindow, type MaintenanceWindow, type WindowEventBody } from '../../shared/domain/window.ts'
import { startByHand, whyNotAgreed } from '../../shared/words/agreed-starts.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { wordedWindow } from '../../shared/words/window-remarks.ts'
import { createEstimateKeeper } from './kept-estimate.ts'
import { sealLike } from './plan-seal.ts'
import { windowOfRun } from './window-of-run.ts'
import { planWindow } from './window-plan.ts'
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

/** Why a window does not start, or not yet: by a code, or in the words of another program. */
type Why = Pick<Finding, 'message'> & Partial<Finding>

/** Interval of checks for windows whose time comes. */
const LOOK_EVERY_MS = seconds(5)
const AGAIN_MS = seconds(20)
const COMPARE_EVERY_MS = minutes(10)
/** A console waits for nothing between taking a start and the run's first entry, so one that took it longer ago is gone. */
const TAKEN_FOR_MS = minutes(2)

export function createStartAttendant(services: AttendantServices): StartAttendant {
  const { clock, clusters, plans, runs, windows, worlds, onWritten, onMissed } = services
  const log = services.log.child('windows')
  const windowReader = createWindowReader(services)
  const keepEstimate = createEstimateKeeper(services)
  const { operator: by, machine } = runs.driver
  let isClosed = false
  const attending = new Map<string, Promise<Result<AttendedStart>>>()
  /** Why an agreed start failed at the last try, and when to retry; by the number of the agreement. */
  const trouble = new Map<number, { readonly why: Why; readonly againMs: number }>()

  /** When an agreed start with a seal of an earlier version is compared again before its time; by the number of the agreement. */
  const compared = new Map<number, number>()

  const write = (window: Pick<MaintenanceWindow, 'id' | 'cluster'>, body: WindowEventBody, revision: number) => {
    const written = windows.record({ id: window.id, cluster: window.cluster }, body, revision)
    if (written.ok) onWritten(window)
    return written
  }

  /** Records it once in the journal, even if two consoles notice. A start that another console took is that console's (`from`: earlier state). */
  const miss = (
    window: MaintenanceWindow,
    start: AgreedStart,
    why: Why,
    from = start.state.kind,
  ): Result<AttendedStart> => {
    const words = `${why.message} ${startByHand(window)}`
    for (;;) {
      const now = currentOf(window.id, start.seq)
      if (isClosed || now === null || now.start.state.kind !== from) return ok({ kind: 'not-ours' })
      const written = write(
        window,
        { kind: 'start-missed', agreed: start.seq, why: words, ...codeOf(why), by },
        now.window.revision,
      )
      if (written.ok) {
        trouble.delete(start.seq)
        onMissed(window, { seq: written.value.seq, words })
        return ok({ kind: 'missed', why: words, ...codeOf(why) })
      }
      if (written.failure.code !== 'conflict') return written
    }
  }

  const foldedOf = (id: string): MaintenanceWindow | null => {
    const events = windows.events(id)
    const folded = events.ok ? foldWindow(events.value) : null
    return folded === null ? null : wordedWindow(folded)
  }

  const currentOf = (id: string, agreed: number) => {
    const found = windowReader.find(id)
    const start = found.ok ? found.value.window.start : null
    return found.ok && start?.seq === agreed ? { ...found.value, start } : null
  }

  /** Undecided, or not yet: retried until it is too late. */
  const again = (window: MaintenanceWindow, start: AgreedStart, why: Why): Result<AttendedStart> => {
    trouble.set(start.seq, { why, againMs: clock.now() + AGAIN_MS })
    log.info('window start delayed', { window: window.id, why: why.message })
    return ok({ kind: 'waits', until: start.startsAt, trouble: why.message, ...codeOf(why) })
  }

  /** Makes the plan again and compares it with what was agreed. */
  const lookAt = async (
    window: MaintenanceWindow,
    start: AgreedStart,
  ): Promise<{ kind: 'as-agreed'; plan: Plan } | { kind: 'again'; why: Why } | { kind: 'missed'; why: Why }> => {
    const cluster = clusters.get(window.cluster)
    if (!cluster.ok) return { kind: 'missed', why: whyFailed(cluster.failure) }
    const made = await planWindow(window, start.options, services)
    if (!made.ok) return { kind: made.failure.retryable ? 'again' : 'missed', why: whyFailed(made.failure) }
    const checked = made.value
    const open = openBlockers(checked)
    // Unread facts would look like another plan.
    if (open.length > 0) {
      const blockers = open
        .slice(0, 3)
        .map(({ blocker: { code, values, message } }) => ({ code, values: values ?? {}, message }))
      const why = because('AgreedStartBlocked', { blockers, total: open.length })
      return { kind: open.every(({ blocker }) => blocker.passing !== undefined) ? 'again' : 'missed', why }
    }
    const names = new Map(effectsOf(checked).instances.map(({ id, name }) => [id, name]))
    const { seal, messages } = sealLike(start.seal, checked)
    const other = whyNotAgreed(
      notAgreed(start.seal, seal),
      id => names.get(id) ?? id,
      lifted => messages.get(lifted) ?? lifted,
    )
    if (other !== null) return { kind: 'missed', why: other }
    const plan = plans.find(checked.plan.id)
    if (plan === null) return { kind: 'again', why: because('AgreedPlanLost') }
    if (cluster.value.production && isDisruptive(plan) && !start.typedCluster)
      return { kind: 'missed', why: because('ClusterBecameProduction', { cluster: window.cluster }) }
    return { kind: 'as-agreed', plan }
  }

  const begin = async (window: MaintenanceWindow, start: AgreedStart, made: Plan): Promise<Result<AttendedStart>> => {
    await keepEstimate(made, window.id)
    const connected = await worlds.open(window.cluster)
    if (!connected.ok) return again(window, start, whyFailed(connected.failure))
    for (;;) {
      const now = currentOf(window.id, start.seq)
      if (isClosed || now === null || now.start.state.kind !== 'waits') return ok({ kind: 'not-ours' })
      // An operator started it meanwhile.
      if (now.runs.length > 0 || dueness(start, now.window.endsAt, clock.now()) !== 'due')
        return attendNow(now, now.start)
      const belongs = windowOfRun(made, { windowId: window.id, outsideWindow: undefined }, services)
      if (!belongs.ok) return miss(now.window, start, whyFailed(belongs.failure))
      const taken = write(window, { kind: 'start-taken', agreed: start.seq, by, machine }, now.window.revision)
      if (!taken.ok && taken.failure.code === 'conflict') continue
      if (!taken.ok) return taken
      plans.forget(made.id)
      const agreed = { by: start.by, at: start.at }
      const place = belongs.value?.kind === 'in' ? { ...belongs.value, agreed } : belongs.value
      // No wait since then: a console that closes leaves the run like all others.
      const run = await runs.start({ ...made, window: place }, connected.value.world)
      if (!run.ok) return miss(now.window, start, whyFailed(run.failure), 'taken')
      trouble.delete(start.seq)
      onWritten(window)
      log.info('window started', { window: window.id, run: run.value.runId })
      return ok({ kind: 'started', runId: run.value.runId })
    }
  }

  /** A seal of an earlier version that cannot be compared any more is reported at once, while its operator has time to confirm the start again. */
  const attendEarly = async (window: MaintenanceWindow, start: AgreedStart): Promise<Result<AttendedStart>> => {
    if (start.machine === machine && isEarlierSeal(start)) {
      compared.set(start.seq, clock.now() + COMPARE_EVERY_MS)
      const looked = await lookAt(window, start)
      if (looked.kind === 'missed' && looked.why.code === 'AgreedByEarlierVersion')
        return miss(window, start, looked.why)
      if (looked.kind === 'as-agreed') compared.set(start.seq, Number.POSITIVE_INFINITY)
    }
    return ok({ kind: 'waits', until: start.startsAt, trouble: null })
  }
  const isEarlierSeal = ({ seal, seq }: AgreedStart) =>
    seal.rule === undefined && clock.now() >= (compared.get(seq) ?? 0)

  const attendNow = async (listed: ListedWindow, start: AgreedStart): Promise<Result<AttendedStart>> => {
    const { window, status } = listed
    if (status === 'closed' || status === 'cancelled') return ok({ kind: 'not-ours' })
    if (start.state.kind === 'taken') {
      const isGone = listed.runs.length === 0 && clock.now() > Date.parse(start.state.at) + TAKEN_FOR_MS
      return isGone
        ? miss(window, start, because('StartingConsoleEnded', { machine: start.state.machine }))
        : ok({ kind: 'not-ours' })
    }
    if (start.state.kind === 'missed') return ok({ kind: 'not-ours' })
    const [begun] = listed.runs
    if (begun !== undefined) {
      const why = because('StartedByHand', { run: begun.id })
      const body = { kind: 'start-taken-back' as const, why: why.message, ...codeOf(why), by }
      const taken = write(window, body, window.revision)
      return taken.ok ? ok({ kind: 'not-ours' }) : taken
    }
    const last = trouble.get(start.seq)
    switch (dueness(start, window.endsAt, clock.now())) {
      case 'early':
        return attendEarly(window, start)
      case 'late':
        return miss(window, start, tooLate(start, window.timeZone, last?.why ?? null))
      case 'due': {
        // In a journal copied to another machine nothing starts.
        if (start.machine !== machine) return ok({ kind: 'not-ours' })
        if (last !== undefined && clock.now() < last.againMs)
          return ok({ kind: 'waits', until: start.startsAt, trouble: last.why.message, ...codeOf(last.why) })
        const looked = await lookAt(window, start)
        if (looked.kind === 'again') return again(window, start, looked.why)
        return looked.kind === 'missed' ? miss(window, start, looked.why) : begin(window, start, looked.plan)
      }
    }
  }

  const attend = (id: string): Promise<Result<AttendedStart>> => {
    const folded = foldedOf(id)
    // Its runs need no reading before its time.
    if (
      folded?.start?.state.kind === 'waits' &&
      !isEarlierSeal(folded.start) &&
      dueness(folded.start, folded.endsAt, clock.now()) === 'early'
    )
      return Promise.resolve(ok({ kind: 'waits', until: folded.start.startsAt, trouble: null }))
    const found = windowReader.find(id)
    if (!found.ok) return Promise.resolve(found)
    const { window } = found.value
    const { start } = window
    if (start === null) return Promise.resolve(ok({ kind: 'not-ours' }))
    const known = attending.get(window.id)
    if (known !== undefined) return known
    const looking = attendNow(found.value, start).finally(() => attending.delete(window.id))
    attending.set(window.id, looking)
    return looking
  }

  const attendOrReport = async (id: string): Promise<void> => {
    try {
      const attended = await attend(id)
      if (!attended.ok) log.warn('window not attended', { window: id, why: attended.failure.message })
    } catch (error) {
      if (!isClosed) log.error('window not attended', { window: id, error })
    }
  }

  return {
    attend,
    attendAll: async signal => {
      let seen = 0
      const waiting = new Set<string>()
      const look = () => {
        for (const { seq, id } of windows.agreedAfter(seen)) {
          seen = seq
          waiting.add(id)
        }
        for (const id of [...waiting]) {
          if (isClosed) return
          const window = foldedOf(id)
          const kind = window?.closed === null && window.cancelled === null ? window.start?.state.kind : undefined
          // A new agreement brings it back.
          if (kind === undefined || kind === 'missed' || (kind === 'taken' && windows.runsOf(id).length > 0)) {
            waiting.delete(id)
            continue
          }
          // A cluster that does not answer does not delay other windows.
          void attendOrReport(id)
        }
      }
      for (;;) {
        await clock.sleep(LOOK_EVERY_MS, signal)
        if (signal.aborted || isClosed) return
        try {
          look()
        } catch (error) {
          if (!isClosed) log.error('windows not attended', { error })
        }
      }
    },
    close: () => {
      isClosed = true
    },
  }
}

/** No console was open at its time, or a problem lasted too long. */
function tooLate({ startsAt, lateByMs }: AgreedStart, timeZone: string, trouble: Why | null): Finding {
  const until = new Date(Date.parse(startsAt) + lateByMs).toISOString()
  return trouble === null
    ? because('StartTooLate', { until, timeZone })
    : because('StartTooLateAfterTrouble', { until, timeZone, trouble })
}

function whyFailed({ message, reason, values }: Failure): Why {
  return reason === undefined ? { message } : { message, code: reason, values: values ?? {} }
}

function codeOf({ code, values }: Why): { readonly code?: string; readonly values?: Finding['values'] } {
  return code === undefined || values === undefined ? {} : { code, values }
}
