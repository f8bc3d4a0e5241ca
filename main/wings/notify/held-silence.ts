import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { ProcessOfDriver, RunView } from '../../../shared/domain/run.ts'
import type { AlertmanagerSettings, KeptSilence } from '../../../shared/domain/signals.ts'
import { type Matcher, matcherText } from '../../../shared/domain/silence-matchers.ts'
import { silenceComment } from '../../../shared/words/silences.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { AlertmanagerPort } from './ports/alertmanager.ts'
import { type SilenceRecord, silenceKey } from './silence-record.ts'

/** A silence that this process keeps. */
export interface Held {
  readonly silence: KeptSilence
  /** The end that this process set; 0: an earlier process set it. */
  readonly endsAtMs: number
  /** The journal says that it was prolonged; later times are not reported. */
  readonly reported: boolean
  /** This process asked Alertmanager to end it, and got no answer. */
  readonly isEndAsked: boolean
}

/** The silences that this process keeps, by their key ({@link silenceKey}). */
export interface HeldSilences {
  readonly held: Map<string, Held>
  /** Keys of silences that someone else ended: they are not made again. */
  readonly refused: Set<string>
  readonly record: SilenceRecord
  readonly driver: ProcessOfDriver
  readonly clock: Clock
}

/** The Alertmanager of a cluster. */
export interface Alertmanager {
  readonly port: AlertmanagerPort
  /** Host and port, as the journal names it. */
  readonly host: string
}

/** A silence that a run needs now. */
export interface WantedSilence {
  readonly run: RunView
  readonly node: string
  readonly matchers: readonly Matcher[]
}

/** How long a silence lasts: short, so that it lapses soon after a console dies. */
const LASTS_MS = minutes(10)
/** Alertmanager may round times by this. */
const ROUNDED_BY_MS = seconds(1)

export async function makeSilence(
  silences: HeldSilences,
  { port, host }: Alertmanager,
  { run, node, matchers }: WantedSilence,
  /** The silence to change, with its start in Alertmanager. */
  changed: { readonly own: Held; readonly startsAt: string } | null,
): Promise<void> {
  const { record, driver, clock } = silences
  const text = matcherText(matchers)
  const { cluster } = run.plan
  const key = silenceKey({ runId: run.id, node, matchers: text })
  const startsAt = changed?.startsAt ?? isoNow(clock)
  const endsAt = new Date(clock.now() + LASTS_MS).toISOString()
  const before = changed?.own.silence.id ?? null
  const wanted = { runId: run.id, cluster, host, node, matchers: text, endsAt }
  if (before === null && !record.asked(wanted)) return
  const kept = await port.keep({
    id: before,
    matchers,
    startsAt,
    endsAt,
    createdBy: `lockkeeper ${driver.operator}@${driver.machine}`,
    comment: silenceComment(
      { kind: run.plan.kind, cluster, node },
      `${runMark(run.id)}${driver.operator} on ${driver.machine}`,
    ),
  })
  if (!kept.ok) {
    record.failed(key, { runId: run.id, cluster, node }, before === null ? 'make' : 'prolong', before, kept.failure)
    return
  }
  const wasFailing = record.works(key)
  const silence: KeptSilence = { ...wanted, id: kept.value, startsAt }
  const isNew = silence.id !== before
  if (isNew && changed !== null) record.over(changed.own.silence, 'replaced', true, isoNow(clock))
  if (isNew) record.made(silence)
  else if (changed?.own.reported !== true || wasFailing) record.prolonged(silence)
  silences.held.set(key, { silence, endsAtMs: Date.parse(endsAt), reported: !isNew, isEndAsked: false })
}

/** Prolongs a silence, or makes it again if it lapsed. */
export async function prolongSilence(
  silences: HeldSilences,
  alertmanager: Alertmanager,
  want: WantedSilence,
  own: Held,
): Promise<void> {
  const { record, held, refused, clock } = silences
  const { silence } = own
  const key = silenceKey(silence)
  const seen = await alertmanager.port.look(silence.id)
  if (!seen.ok) {
    record.failed(key, silence, 'prolong', silence.id, seen.failure)
    return
  }
  if (seen.value !== null && seen.value.state !== 'expired') {
    await makeSilence(silences, alertmanager, want, { own, startsAt: seen.value.startsAt })
    return
  }
  held.delete(key)
  // It ended earlier than this process set it, by more than clocks differ: someone wants these alerts.
  const isCut = seen.value !== null && isCutShort(seen.value.endsAt, own)
  if (seen.value === null) record.over(silence, 'gone', true, isoNow(clock))
  else record.over(silence, isCut ? 'stranger' : howOver(seen.value.endsAt, own), true, seen.value.endsAt)
  if (isCut) refused.add(key)
  else await makeSilence(silences, alertmanager, want, null)
}

/** Ends a silence. After a failure it is forgotten only once it must have lapsed. */
export async function endSilence(silences: HeldSilences, port: AlertmanagerPort, own: Held): Promise<void> {
  const { record, held, clock } = silences
  const { silence } = own
  const key = silenceKey(silence)
  const seen = await port.look(silence.id)
  const isGone = seen.ok && (seen.value === null || seen.value.state === 'expired')
  const ended = !seen.ok || isGone ? seen : await port.end(silence.id)
  if (ended.ok) {
    held.delete(key)
    record.works(key)
    if (!isGone) record.over(silence, 'run', true, isoNow(clock))
    else if (seen.value === null) record.over(silence, 'gone', true, isoNow(clock))
    else record.over(silence, howOver(seen.value.endsAt, own), true, seen.value.endsAt)
    return
  }
  record.failed(key, silence, 'end', silence.id, ended.failure)
  if (seen.ok) held.set(key, { ...own, isEndAsked: true })
  const latest = lastEndMs(own)
  if (clock.now() <= latest) return
  held.delete(key)
  record.over(silence, 'lapsed', false, new Date(latest).toISOString())
}

/** The end that was set last, as far as this process or the journal knows. */
function lastEndMs({ silence, endsAtMs }: Pick<Held, 'silence' | 'endsAtMs'>): number {
  return endsAtMs === 0 ? Date.parse(silence.endsAt) : endsAtMs
}

/** It lapsed only if it ended at the time that was set and this process did not ask for its end; else someone ended it. */
export function howOver(endedAt: string, own: Pick<Held, 'silence' | 'endsAtMs' | 'isEndAsked'>): 'lapsed' | 'ended' {
  const isAsSet = Math.abs(Date.parse(endedAt) - lastEndMs(own)) <= ROUNDED_BY_MS
  return isAsSet && !own.isEndAsked ? 'lapsed' : 'ended'
}

/** Whether someone else ended it before the time that this process set; a small difference of clocks does not count. */
function isCutShort(endedAt: string, own: Pick<Held, 'endsAtMs' | 'isEndAsked'>): boolean {
  return !own.isEndAsked && Date.parse(endedAt) < own.endsAtMs - ROUNDED_BY_MS
}

/** Host and port of an Alertmanager. */
export function alertmanagerHost({ endpoint }: Pick<AlertmanagerSettings, 'endpoint'>): string {
  return new URL(endpoint.url).host
}

/** How the comment of a silence names its run, so that the next driver finds it. */
export function runMark(runId: string): string {
  return `run ${runId} by `
}
