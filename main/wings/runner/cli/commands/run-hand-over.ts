import type { RunSummary } from '../../../../../shared/contract/index.ts'
import { isDisruptive } from '../../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../../shared/domain/result.ts'
import { foldRun } from '../../../../../shared/domain/run-fold.ts'
import { shellWord } from '../../../../../shared/grammar/shell-word.ts'
import { workTitle } from '../../../../../shared/words/plans.ts'
import { because } from '../../../../../shared/words/reasons.ts'
import { refusal } from '../../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../../../../faces/cli/command.ts'
import { findRun } from '../../../../faces/cli/find-run.ts'
import { confirmOnCluster } from '../../../../faces/cli/follow/confirm-cluster.ts'
import { unattendedAnswers } from '../../../../faces/cli/follow/unattended.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { followSubmitted, whoseRunner } from '../in-cluster.ts'
import { agreedAnswers, wishesInCluster } from '../in-cluster-wishes.ts'

const LOOK_EVERY_MS = 500

/** `run hand-over`: pauses a running run of this console, and hands it over to the runner of its cloud. */
export const handOverRun: Command = async context => {
  const { args, contract, printer, io } = context
  const yes = args.isSet('yes')
  if (!(io.canAsk && printer.channel.isTTY) && !yes) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to hand the run over without a question.')
  }
  const wishes = wishesInCluster(args, true)
  if (typeof wishes === 'string') return reportUsage(context, wishes)
  const found = await findRun(context, args.operand('RUN'))
  if (!found.ok) return reportFailure(context, found.failure)
  const { id, cluster } = found.value
  const shown = await contract.ask('run.show', { runId: id })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { plan } = foldRun(shown.value.events)
  const said = unattendedAnswers(args.texts('answer'), plan.steps, yes)
  if (!said.ok) return reportFailure(context, said.failure)
  const refused = await whoseRunner(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return reportFailure(context, listed.failure)
  const production = isDisruptive(plan) && listed.value.find(({ name }) => name === cluster)?.production === true
  const question = `Hand run ${id} over (${workTitle(plan)})? This console then stops working on it.`
  const confirmed = await confirmOnCluster(cluster, question, { yes, production }, context)
  if (typeof confirmed === 'number') return confirmed
  if (confirmed === null) {
    printer.say('The run stays here.')
    return 4
  }
  const askHandOver = () =>
    contract.ask('runner.hand-over', {
      runId: id,
      ...confirmed,
      ...(wishes.notAfter === undefined ? {} : { notAfter: wishes.notAfter }),
      ...(wishes.resumePolicy === undefined ? {} : { resumePolicy: wishes.resumePolicy }),
      answers: [...agreedAnswers(args.texts('answer'), plan.steps, yes)],
    })
  let handed = await askHandOver()
  // `held` means that the run only has to pause first; a run that can never be handed over is not paused for it.
  if (!handed.ok && handed.failure.code === 'held' && found.value.state !== 'interrupted') {
    const rests = await untilAtRest(found.value, context)
    if (!rests.ok) return reportFailure(context, rests.failure)
    handed = await askHandOver()
    if (!handed.ok) {
      const exit = reportFailure(context, handed.failure)
      printer.say(`next: continue it here with \`lockkeeper run resume ${shellWord(id)}\``)
      return exit
    }
  }
  if (!handed.ok) return reportFailure(context, handed.failure)
  return followSubmitted(handed.value, context, {
    unattended: null,
    refused: `continue it here with \`lockkeeper run resume ${shellWord(id)}\``,
  })
}

/** Pauses a running run and waits until its steps have finished. */
async function untilAtRest(run: RunSummary, context: CommandContext): Promise<Result<void>> {
  const { contract, printer, io, interruptions } = context
  const { id } = run
  const left = new AbortController()
  const unhandle = interruptions.handle(() => left.abort())
  let asked = false
  try {
    for (;;) {
      const now = await contract.ask('run.show', { runId: id })
      if (!now.ok) return now
      const { condition } = now.value.summary
      // In any other state the hand-over itself refuses, with its reason.
      if (condition.kind === 'paused' || condition.kind === 'interrupted' || condition.kind === 'over')
        return ok(undefined)
      if (left.signal.aborted) {
        return failed(refusal('aborted', because('HandOverAwaited', { run: id })))
      }
      if (!asked) {
        const paused = await contract.ask('run.pause', { runId: id })
        if (!paused.ok) return paused
        printer.say(`Asked run ${id} to pause. Running steps finish first.`)
        asked = true
      }
      await io.clock.sleep(LOOK_EVERY_MS, left.signal)
    }
  } finally {
    unhandle()
  }
}
