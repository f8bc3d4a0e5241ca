import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { nodeWork } from './node-work.ts'
import { applicationIn, updateApplication } from './update-application.ts'

type Planned = Pick<PlannedStep, 'kind' | 'input'>

/** The command of the operator's that a step of a plan is to run; null: it runs none. */
export function commandOfStep({ kind, input }: Planned): CommandWork | null {
  const work = kind === nodeWork.kind || kind === updateApplication.kind ? CommandWork.safeParse(input.work) : null
  return work?.success ? work.data : null
}

/** The application that a step of a plan updates; null: it updates none. */
export function applicationOfStep({ kind, input }: Planned): string | null {
  return kind === updateApplication.kind ? applicationIn(input) : null
}
