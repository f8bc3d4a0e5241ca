import type { ReportCheck } from '../../shared/domain/report.ts'
import { type Material, nodeOfStep, type ReportedRun, stepOf } from './material.ts'

/** Every check that did not hold, once a reason, and who lifted it and why. */
export function buildChecks({ runs }: Pick<Material, 'runs'>): readonly ReportCheck[] {
  return runs.flatMap(checksOf)
}

function checksOf(run: ReportedRun): readonly ReportCheck[] {
  const checks = new Map<string, ReportCheck>()
  let operator = run.view.driver.operator
  for (const { at, body } of run.events) {
    switch (body.kind) {
      case 'run-created':
      case 'run-driven':
        operator = body.driver.operator
        break
      case 'step-checked':
        if (body.answer.kind !== 'blocked') break
        for (const { code, message, remedy } of body.answer.blockers) {
          const key = keyOf(body.stepId, code, message)
          if (!checks.has(key)) checks.set(key, checkFrom(run, { at, stepId: body.stepId, code, message, remedy }))
        }
        break
      case 'blocker-overridden': {
        const { stepId, code, message, flag, reason } = body
        const key = keyOf(stepId, code, message)
        const known = checks.get(key) ?? checkFrom(run, { at, stepId, code, message, remedy: '' })
        checks.set(key, { ...known, overridden: known.overridden ?? { flag, reason, by: operator } })
        break
      }
      default:
        break
    }
  }
  return [...checks.values()]
}

function checkFrom(
  run: ReportedRun,
  said: Pick<ReportCheck, 'at' | 'stepId' | 'code' | 'message' | 'remedy'>,
): ReportCheck {
  const step = stepOf(run, said.stepId)
  return {
    ...said,
    runId: run.view.id,
    node: nodeOfStep(run, step),
    title: step?.title ?? said.stepId,
    overridden: null,
  }
}

function keyOf(stepId: string, code: string, message: string): string {
  return JSON.stringify([stepId, code, message])
}
