import { vendorEstimate, vendorInputsOf } from '../../../../shared/domain/vendor-estimate.ts'
import { figureFaultWords, wordedVendorEstimate } from '../../../../shared/words/vendor-estimates.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { type PlannedWork, plannedWork } from '../planned-work.ts'
import { renderEstimate, renderJudgement, renderVendor } from '../render/render-estimate.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const showEstimate: Command = async context => {
  const { args, contract, printer } = context
  const typed = args.texts('figure')
  if (typed.length > 0) return showTyped(typed, context)
  const work = await plannedWork(context)
  if (!work.ok) return reportFailure(context, work.failure)
  const { cluster, plan } = work.value
  const made = await contract.ask('estimate.make', { cluster, plan })
  if (!made.ok) return reportFailure(context, made.failure)
  if (printer.json) printer.value(made.value)
  else printer.say(...(await judged(work.value, context)), ...renderEstimate(made.value, printer.look))
  return 0
}

/** Whether the plan could start and fits, in a line, and what blocks each node. A cloud that does not answer says nothing. */
async function judged(
  { cluster, plan, window }: PlannedWork,
  { contract, printer: { look } }: CommandContext,
): Promise<readonly string[]> {
  const judgement = await contract.ask('window.judge', { cluster, plan })
  return judgement.ok ? renderJudgement(judgement.value, window, look) : []
}

/** The vendor's formula with typed figures; reads no cluster. */
function showTyped(typed: readonly string[], context: CommandContext): ExitCode {
  const figures = typed.map(text => text.split('=', 2))
  const inputs = vendorInputsOf(
    new Map(figures.map(([name = '', amount = '']) => [name, Number(amount || Number.NaN)])),
  )
  if ('code' in inputs) return reportUsage(context, figureFaultWords(inputs))
  const estimate = wordedVendorEstimate(vendorEstimate(inputs, 'typed'))
  if (context.printer.json) context.printer.value(estimate)
  else context.printer.say(...renderVendor(estimate, context.printer.look))
  return 0
}
