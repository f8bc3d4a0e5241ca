import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { nodeWork } from './node-work.ts'
import { applicationIn, updateApplication } from './update-application.ts'

type Planned = Pick<PlannedStep, 'kind' | 'input'>

/** The command that a planned step runs; null if there is none. */
export function commandOfStep({ kind, input }: Planned): CommandWork | null {
  const work = kind === nodeWork.kind || kind === updateApplication.kind ? CommandWork.safeParse(input.work) : null
  return work?.success ? work.data : null
}

/** The application that a planned step updates; null if there is none. */
export function applicationOfStep({ kind, input }: Planned): string | null {
  return kind === updateApplication.kind ? applicationIn(input) : null
}
