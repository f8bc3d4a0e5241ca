import { LATE_BY_MINUTES } from '../../../../shared/domain/agreed-start.ts'
import { minutes, seconds } from '../../../../shared/domain/durations.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import type { MaintenanceWindow } from '../../../../shared/domain/window.ts'
import { zonedText } from '../../../../shared/grammar/times.ts'
import { agreedStartWords, CONSOLE_HAS_TO_BE_OPEN } from '../../../../shared/words/agreed-starts.ts'
import { windowLabel } from '../../../../shared/words/windows.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { followRun } from '../follow/follow-run.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { hang } from '../words/width.ts'
import { askToConfirm, showToConfirm } from './maintain.ts'

const LOOK_EVERY_MS = seconds(2)

/** Asks to confirm the plan of a window that starts automatically, and waits for the start unless `--no-wait`. */
export async function agreeToStart(
  window: MaintenanceWindow,
  checked: CheckedPlan,
  context: CommandContext,
): Promise<ExitCode> {
  const { args, contract, printer } = context
  const lateByMinutes = Math.round((args.number('late-by') ?? minutes(LATE_BY_MINUTES.usual)) / minutes(1))
  if (lateByMinutes < LATE_BY_MINUTES.least || lateByMinutes > LATE_BY_MINUTES.most)
    return reportUsage(context, `--late-by: from ${LATE_BY_MINUTES.least} to ${LATE_BY_MINUTES.most} minutes.`)
  const shown = await showToConfirm(checked, context)
  if (typeof shown === 'number') return shown
  printer.say(...hang('', CONSOLE_HAS_TO_BE_OPEN, printer.look.columns), '')
  const at = `${zonedText(window.startsAt, window.timeZone)} (${window.timeZone})`
  const question = `Start ${windowLabel(window)} automatically at ${at}, at most ${lateByMinutes} min late?`
  const confirmed = await askToConfirm(checked, question, { yes: args.isSet('yes'), ...shown }, context)
  if (typeof confirmed === 'number') return confirmed
  const { id } = window
  const agreed = await contract.ask('window.agree-start', { id, planId: checked.plan.id, lateByMinutes, ...confirmed })
  if (!agreed.ok) return reportFailure(context, agreed.failure)
  if (printer.json) printer.value(agreed.value)
  return args.isSet('no-wait') ? printAgreed(agreed.value.window, context) : waitFor(agreed.value.window, context)
}

/** `window wait`: waits until a confirmed window starts, and follows its run to the end. */
export const waitForWindow: Command = async context => {
  const shown = await context.contract.ask('window.show', { id: context.args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { window } = shown.value
  if (window.start?.state.kind === 'waits') return waitFor(window, context)
  context.printer.say(
    agreedStartWords(window) ?? `Window ${windowLabel(window)} does not start automatically: nobody confirmed it.`,
  )
  return 3
}

export const takeBackStart: Command = async context => {
  const { args, contract, printer } = context
  const why = args.text('why') ?? 'withdrawn at the terminal'
  const taken = await contract.ask('window.take-back-start', { id: args.operand('WINDOW'), why })
  if (!taken.ok) return reportFailure(context, taken.failure)
  printer.say(`Window ${windowLabel(taken.value.window)} no longer starts automatically.`)
  if (printer.json) printer.value(taken.value)
  return 0
}

function printAgreed(window: MaintenanceWindow, { printer }: CommandContext): ExitCode {
  printer.say(...hang('', agreedStartWords(window) ?? '', printer.look.columns))
  printer.say(...hang('', `\`lockkeeper window take-back ${window.id}\` withdraws this.`, printer.look.columns))
  return 0
}

async function waitFor(window: MaintenanceWindow, context: CommandContext): Promise<ExitCode> {
  const { contract, printer, io, interruptions } = context
  printAgreed(window, context)
  printer.say('Waiting. Ctrl-C stops waiting and withdraws nothing.')
  const left = new AbortController()
  const unhandle = interruptions.handle(() => left.abort())
  try {
    let reported: string | null = null
    for (;;) {
      const attended = await contract.ask('window.attend-start', { id: window.id })
      if (!attended.ok) return reportFailure(context, attended.failure)
      const came = attended.value
      switch (came.kind) {
        case 'waits':
          if (came.trouble !== null && came.trouble !== reported) printer.warn(`Not yet: ${came.trouble}`)
          reported = came.trouble
          break
        case 'missed':
          printer.warn(...hang('', `The window did not start. ${came.why}`, printer.look.columns))
          return 3
        case 'not-ours':
          return printWhereItIs(window.id, context)
        case 'started':
          unhandle()
          return followRun(context, async () => {
            const run = await contract.ask('run.show', { runId: came.runId })
            return run.ok ? { ok: true, value: run.value.summary } : run
          })
      }
      await io.clock.sleep(LOOK_EVERY_MS, left.signal)
      if (left.signal.aborted) {
        printer.say(
          ...hang(
            '',
            `Stopped waiting. The window still starts if Lockkeeper is open on this computer at that time.`,
            printer.look.columns,
          ),
        )
        return 4
      }
    }
  } finally {
    unhandle()
  }
}

/** The window was withdrawn, or another console started it: prints what the journal says now. */
async function printWhereItIs(id: string, context: CommandContext): Promise<ExitCode> {
  const { contract, printer } = context
  const shown = await contract.ask('window.show', { id })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { window, runs } = shown.value
  const [run] = runs
  printer.say(
    ...hang('', agreedStartWords(window) ?? 'The window no longer starts automatically.', printer.look.columns),
  )
  if (run !== undefined) printer.say(`Its run is ${run.id}: \`lockkeeper run show ${run.id}\``)
  return run === undefined ? 3 : 0
}
