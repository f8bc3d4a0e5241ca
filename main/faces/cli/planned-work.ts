import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MaintenanceWindow, WindowPlan } from '../../../shared/domain/window.ts'
import type { CommandContext } from './command.ts'
import { connectCluster } from './connect-cluster.ts'
import { planSaid } from './window-draft.ts'

/** The work a question is about: that of a window, another plan for it, or nodes of a cluster without any window. */
interface PlannedWork {
  readonly cluster: string
  readonly plan: WindowPlan
  /** Null: no window is made of it yet. */
  readonly window: MaintenanceWindow | null
}

/** The work as operand and flags name it; its cluster is connected. */
export async function plannedWork(context: CommandContext): Promise<Result<PlannedWork>> {
  const { args, contract } = context
  const id = args.operands.WINDOW ?? null
  const named = args.text('cluster')
  if ((id === null) === (named === null)) {
    return failed(failure('bad-input', 'Name one of a window and --cluster CLUSTER with its nodes.'))
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
    return failed(
      failure('bad-input', `Say which nodes of ${cluster}: --nodes A,B, --batch for each batch, or --update.`),
    )
  }
  return ok({ cluster, plan: plan.value, window })
}
