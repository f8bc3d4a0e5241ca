import type { AskedRun, AskedRuns } from '../../../../shared/contract/index.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import { askedRunWords, askedSubject, unreadAsked } from '../../../../shared/words/runners.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { renderWarning } from './render-failure.ts'

/** Those that ended unbegun stay until somebody deletes their objects: a list of what is to come names the newest. */
const ENDED_SHOWN = 5

/** MaintenanceRuns that are no runs here, below the runs: each by the whole name by which it is shown and withdrawn. */
export function renderAskedRuns(
  runs: readonly AskedRun[],
  look: Look,
  { all }: { readonly all: boolean },
): readonly string[] {
  const waiting = runs.filter(({ runId, over }) => runId === null && !over)
  const ended = runs.filter(({ runId, over, handedOver }) => runId === null && over && handedOver === null)
  const notTaken = runs.filter(({ runId, over, handedOver }) => runId === null && over && handedOver !== null)
  const begun = runs.filter(({ runId }) => runId !== null)
  const shown = all ? ended : ended.slice(0, ENDED_SHOWN)
  const left = ended.length - shown.length
  const older = left === 0 ? [] : [`  and ${counted(left, 'older one')}: \`lockkeeper runs --asked\` shows all`]
  return [
    ...group('Asked for, not begun (`lockkeeper run show NAME`):', waiting, look),
    ...group('Asked for, ended before anything was begun:', shown, look),
    ...older,
    ...group(
      'Hand-overs that were refused or withdrawn (`lockkeeper run resume RUN` goes on where the run was driven):',
      notTaken,
      look,
    ),
    ...group('Begun in the cluster, and not read here (`lockkeeper runner list` says why):', begun, look),
  ]
}

function group(title: string, runs: readonly AskedRun[], look: Look): readonly string[] {
  return runs.length === 0 ? [] : ['', look.palette.strong(title), ...runs.flatMap(run => lineOf(run, look))]
}

function lineOf(run: AskedRun, look: Look): readonly string[] {
  const words = `${run.object}: ${[askedRunWords(run), askedSubject(run), ...limitsOf(run, look)].join(', ')}. ${run.message}`
  return hang('  ', words, look.columns)
}

function limitsOf({ confirmedBy, startAfter, notAfter, campaign }: AskedRun, look: Look): readonly string[] {
  return [
    ...(confirmedBy === null ? [] : [`confirmed by ${confirmedBy}`]),
    ...(startAfter === null ? [] : [`not before ${dateAndTime(startAfter, look.clock)}`]),
    ...(notAfter === null ? [] : [`not after ${dateAndTime(notAfter, look.clock)}`]),
    ...(campaign === null ? [] : [`of campaign ${campaign}`]),
  ]
}

/** One MaintenanceRun: what it asks for, what it waits for or came to, and what can be done about it. */
export function renderAskedRun(run: AskedRun, look: Look): readonly string[] {
  const {
    object,
    namespace,
    by,
    message,
    confirmedBy,
    startAfter,
    notAfter,
    campaign,
    askedAt,
    runId,
    over,
    handedOver,
  } = run
  const time = (at: string) => dateAndTime(at, look.clock)
  const line = (name: string, text: string | null) =>
    text === null ? [] : hang(`  ${name.padEnd(10)}`, text, look.columns)
  return [
    look.palette.strong(`MaintenanceRun ${object}: ${askedSubject(run)}`),
    ...line('state', `${askedRunWords(run)}. ${message}`),
    ...line('asked', `${time(askedAt)}, in namespace ${namespace} of ${by}`),
    ...line('by', confirmedBy),
    ...line('begins', startAfter === null ? null : `not before ${time(startAfter)}`),
    ...line('ends', notAfter === null ? null : `no node is begun that would not be finished by ${time(notAfter)}`),
    ...line('campaign', campaign === null ? null : `${campaign} says when it begins`),
    ...line('run', runId === null ? null : `${runId}; the journal of its runner is not read here`),
    ...line('hands', handedOver === null ? null : `over run ${handedOver}, from where its console had brought it`),
    ...(over || runId !== null ? [] : ['', `next: \`lockkeeper run abort ${object}\` withdraws it`]),
  ]
}

/** Where MaintenanceRuns could not be read: what is shown may not be all. */
export function renderUnreadAsked({ unread }: Pick<AskedRuns, 'unread'>, look: Look): readonly string[] {
  return unread.flatMap(each => renderWarning(unreadAsked(each), look))
}
