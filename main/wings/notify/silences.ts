import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { ProcessOfDriver, RunView } from '../../../shared/domain/run.ts'
import { silencedNow } from '../../../shared/domain/run-silenced.ts'
import { endedByOthers, type KeptSilence, openSilencesIn, signalsOf } from '../../../shared/domain/signals.ts'
import { type Matcher, matcherText, silencesOf } from '../../../shared/domain/silence-matchers.ts'
import { silenceComment } from '../../../shared/wings/notify/words/silences.ts'
import type { SignalJournal } from '../../journal/signals.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type Held, hostOf, howOver, isCutShort, setTo } from './held-silence.ts'
import type { AlertmanagerPort } from './ports/alertmanager.ts'
import { createSilenceRecord, silenceKey } from './silence-record.ts'

/** Silences alerts about the nodes that runs of this process work on. */
export interface Silences {
  /** Makes, prolongs and ends silences that are due, one pass after another; never rejects. */
  tend(): Promise<void>
  /** Stops prolonging the silences of a run that this process left. */
  left(runId: string): void
  /** Checks whether the silences of consoles that ended have lapsed. */
  lookAfterOthers(): Promise<void>
}

/** How long a silence lasts: short, so that it lapses soon after a console dies. */
const LASTS_MS = minutes(10)
/** A silence is prolonged when less than this is left. */
const PROLONG_BELOW_MS = minutes(6)
/** How long after it was made a silence of an ended console is still checked. */
const OTHERS_FOR_MS = minutes(24 * 60)

export function createSilences(parts: {
  readonly journal: SignalJournal
  readonly clusters: () => Result<readonly Cluster[]>
  /** Runs of a cluster that this process drives. */
  readonly driven: (cluster: string) => readonly RunView[]
  /** Whether this process drives a run, or drove it last, by the journal. */
  readonly isOurs: (runId: string) => boolean
  /** Whether somebody drives a run. */
  readonly isDriven: (runId: string) => boolean
  readonly portOf: (cluster: Cluster) => Promise<Result<AlertmanagerPort>>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly log: Logger
}): Silences {
  const { journal, clusters, driven, isOurs, isDriven, portOf, driver, clock, log } = parts
  /** By run, node and matchers. */
  const held = new Map<string, Held>()
  /** Silences that someone else ended: they are not made again. */
  const refused = new Set<string>()
  /** Runs whose silences of earlier drivers were read. */
  const known = new Set<string>()
  /** Runs of which an earlier driver may have made silences that the journal lacks: it died before the answer. */
  const unsure = new Set<string>()
  let passing: Promise<void> | null = null
  let again = false

  const iso = (ms: number) => new Date(ms).toISOString()
  const record = createSilenceRecord({ journal, clock, log })

  /** Continues with the silences that an earlier driver of this run made. */
  const takeUp = (run: RunView) => {
    if (known.has(run.id)) return
    known.add(run.id)
    if ((run.driver.epoch ?? 1) > 1) unsure.add(run.id)
    const kept = journal.of(run.id)
    if (!kept.ok) return
    for (const silence of openSilencesIn(kept.value)) {
      held.set(silenceKey(silence), {
        silence: { ...silence, cluster: run.plan.cluster },
        endsAtMs: 0,
        reported: false,
        isEndAsked: false,
      })
    }
    for (const silence of endedByOthers(kept.value)) refused.add(silenceKey(silence))
  }

  /** Finds silences that an earlier driver of a run made and did not journal. Continues with them, or ends them if the run has finished with their node. */
  const adopt = async (
    port: AlertmanagerPort,
    host: string,
    run: RunView,
    wanted: ReadonlyMap<
      string,
      { readonly run: RunView; readonly node: string; readonly matchers: readonly Matcher[] }
    >,
  ) => {
    const found = await port.find(markOf(run.id))
    if (!found.ok) {
      record.putOff(`find ${run.id}`)
      return
    }
    unsure.delete(run.id)
    const own = [...held.values()].filter(({ silence }) => silence.runId === run.id)
    for (const { id, matchers, startsAt, endsAt } of found.value) {
      if (own.some(({ silence }) => silence.id === id)) continue
      const text = matcherText(matchers)
      const want = [...wanted.values()].find(each => each.run.id === run.id && matcherText(each.matchers) === text)
      const node = want?.node ?? planSubject(run.plan)
      const silence = { runId: run.id, cluster: run.plan.cluster, host, node, id, matchers: text, startsAt, endsAt }
      record.made(silence)
      const one: Held = { silence, endsAtMs: 0, reported: false, isEndAsked: false }
      const key = silenceKey(silence)
      if (want === undefined || held.has(key)) await end(port, one)
      else held.set(key, one)
    }
  }

  const make = async (
    port: AlertmanagerPort,
    host: string,
    place: { readonly run: RunView; readonly node: string },
    matchers: readonly Matcher[],
    /** The changed silence, with its start as Alertmanager has it. */
    changed: { readonly own: Held; readonly startsAt: string } | null,
  ) => {
    const { run, node } = place
    const text = matcherText(matchers)
    const { cluster } = run.plan
    const key = silenceKey({ runId: run.id, node, matchers: text })
    const startsAt = changed?.startsAt ?? iso(clock.now())
    const endsAt = iso(clock.now() + LASTS_MS)
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
        `${markOf(run.id)}${driver.operator} on ${driver.machine}`,
      ),
    })
    if (!kept.ok) {
      record.failed(key, { runId: run.id, cluster, node }, before === null ? 'make' : 'prolong', before, kept.failure)
      return
    }
    const wasFailing = record.works(key)
    const id = kept.value
    const silence: KeptSilence = { ...wanted, id, startsAt }
    const isNew = id !== before
    if (isNew && changed !== null) record.over(changed.own.silence, 'replaced', true, iso(clock.now()))
    if (isNew) record.made(silence)
    else if (changed?.own.reported !== true || wasFailing) record.prolonged(silence)
    held.set(key, { silence, endsAtMs: Date.parse(endsAt), reported: !isNew, isEndAsked: false })
  }

  const prolong = async (
    port: AlertmanagerPort,
    host: string,
    run: RunView,
    matchers: readonly Matcher[],
    own: Held,
  ) => {
    const { silence } = own
    const key = silenceKey(silence)
    const seen = await port.look(silence.id)
    if (!seen.ok) {
      record.failed(key, silence, 'prolong', silence.id, seen.failure)
      return
    }
    const place = { run, node: silence.node }
    if (seen.value !== null && seen.value.state !== 'expired') {
      await make(port, host, place, matchers, { own, startsAt: seen.value.startsAt })
      return
    }
    held.delete(key)
    // It ends earlier than we set it, by more than clocks differ: someone wants these alerts.
    const isCut = seen.value !== null && isCutShort(seen.value.endsAt, own)
    if (seen.value === null) record.over(silence, 'gone', true, iso(clock.now()))
    else record.over(silence, isCut ? 'stranger' : howOver(seen.value.endsAt, own), true, seen.value.endsAt)
    if (isCut) refused.add(key)
    else await make(port, host, place, matchers, null)
  }

  const end = async (port: AlertmanagerPort, own: Held) => {
    const { silence } = own
    const key = silenceKey(silence)
    const seen = await port.look(silence.id)
    const isGone = seen.ok && (seen.value === null || seen.value.state === 'expired')
    const ended = !seen.ok || isGone ? seen : await port.end(silence.id)
    if (ended.ok) {
      held.delete(key)
      record.works(key)
      if (!isGone) record.over(silence, 'run', true, iso(clock.now()))
      else if (seen.value === null) record.over(silence, 'gone', true, iso(clock.now()))
      else record.over(silence, howOver(seen.value.endsAt, own), true, seen.value.endsAt)
      return
    }
    record.failed(key, silence, 'end', silence.id, ended.failure)
    if (seen.ok) held.set(key, { ...own, isEndAsked: true })
    const latest = setTo(own)
    if (clock.now() <= latest) return
    held.delete(key)
    record.over(silence, 'lapsed', false, iso(latest))
  }

  const tendCluster = async (cluster: Cluster) => {
    const { alertmanager } = signalsOf(cluster)
    const runs = driven(cluster.name)
    // Who takes over a run takes over its silences.
    for (const [key, { silence }] of [...held]) if (!isOurs(silence.runId)) held.delete(key)
    const own = () => [...held.values()].filter(({ silence }) => silence.cluster === cluster.name)
    const host = alertmanager === null ? null : hostOf(alertmanager)
    if (alertmanager !== null) for (const run of runs) takeUp(run)
    for (const { silence } of own()) {
      if (silence.host === host) continue
      held.delete(silenceKey(silence))
      record.letGo(silence)
    }
    if (alertmanager === null || host === null || (runs.length === 0 && own().length === 0)) return
    const wanted = new Map(
      runs.flatMap(run =>
        silencedNow(run).flatMap(({ node, instances }) =>
          silencesOf(alertmanager, { node, instances }).map(
            matchers =>
              [silenceKey({ runId: run.id, node, matchers: matcherText(matchers) }), { run, node, matchers }] as const,
          ),
        ),
      ),
    )
    const toAdopt = runs.filter(({ id }) => unsure.has(id) && record.mayTry(`find ${id}`))
    const asked = toAdopt.length === 0 ? null : await portOf(cluster)
    if (asked?.ok === true) for (const run of toAdopt) await adopt(asked.value, host, run, wanted)
    const due = [
      ...[...wanted].flatMap(([key, want]) => {
        const has = held.get(key)
        const isDue = has === undefined ? !refused.has(key) : has.endsAtMs - clock.now() < PROLONG_BELOW_MS
        return isDue && record.mayTry(key) ? [{ key, want, has }] : []
      }),
      ...own().flatMap(has => {
        const key = silenceKey(has.silence)
        return wanted.has(key) || !record.mayTry(key) ? [] : [{ key, want: null, has }]
      }),
    ]
    if (due.length === 0) return
    const port = asked ?? (await portOf(cluster))
    for (const { key, want, has } of due) {
      if (!port.ok) {
        const place = want === null ? has?.silence : { runId: want.run.id, cluster: cluster.name, node: want.node }
        if (place !== undefined)
          record.failed(
            key,
            place,
            want === null ? 'end' : has === undefined ? 'make' : 'prolong',
            has?.silence.id ?? null,
            port.failure,
          )
      } else if (want === null) {
        if (has !== undefined) await end(port.value, has)
      } else if (has === undefined) await make(port.value, host, want, want.matchers, null)
      else await prolong(port.value, host, want.run, want.matchers, has)
    }
  }

  const pass = async () => {
    const listed = clusters()
    if (!listed.ok) return
    await Promise.all(
      listed.value.map(cluster =>
        tendCluster(cluster).catch((error: unknown) => log.error('silences not tended', { error })),
      ),
    )
  }

  return {
    tend: () => {
      if (passing !== null) {
        again = true
        return passing
      }
      passing = (async () => {
        do {
          again = false
          await pass()
        } while (again)
      })().finally(() => {
        passing = null
      })
      return passing
    },
    left: runId => {
      known.delete(runId)
      for (const [key, { silence, endsAtMs }] of [...held]) {
        if (silence.runId !== runId) continue
        held.delete(key)
        record.left({ ...silence, endsAt: endsAtMs === 0 ? silence.endsAt : iso(endsAtMs) })
      }
    },
    lookAfterOthers: async () => {
      const kept = journal.since(iso(clock.now() - OTHERS_FOR_MS))
      const listed = clusters()
      if (!kept.ok || !listed.ok) return
      for (const silence of openSilencesIn(kept.value)) {
        if (held.has(silenceKey(silence)) || clock.now() < Date.parse(silence.endsAt) || isDriven(silence.runId))
          continue
        const cluster = listed.value.find(({ name }) => name === silence.cluster)
        if (cluster === undefined || !record.mayTry(silence.id)) continue
        const { alertmanager } = signalsOf(cluster)
        if (alertmanager === null || hostOf(alertmanager) !== silence.host) {
          record.letGo(silence)
          continue
        }
        const port = await portOf(cluster)
        const seen = port.ok ? await port.value.look(silence.id) : port
        if (!seen.ok) record.putOff(silence.id)
        else if (seen.value === null) record.over(silence, 'gone', true, iso(clock.now()))
        else if (seen.value.state === 'expired') {
          const own = { silence, endsAtMs: 0, isEndAsked: false }
          record.over(silence, howOver(seen.value.endsAt, own), true, seen.value.endsAt)
        }
      }
    },
  }
}

/** How the comment of a silence names its run, so that it is found again. */
function markOf(runId: string): string {
  return `run ${runId} by `
}
