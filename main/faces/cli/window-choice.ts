import type { RequestInput } from '../../../shared/contract/index.ts'
import { type CheckedPlan, isWayBack } from '../../../shared/domain/plan.ts'
import { reasonOfPlan, wantsReason } from '../../../shared/domain/reason-policy.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { windowLabel } from '../../../shared/words/windows.ts'
import type { CommandContext } from './command.ts'
import { askLine } from './follow/questions.ts'

type WindowInput = Pick<RequestInput<'run.start'>, 'windowId' | 'outsideWindow'>

/** The window of a new run: from flags, or an answer at the terminal. Production alone asks for a reason; null if the operator gave none. The application knows which window is open. */
export async function windowChoice(
  { plan }: CheckedPlan,
  context: CommandContext,
  more: { readonly yes: boolean; readonly production: boolean },
): Promise<Result<WindowInput | null>> {
  const { args, contract, printer, io } = context
  if (isWayBack(plan.kind) || plan.kind === 'rescue' || plan.window?.kind === 'in') return ok({})
  const windowId = args.text('window')
  if (windowId !== null) return ok({ windowId })
  const outsideWindow = args.text('outside-window')
  if (outsideWindow !== null) return ok({ outsideWindow })
  if (more.yes || !(io.canAsk && printer.channel.isTTY)) return ok({})
  const listed = await contract.ask('window.list', { cluster: plan.cluster })
  if (!listed.ok) return listed
  const open = listed.value.filter(({ status }) => status === 'open')
  const [only] = open
  if (only !== undefined && open.length === 1) {
    printer.say(`The run belongs to the maintenance window ${windowLabel(only.window)}.`)
    return ok({})
  }
  if (open.length > 1 || !wantsReason(plan, more) || reasonOfPlan(plan) !== '') return ok({})
  const reason = await askLine(
    `No window is open on ${plan.cluster}. Why now (kept with the run)`,
    context,
    new AbortController().signal,
  )
  return ok(reason === null || reason === '' ? null : { outsideWindow: reason })
}
