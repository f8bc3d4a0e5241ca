import type { Envelope, RunSummary } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { conditionWord, mayTellEnd } from '../../../shared/domain/run-condition.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { confirm } from '../follow/questions.ts'
import { ABORTED_HERE } from '../follow/run-questions.ts'
import { renderObservation, renderTimeline } from '../render/render-update.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { hang } from '../words/width.ts'
import { resumeHere } from './run-resume.ts'

const OVER: readonly RunSummary['state'][] = ['done', 'aborted', 'checks-failed']

/** `update status`: the update's timeline as text; of one that somebody else drives, what its objects show. */
export const showUpdate: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const newest = await newestUpdate(context)
  if (!newest.ok) return reportFailure(context, newest.failure)
  const run = newest.value
  if (run === null || OVER.includes(run.state)) {
    const refused = await connectCluster(cluster, context)
    if (refused !== null) return reportFailure(context, refused)
    const seen = await contract.ask('update.observe', { cluster })
    if (seen.ok && (run === null || (seen.value.timeline?.phase ?? null) !== null)) {
      if (printer.json) printer.value(seen.value)
      else printer.say(...renderObservation(seen.value, printer.look))
      return 0
    }
    if (run === null && !seen.ok) return reportFailure(context, seen.failure)
  }
  if (run === null) return 0
  const timeline = await contract.ask('update.timeline', { runId: run.id })
  if (!timeline.ok) return reportFailure(context, timeline.failure)
  if (printer.json) printer.value({ run, timeline: timeline.value })
  else {
    printer.say(
      ...hang('', updateWords(run, cluster), printer.look.columns),
      '',
      ...renderTimeline(timeline.value, printer.look),
      ...(mayTellEnd(run.condition) || run.endedAt !== null
        ? []
        : ['', `No end is told: the update ${isOrWaits(run)}.`]),
    )
  }
  return 0
}

function updateWords(run: RunSummary, cluster: string): string {
  return `Run ${run.id}: the update of ${cluster} ${isOrWaits(run)}. ${run.summary}`
}

/** `is running`, `waits for an owner`. */
function isOrWaits({ condition }: RunSummary): string {
  const word = conditionWord(condition)
  return condition.kind === 'waiting' ? word : `is ${word}`
}

/** `update pause`. */
export const pauseUpdate: Command = context =>
  tellDriver(
    context,
    runId => context.contract.ask('run.pause', { runId }),
    'to pause; nothing new is started',
    'driver',
  )

/** `update stop-after`: the nodes under way are finished, no other is begun. */
export const stopUpdateAfter: Command = context =>
  tellDriver(
    context,
    runId => context.contract.ask('run.pause-after-node', { runId }),
    'to pause after the nodes under way; no other node or phase is begun',
    'driver',
  )

/** `update skip`: a node that was not begun is passed. */
export const skipUpdateNode: Command = async context => {
  const node = context.args.operand('NODE')
  const reason = context.args.text('reason')
  if (reason === null)
    return reportUsage(context, `Say why ${node} is left out: --reason TEXT. It is kept with the run.`)
  return tellDriver(
    context,
    runId => context.contract.ask('run.skip-node', { runId, node, reason }),
    `to leave ${node} out`,
  )
}

/** `update resume`: lets a paused update on, or drives an interrupted one from here. */
export const resumeUpdate: Command = async context => {
  const { args, contract, printer } = context
  const found = await unfinishedUpdate(context)
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, state, machine, operator } = found.value
  if (state === 'paused') {
    const asked = await contract.ask('run.unpause', { runId: id })
    if (!asked.ok) return reportFailure(context, asked.failure)
    printer.say(`Run ${id} goes on where it is driven: on ${machine} by ${operator}.`)
    if (printer.json) printer.value(found.value)
    return 0
  }
  const refused = await connectCluster(args.operand('CLUSTER'), context)
  if (refused !== null) return reportFailure(context, refused)
  return resumeHere(id, context)
}

/** `update abort`: ends the update where it is, after a confirmation. */
export const abortUpdate: Command = async context => {
  const { args, contract, printer, surroundings } = context
  if (!(surroundings.canAsk && printer.channel.isTTY) && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to confirm at. Give --yes to abort the update without a question.',
    )
  }
  const cluster = args.operand('CLUSTER')
  const question = `Abort the update of ${cluster}? Its maintenance requests stay: nodes under way come back with leave, another update start takes the cluster over.`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('The update was left as it is.')
    return 4
  }
  const reason = args.text('reason') ?? ABORTED_HERE
  return tellDriver(context, runId => contract.ask('run.abort', { runId, reason }), 'to abort')
}

async function tellDriver(
  context: CommandContext,
  ask: (runId: string) => Promise<Envelope<unknown>>,
  what: string,
  needs: 'driver' | 'nothing' = 'nothing',
): Promise<ExitCode> {
  const { printer } = context
  const found = await unfinishedUpdate(context)
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, state, cluster } = found.value
  if (needs === 'driver' && (state === 'interrupted' || state === 'failed')) {
    return reportFailure(
      context,
      failure(
        'conflict',
        `Nobody drives run ${id}, so it stands still. \`lockkeeper update resume ${cluster}\` goes on.`,
        {
          target: `run/${id}`,
        },
      ),
    )
  }
  const asked = await ask(found.value.id)
  if (!asked.ok) return reportFailure(context, asked.failure)
  printer.say(`Asked run ${found.value.id} ${what}.`)
  if (printer.json) printer.value(found.value)
  return 0
}

/** The update of the cluster that is not over. */
async function unfinishedUpdate(context: CommandContext): Promise<Envelope<RunSummary>> {
  const cluster = context.args.operand('CLUSTER')
  const newest = await newestUpdate(context)
  if (!newest.ok) return newest
  if (newest.value !== null && !OVER.includes(newest.value.state)) return ok(newest.value)
  return failed(
    failure(
      'not-found',
      `No update of ${cluster} is under way. \`lockkeeper runs ${cluster}\` lists earlier ones, \`lockkeeper update start ${cluster}\` begins one.`,
      { target: `cluster/${cluster}` },
    ),
  )
}

async function newestUpdate({ args, contract }: CommandContext): Promise<Envelope<RunSummary | null>> {
  const listed = await contract.ask('run.list', { cluster: args.operand('CLUSTER') })
  if (!listed.ok) return listed
  return ok(listed.value.find(({ kind }) => kind === 'update') ?? null)
}
