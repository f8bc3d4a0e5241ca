import { ApplicationUpdate } from '../../../../shared/domain/application-update.ts'
import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** What starts the update of each application: every patched field with old and new value, or a command exactly as written, on one line. */
export function renderApplications({ plan, checks }: CheckedPlan, look: Look): readonly string[] {
  const lines = plan.steps.flatMap(({ id, input, title }) => {
    const update = ApplicationUpdate.safeParse(input.update)
    if (!update.success) return []
    const work = CommandWork.safeParse(input.work)
    if (work.success) {
      const { command, directory } = work.data
      // Never wrapped, so that the operator can paste the confirmed command.
      return [`  Update ${update.data.application}: this machine runs once in ${directory}:`, `    ${command}`]
    }
    const effects = checks.find(({ stepId }) => stepId === id)?.answer.effects ?? []
    return [
      ...hang('  ', title, look.columns),
      ...effects.flatMap(effect =>
        effect.kind === 'change'
          ? hang('    ', `${effect.target}: ${effect.from} ${look.symbols.arrow} ${effect.to}`, look.columns)
          : [],
      ),
    ]
  })
  return lines.length === 0 ? [] : ['', look.palette.strong('Applications'), ...lines]
}
