import { REQUEST_RUN_ANNOTATION } from '../../../../shared/domain/maintenance-api.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  factNumber,
  factText,
  NODE_WORKED,
  WORK_JOB_FAILED,
  WORK_JOB_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import type { NodeWorkGate } from '../../../../shared/domain/update.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { factValues } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { jobForNode, jobName, readJobManifest } from './job-manifest.ts'
import { windowsEnd } from './windows-end.ts'

/** A failed Job is a question; "try again" creates another one. */
export async function awaitJob(
  node: string,
  gate: Extract<NodeWorkGate, { kind: 'job' }>,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const manifest = readJobManifest(gate.manifest)
  if (!manifest.ok) return { kind: 'failed', failure: manifest.failure }
  const { namespace } = gate
  const attempt = attemptOf(ctx.history())
  const name = jobName(ctx.runId, node, attempt)
  const job = jobForNode(manifest.value, {
    name,
    namespace,
    node,
    annotations: { [REQUEST_RUN_ANNOTATION]: ctx.runId },
  })
  ctx.announce(WORK_JOB_REQUESTED, `node/${node}`, { name, namespace, attempt })
  const made = await ctx.world.kubernetes.createJob(namespace, job, ctx.signal)
  if (!made.ok) return { kind: 'failed', failure: made.failure }
  const window = windowsEnd(ctx)
  return awaitChange(
    {
      subject: `node/${node}`,
      look: async () => {
        const status = await ctx.world.kubernetes.getJob(namespace, name, ctx.signal)
        if (!status.ok) {
          return status.failure.code === 'not-found'
            ? failedJob(node, name, fault('JobDeleted', { namespace, name }), ctx)
            : status
        }
        const { state, message: output } = status.value
        if (state === 'complete') {
          ctx.report(NODE_WORKED, `node/${node}`, { job: name })
          return ok({ kind: 'so', note: found('JobComplete', { namespace, name, output }) })
        }
        if (state === 'failed') return failedJob(node, name, fault('JobFailed', { namespace, name, output }), ctx)
        return ok({ kind: 'waits', what: found('JobRuns', { namespace, name, node, output }) })
      },
      until:
        window === null ? null : { at: window.at, over: waits => fault('JobNotOverInWindow', { ...waits, window }) },
      quiet: quiet => fault('JobDoesNotEnd', { ...quiet, namespace, name }),
      choices: ['continue', 'retry', 'abort'],
    },
    ctx,
  )
}

function failedJob(node: string, name: string, why: Fault, ctx: MaintenanceContext) {
  ctx.report(WORK_JOB_FAILED, `node/${node}`, { name, ...factValues('message', why) })
  return ok({ kind: 'stuck', why } as const)
}

/** A Job that did not fail is continued, after a restart too; after a failed one the next attempt starts. */
function attemptOf(history: readonly RunFact[]): number {
  const last = history.findLast(({ fact }) => fact === WORK_JOB_REQUESTED)
  if (last === undefined) return 1
  const failed = history.some(
    fact => fact.fact === WORK_JOB_FAILED && factText(fact, 'name') === factText(last, 'name'),
  )
  return (factNumber(last, 'attempt') ?? 1) + (failed ? 1 : 0)
}
