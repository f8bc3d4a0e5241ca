import type { Envelope, RunDetail, RunSummary } from '../../../../shared/contract/index.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { CommandContext } from '../command.ts'
import { type ExitCode, exitOfRun } from '../exit-code.ts'
import { renderEnd } from '../render/render-end.ts'
import { renderGate } from '../render/render-gate.ts'
import { runAsJson } from '../render/run-as-json.ts'
import { reportFailure } from '../report-failure.ts'
import { attendRun, type Message, type PreparedAnswer, SETTLE_MS } from './attend-run.ts'
import { createInbox } from './inbox.ts'
import { createRunFeed } from './run-feed.ts'
import type { Unattended } from './unattended.ts'

/**
 * Starts or resumes a run and follows it until it ends or waits: shows its progress, asks its questions, and turns Ctrl-C into detach,
 * pause or stop it. Without a terminal a stop signal detaches, and so does a question once no other lane is running.
 */
export async function followRun(
  context: CommandContext,
  begin: () => Promise<Envelope<RunSummary>>,
  given: { readonly prepared?: PreparedAnswer; readonly unattended?: Unattended } = {},
): Promise<ExitCode> {
  const inbox = createInbox<Message>()
  const feed = createRunFeed(context.contract, inbox.push)
  const unhandle = context.interruptions.handle(signal => inbox.push({ kind: 'signal', signal }))
  try {
    const begun = await begin()
    if (!begun.ok) return reportFailure(context, begun.failure)
    const runId = begun.value.id
    const adopted = await feed.adopt(runId)
    if (!adopted.ok) return reportFailure(context, adopted.failure)
    await attendRun(runId, context, feed.events, inbox, given)
    return await printEnd(runId, context)
  } finally {
    unhandle()
    feed.stop()
  }
}

/** Whether the run is being handed over: its console stopped it for that, and the result is still unknown. */
function isBeingHandedOver({ events }: RunDetail): boolean {
  const last = events.at(-1)?.body
  if (last?.kind === 'driver-left') return last.handsOver === true
  return last?.kind === 'hand-over-announced' || last?.kind === 'run-taken-over'
}

const HANDED_OVER_LOOK_MS = 250

async function printEnd(runId: string, context: CommandContext): Promise<ExitCode> {
  const { contract, printer, io, interruptions } = context
  const until = io.clock.monotonicMs() + SETTLE_MS
  const left = new AbortController()
  const unhandle = interruptions.handle(() => left.abort())
  let shown = await contract.ask('run.show', { runId })
  while (shown.ok && isBeingHandedOver(shown.value) && io.clock.monotonicMs() < until && !left.signal.aborted) {
    await io.clock.sleep(HANDED_OVER_LOOK_MS, left.signal)
    shown = await contract.ask('run.show', { runId })
  }
  unhandle()
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { summary, events }: RunDetail = shown.value
  const view = foldRun(events)
  printer.say('', ...renderEnd(summary, view, printer.look), ...renderGate(summary, events, printer.look))
  if (printer.json) printer.value(runAsJson(summary, view, events))
  return exitOfRun(summary.state)
}
