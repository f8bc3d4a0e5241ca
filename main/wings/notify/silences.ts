import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { ProcessOfDriver, RunView } from '../../../shared/domain/run.ts'
import { silencedNow } from '../../../shared/domain/run-silenced.ts'
import { type AlertmanagerSettings, endedByOthers, openSilencesIn, signalsOf } from '../../../shared/domain/signals.ts'
import { matcherText, silencesOf } from '../../../shared/domain/silence-matchers.ts'
import type { SignalJournal } from '../../journal/signal-journal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import {
  type Alertmanager,
  alertmanagerHost,
  endSilence,
  type Held,
  type HeldSilences,
  howOver,
  makeSilence,
  prolongSilence,
  runMark,
  type WantedSilence,
} from './held-silence.ts'
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

interface SilenceParts {
  readonly journal: SignalJournal
  readonly clusters: () => Result<readonly Cluster[]>
  /** Runs of a cluster that this process drives. */
  readonly driven: (cluster: string) => readonly RunView[]
  /** Whether this process drives a run, or drove it last, by the journal. */
  readonly isOurs: (runId: string) => boolean
  /** Whether any process drives a run. */
  readonly isDriven: (runId: string) => boolean
  readonly portOf: (cluster: Cluster) => Promise<Result<AlertmanagerPort>>
  readonly driver: ProcessOfDriver
  readonly clock: Clock
  readonly log: Logger
}

interface SilenceState extends SilenceParts, HeldSilences {
  /** Runs whose silences of earlier drivers were read. */
  readonly known: Set<string>
  /** Runs of which an earlier driver may have made silences that the journal lacks: it died before the answer. */
  readonly unsure: Set<string>
}

/** Work on one silence, by its key. */
type DueWork =
  | { readonly kind: 'make'; readonly key: string; readonly want: WantedSilence }
  | { readonly kind: 'prolong'; readonly key: string; readonly want: WantedSilence; readonly own: Held }
  | { readonly kind: 'end'; readonly key: string; readonly own: Held }

/** A silence is prolonged when less than this is left. */
const PROLONG_BELOW_MS = minutes(6)
/** How long after it was made a silence of an ended console is still checked. */
const OTHERS_FOR_MS = minutes(24 * 60)

export function createSilences(parts: SilenceParts): Silences {
  const state: SilenceState = {
    ...parts,
    record: createSilenceRecord(parts),
    held: new Map(),
    refused: new Set(),
    known: new Set(),
    unsure: new Set(),
  }
  let passing: Promise<void> | null = null
  let again = false
  const passUntilCurrent = async () => {
    do {
      again = false
      await tendAll(state)
    } while (again)
  }
  return {
    tend: () => {
      if (passing !== null) {
        again = true
        return passing
      }
      passing = passUntilCurrent().finally(() => {
        passing = null
      })
      return passing
    },
    left: runId => leaveRun(state, runId),
    lookAfterOthers: () => checkOthers(state),
  }
}

async function tendAll(state: SilenceState): Promise<void> {
  const listed = state.clusters()
  if (!listed.ok) return
  await Promise.all(
    listed.value.map(cluster =>
      tendCluster(state, cluster).catch((error: unknown) => state.log.error('silences not tended', { error })),
    ),
  )
}

async function tendCluster(state: SilenceState, cluster: Cluster): Promise<void> {
  const { held, unsure, record } = state
  const { alertmanager } = signalsOf(cluster)
  const runs = state.driven(cluster.name)
  const host = alertmanager === null ? null : alertmanagerHost(alertmanager)
  // The process that takes over a run takes over its silences.
  for (const [key, { silence }] of [...held]) if (!state.isOurs(silence.runId)) held.delete(key)
  if (alertmanager !== null) for (const run of runs) takeUp(state, run)
  for (const { silence } of heldIn(state, cluster)) {
    if (silence.host === host) continue
    held.delete(silenceKey(silence))
    record.letGo(silence)
  }
  if (alertmanager === null || host === null || (runs.length === 0 && heldIn(state, cluster).length === 0)) return
  const wanted = wantedSilences(alertmanager, runs)
  const toAdopt = runs.filter(({ id }) => unsure.has(id) && record.mayTry(`find ${id}`))
  const asked = toAdopt.length === 0 ? null : await state.portOf(cluster)
  if (asked?.ok === true) for (const run of toAdopt) await adopt(state, { port: asked.value, host }, run, wanted)
  const due = dueWork(state, cluster, wanted)
  if (due.length === 0) return
  const port = asked ?? (await state.portOf(cluster))
  for (const work of due) {
    if (port.ok) await carryOut(state, { port: port.value, host }, work)
    else record.failed(work.key, placeOf(work), work.kind, 'own' in work ? work.own.silence.id : null, port.failure)
  }
}

/** Continues with the silences that an earlier driver of this run made. */
function takeUp({ known, unsure, journal, held, refused }: SilenceState, run: RunView): void {
  if (known.has(run.id)) return
  known.add(run.id)
  if ((run.driver.epoch ?? 1) > 1) unsure.add(run.id)
  const kept = journal.of(run.id)
  if (!kept.ok) return
  for (const open of openSilencesIn(kept.value)) {
    const silence = { ...open, cluster: run.plan.cluster }
    held.set(silenceKey(silence), { silence, endsAtMs: 0, reported: false, isEndAsked: false })
  }
  for (const silence of endedByOthers(kept.value)) refused.add(silenceKey(silence))
}

function heldIn({ held }: SilenceState, { name }: Cluster): readonly Held[] {
  return [...held.values()].filter(({ silence }) => silence.cluster === name)
}

/** The silences that runs need now, by their keys. */
function wantedSilences(
  alertmanager: AlertmanagerSettings,
  runs: readonly RunView[],
): ReadonlyMap<string, WantedSilence> {
  const wanted = runs.flatMap(run =>
    silencedNow(run).flatMap(({ node, instances }) =>
      silencesOf(alertmanager, { node, instances }).map(matchers => ({ run, node, matchers })),
    ),
  )
  return new Map(
    wanted.map(want => {
      const { run, node, matchers } = want
      return [silenceKey({ runId: run.id, node, matchers: matcherText(matchers) }), want]
    }),
  )
}

/**
 * Finds silences that an earlier driver of a run made and did not journal. Continues with them, or ends them if the run has finished with
 * their node.
 */
async function adopt(
  state: SilenceState,
  { port, host }: Alertmanager,
  run: RunView,
  wanted: ReadonlyMap<string, WantedSilence>,
): Promise<void> {
  const { held, record } = state
  const found = await port.find(runMark(run.id))
  if (!found.ok) {
    record.putOff(`find ${run.id}`)
    return
  }
  state.unsure.delete(run.id)
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
    if (want === undefined || held.has(key)) await endSilence(state, port, one)
    else held.set(key, one)
  }
}

function dueWork(
  state: SilenceState,
  cluster: Cluster,
  wanted: ReadonlyMap<string, WantedSilence>,
): readonly DueWork[] {
  const { held, refused, record, clock } = state
  const needed = [...wanted].flatMap(([key, want]): readonly DueWork[] => {
    const own = held.get(key)
    if (own === undefined) return refused.has(key) ? [] : [{ kind: 'make', key, want }]
    return own.endsAtMs - clock.now() < PROLONG_BELOW_MS ? [{ kind: 'prolong', key, want, own }] : []
  })
  const unneeded = heldIn(state, cluster).flatMap((own): readonly DueWork[] => {
    const key = silenceKey(own.silence)
    return wanted.has(key) ? [] : [{ kind: 'end', key, own }]
  })
  return [...needed, ...unneeded].filter(({ key }) => record.mayTry(key))
}

async function carryOut(state: SilenceState, alertmanager: Alertmanager, work: DueWork): Promise<void> {
  if (work.kind === 'make') await makeSilence(state, alertmanager, work.want, null)
  else if (work.kind === 'prolong') await prolongSilence(state, alertmanager, work.want, work.own)
  else await endSilence(state, alertmanager.port, work.own)
}

/** The run and node of a silence, for the journal. */
function placeOf(work: DueWork) {
  if (work.kind === 'end') return work.own.silence
  const { run, node } = work.want
  return { runId: run.id, cluster: run.plan.cluster, node }
}

function leaveRun({ known, held, record }: SilenceState, runId: string): void {
  known.delete(runId)
  for (const [key, { silence, endsAtMs }] of [...held]) {
    if (silence.runId !== runId) continue
    held.delete(key)
    record.left({ ...silence, endsAt: endsAtMs === 0 ? silence.endsAt : new Date(endsAtMs).toISOString() })
  }
}

async function checkOthers({ journal, clusters, clock, held, isDriven, portOf, record }: SilenceState): Promise<void> {
  const kept = journal.since(new Date(clock.now() - OTHERS_FOR_MS).toISOString())
  const listed = clusters()
  if (!kept.ok || !listed.ok) return
  for (const silence of openSilencesIn(kept.value)) {
    if (held.has(silenceKey(silence)) || clock.now() < Date.parse(silence.endsAt) || isDriven(silence.runId)) continue
    const cluster = listed.value.find(({ name }) => name === silence.cluster)
    if (cluster === undefined || !record.mayTry(silence.id)) continue
    const { alertmanager } = signalsOf(cluster)
    if (alertmanager === null || alertmanagerHost(alertmanager) !== silence.host) {
      record.letGo(silence)
      continue
    }
    const port = await portOf(cluster)
    const seen = port.ok ? await port.value.look(silence.id) : port
    if (!seen.ok) record.putOff(silence.id)
    else if (seen.value === null) record.over(silence, 'gone', true, isoNow(clock))
    else if (seen.value.state === 'expired') {
      const own = { silence, endsAtMs: 0, isEndAsked: false }
      record.over(silence, howOver(seen.value.endsAt, own), true, seen.value.endsAt)
    }
  }
}
