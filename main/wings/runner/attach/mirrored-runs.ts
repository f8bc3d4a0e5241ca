import type { RunnerOfRun, RunSummary } from '../../../../shared/contract/index.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import type { RunCondition } from '../../../../shared/domain/run-condition.ts'
import { conditionSentence, conditionWord } from '../../../../shared/words/conditions.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { RunInHistory } from '../../../runs/run-in-history.ts'
import { createRunReading, type RunReading } from '../../../runs/run-reading.ts'
import type { JournalMirror } from '../mirrors/mirrors.ts'
import { isSamePlace } from './runner-place.ts'

export interface MirroredRuns extends RunReading {
  readonly mirror: JournalMirror
  /** The full id of the run of this mirror that begins with these letters; null if there is no such run, or several. */
  idOf(given: string): string | null
}

/** Reads the runs of a mirror; `runnerOf`: which runner drives them, and whether it answers now. */
export function mirroredRuns(
  mirror: JournalMirror,
  runnerOf: () => RunnerOfRun,
  undriven: (runId: string) => boolean,
  clock: Clock,
): MirroredRuns {
  const reading = createRunReading({
    journal: mirror.journal,
    hasLostDriver: view => view.state.kind !== 'finished' && undriven(view.id),
    whyRefused: () => undefined,
    clock,
  })
  const marked = (summary: RunSummary) => asMirrored(summary, runnerOf())
  return {
    mirror,
    idOf: given => {
      const ids = given === '' ? [] : mirror.journal.idsBeginningWith(given)
      return ids.find(id => id === given) ?? (ids.length === 1 ? (ids[0] ?? null) : null)
    },
    view: given => {
      const found = reading.view(given)
      return found.ok ? ok({ ...found.value, summary: marked(found.value.summary) }) : found
    },
    readAhead: reading.readAhead,
    list: filter => {
      const listed = reading.list(filter)
      return listed.ok ? ok(listed.value.map(marked)) : listed
    },
    history: async filter => {
      const listed = await reading.history(filter)
      return listed.ok ? ok(listed.value.map(run => ({ ...run, summary: marked(run.summary) }))) : listed
    },
    // Runs that were open when the runner last answered are not shown as open now.
    unfinished: cluster => (runnerOf().connected ? reading.unfinished(cluster) : ok([])),
    takenOut: reading.takenOut,
  }
}

/** The runs of this console and those of every mirror as one, newest first. An unreadable mirror hides no other. */
export function withMirrored<R extends RunReading>(
  own: R,
  mirrors: () => readonly MirroredRuns[],
  clock: Pick<Clock, 'now'>,
): R {
  /** The mirror of the runner to which a run was handed over, once it has the run; undefined if no mirror has it. */
  const handedTo = (runId: string): MirroredRuns | undefined => {
    const found = own.view(runId)
    const to = found.ok ? found.value.view.handedTo : null
    if (to === null) return undefined
    return mirrors().find(({ idOf, mirror }) => {
      const about = mirror.about()
      return about !== null && isSamePlace(about, to) && idOf(runId) === runId
    })
  }
  /** A run that was handed over continues there: only its mirror shows it, so that it appears once. */
  const isReportedHere = ({ id, state }: RunSummary) => !MAY_BE_HANDED_OVER.has(state) || handedTo(id) === undefined
  /** Newest first. A runner may report a run under any id: a run of this console is never taken from a mirror. */
  const joined = <T>(
    ours: Result<readonly T[]>,
    theirs: readonly Result<readonly T[]>[],
    about: (one: T) => { readonly id: string; readonly createdAt: string },
  ): Result<readonly T[]> => {
    if (!ours.ok) return ours
    const known = new Set(ours.value.map(one => about(one).id))
    const others = theirs.map(each => (each.ok ? each.value : []).filter(one => !known.has(about(one).id)))
    return ok(newestFirst([ours.value, ...others], one => about(one).createdAt, new Date(clock.now()).toISOString()))
  }
  const reading: RunReading = {
    view: given => {
      const ours = own.view(given)
      if (ours.ok) return handedTo(ours.value.view.id)?.view(ours.value.view.id) ?? ours
      if (ours.failure.code !== 'not-found') return ours
      const theirs = mirrors().flatMap(each => each.idOf(given) ?? [])
      if (theirs.length > 1) {
        return failed(refusal('bad-input', because('SeveralRunsBegin', { given, runs: namesOf(theirs) })))
      }
      const holder = mirrors().find(each => each.idOf(given) !== null)
      return holder === undefined ? ours : holder.view(given)
    },
    *readAhead(given) {
      yield* own.readAhead(given)
      for (const each of mirrors()) if (each.idOf(given) !== null) yield* each.readAhead(given)
    },
    list: filter => {
      const listed = own.list(filter)
      const all = joined(
        listed.ok ? ok(listed.value.filter(isReportedHere)) : listed,
        mirrors().map(each => each.list(filter)),
        run => run,
      )
      return all.ok ? ok(all.value.slice(0, filter.limit)) : all
    },
    history: async filter => {
      const theirs = await Promise.all(mirrors().map(each => each.history(filter)))
      const ours = await own.history(filter)
      const all = joined<RunInHistory>(
        ours.ok ? ok(ours.value.filter(({ summary }) => isReportedHere(summary))) : ours,
        theirs,
        ({ summary }) => summary,
      )
      return all.ok ? ok(all.value.slice(0, filter.limit)) : all
    },
    unfinished: cluster => {
      const open = own.unfinished(cluster)
      return joined(
        open.ok ? ok(open.value.filter(({ id, view }) => view?.handedTo == null || handedTo(id) === undefined)) : open,
        mirrors().map(each => each.unfinished(cluster)),
        run => run,
      )
    },
    takenOut: cluster =>
      joined(
        own.takenOut(cluster),
        mirrors().map(each => each.takenOut(cluster)),
        run => run,
      ),
  }
  return { ...own, ...reading }
}

/**
 * Finds the events of mirrors that this console reported itself before it handed the run over: the runner's journal begins with them.
 */
export function reportedBefore({
  isOwn,
  view,
}: {
  /** Whether a run is in the journal of this console. */
  readonly isOwn: (runId: string) => boolean
  /** A run as it is now, from its mirror if one has it. */
  readonly view: RunReading['view']
}): (event: RunEvent) => boolean {
  const takenAt = new Map<string, number>()
  return ({ runId, seq }) => {
    if (!isOwn(runId)) return false
    const known = takenAt.get(runId)
    if (known !== undefined) return seq < known
    const found = view(runId)
    // A runner may report any run id; only this console reports a run that it drives itself.
    if (!found.ok || found.value.summary.runner === undefined) return true
    const taken = found.value.events.findLast(event => event.body.kind === 'run-taken-over')
    if (taken === undefined) return true
    takenAt.set(runId, taken.seq)
    return seq < taken.seq
  }
}

/** A run of a runner as this console shows it. While the runner does not answer, its last known state is never shown as the current one. */
function asMirrored(summary: RunSummary, runner: RunnerOfRun): RunSummary {
  if (runner.connected || summary.condition.kind === 'over') return { ...summary, runner }
  const { condition: was } = summary
  const condition: RunCondition = {
    kind: 'unheard',
    since: runner.asOf,
    runner: runner.name,
    // `waits for an owner` then is `waiting for an owner` of a time that is past.
    was: conditionWord(was)
      .replace(/^waits/, 'waiting')
      .replace(/^needs you$/, 'waiting for you'),
    waits: 'waits' in was ? [...was.waits] : [],
  }
  return { ...summary, runner, state: 'unheard', condition, summary: conditionSentence(condition) }
}

/** States of a run that a runner may have. After an announced hand-over with a lost answer, this console does not continue the run. */
const MAY_BE_HANDED_OVER: ReadonlySet<RunSummary['state']> = new Set(['handed-over', 'interrupted'])

/**
 * The runs of several journals, each newest first, as one such list. Each journal's order stays, also where its clock was set back; a time that is still to come
 * is wrong and places nothing. If runs have the same time, the first journal's runs come first.
 */
function newestFirst<T>(journals: readonly (readonly T[])[], at: (one: T) => string, now: string): readonly T[] {
  const placed = journals.flatMap(runs => {
    const past = runs.map(at).filter(time => time <= now)
    let since = past.reduce((least, time) => (time < least ? time : least), now)
    return runs
      .toReversed()
      .map(run => {
        since = at(run) > since && at(run) <= now ? at(run) : since
        return { run, since }
      })
      .toReversed()
  })
  return placed.toSorted((a, b) => b.since.localeCompare(a.since)).map(({ run }) => run)
}
