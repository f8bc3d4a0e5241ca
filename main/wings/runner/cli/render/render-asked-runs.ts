import type { AskedRun, AskedRuns } from '../../../../../shared/contract/index.ts'
import { counted } from '../../../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../../../shared/grammar/times.ts'
import { askedRunWords, askedSubject, unreadAsked } from '../../../../../shared/words/runners.ts'
import { renderWarning } from '../../../../faces/cli/render/render-failure.ts'
import type { Look } from '../../../../faces/cli/words/look.ts'
import { hang } from '../../../../faces/cli/words/width.ts'

/** Requests that ended before they started stay until their objects are deleted; the list shows only the newest. */
const ENDED_SHOWN = 5

/** MaintenanceRuns without a run here, below the runs, by their full object names. */
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
    ...group('Requested, not started (`lockkeeper run show NAME`):', waiting, look),
    ...group('Requested, ended before they started:', shown, look),
    ...older,
    ...group(
      "Refused or withdrawn hand-overs (`lockkeeper run resume RUN` continues on the run's console):",
      notTaken,
      look,
    ),
    ...group('Started in the cluster, not read here (`lockkeeper runner list` says why):', begun, look),
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

/** One MaintenanceRun: its request, its state, and the next command. */
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
    ...line('starts', startAfter === null ? null : `not before ${time(startAfter)}`),
    ...line('ends', notAfter === null ? null : `starts no node that would not finish by ${time(notAfter)}`),
    ...line('campaign', campaign === null ? null : `${campaign} decides when it starts`),
    ...line('run', runId === null ? null : `${runId}; this console does not read its runner's journal`),
    ...line('hands', handedOver === null ? null : `over run ${handedOver}, as its console left it`),
    ...(over || runId !== null ? [] : ['', `next: \`lockkeeper run abort ${object}\` withdraws it`]),
  ]
}

/** Where MaintenanceRuns could not be read, so that the list may be incomplete. */
export function renderUnreadAsked({ unread }: Pick<AskedRuns, 'unread'>, look: Look): readonly string[] {
  return unread.flatMap(each => renderWarning(unreadAsked(each), look))
}
