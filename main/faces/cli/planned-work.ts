import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MaintenanceWindow, WindowPlan } from '../../../shared/domain/window.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CommandContext } from './command.ts'
import { connectCluster } from './connect-cluster.ts'
import { planSaid } from './window-draft.ts'

/** The work to estimate: the plan of a window, another plan for it, or nodes without a window. */
export interface PlannedWork {
  readonly cluster: string
  readonly plan: WindowPlan
  /** Null if there is no window yet. */
  readonly window: MaintenanceWindow | null
}

/** Reads the work from operand and flags, and connects its cluster. */
export async function plannedWork(context: CommandContext): Promise<Result<PlannedWork>> {
  const { args, contract } = context
  const id = args.operands.WINDOW ?? null
  const named = args.text('cluster')
  if ((id === null) === (named === null)) {
    return failed(refusal('bad-input', because('WindowOrClusterNeeded')))
  }
  const shown = id === null ? null : await contract.ask('window.show', { id })
  if (shown !== null && !shown.ok) return shown
  const window = shown?.value.window ?? null
  const cluster = window?.cluster ?? named ?? ''
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return failed(refused)
  const plan = await planSaid(cluster, window?.plan ?? { kind: 'open' }, context)
  if (!plan.ok) return plan
  if (window === null && plan.value.kind === 'open') {
    return failed(refusal('bad-input', because('NodesNeeded', { cluster })))
  }
  return ok({ cluster, plan: plan.value, window })
}
