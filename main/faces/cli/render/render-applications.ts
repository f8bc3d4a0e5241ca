import { ApplicationUpdate } from '../../../../shared/domain/application-update.ts'
import { CommandWork } from '../../../../shared/domain/command-work.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** What starts the update of each application: every field that is patched, from what to what, and a command as it stands, on one line. */
export function renderApplications({ plan, checks }: CheckedPlan, look: Look): readonly string[] {
  const lines = plan.steps.flatMap(({ id, input, title }) => {
    const update = ApplicationUpdate.safeParse(input.update)
    if (!update.success) return []
    const work = CommandWork.safeParse(input.work)
    if (work.success) {
      const { command, directory } = work.data
      // Never wrapped: what is confirmed is what is pasted.
      return [`  Update ${update.data.application}: this machine runs once, in ${directory}:`, `    ${command}`]
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
