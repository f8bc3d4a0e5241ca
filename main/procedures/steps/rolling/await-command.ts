import { ok } from '../../../../shared/domain/result.ts'
import { NODE_WORKED, WORK_COMMAND_FAILED, WORK_COMMAND_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { NodeWorkGate } from '../../../../shared/domain/update.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { windowsEnd } from './windows-end.ts'
import { workAttempt } from './work-attempt.ts'

const FACTS = { requested: WORK_COMMAND_REQUESTED, failed: WORK_COMMAND_FAILED } as const

/**
 * Runs the operator's command on this machine, once, with the node's name in NODE_NAME, and waits for its end. It is never ended by us: it outlives this console,
 * and a run that is resumed waits for it on. One that failed, or of which nobody saw the end, is a question; asked to try again, it is run anew.
 */
export async function awaitCommand(
  node: string,
  { command }: Extract<NodeWorkGate, { kind: 'command' }>,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const { commands } = ctx.world
  if (commands === null) {
    return {
      kind: 'question',
      question: `The work on ${node} is a command, which only a terminal runs: leave this run and resume it there (\`lockkeeper run resume ${ctx.runId}\`). Continue goes on as if it were done.`,
      choices: ['continue', 'retry', 'abort'],
    }
  }
  const attempt = workAttempt(ctx.history(), FACTS)
  const name = `${ctx.runId}-${node}-${attempt}`
  ctx.announce(WORK_COMMAND_REQUESTED, `node/${node}`, { name, attempt })
  const started = await commands.start(name, command, { NODE_NAME: node })
  if (!started.ok) return { kind: 'failed', failure: started.failure }
  const { output } = started.value
  const endOfWindow = windowsEnd(ctx)
  const failing = (why: string) => {
    ctx.report(WORK_COMMAND_FAILED, `node/${node}`, { name, message: why })
    return ok({ kind: 'stuck', why } as const)
  }
  return awaitChange(
    {
      subject: `node/${node}`,
      look: async () => {
        const standing = await commands.look(name)
        if (!standing.ok) return standing
        switch (standing.value.kind) {
          case 'runs':
            return ok({ kind: 'waits', what: `the command of the work on ${node}; what it prints is in ${output}` })
          case 'lost':
            return failing(`The command of the work on ${node} is gone, and nobody saw how it ended.`)
          case 'ended': {
            const { code } = standing.value
            if (code !== 0) return failing(`The command of the work on ${node} ended with exit code ${code}.`)
            ctx.report(NODE_WORKED, `node/${node}`, { command: name })
            return ok({ kind: 'so', note: `The command of the work on ${node} ended with exit code 0.` })
          }
        }
      },
      mayBeSilent: true,
      until: endOfWindow === null ? null : { ...endOfWindow, remedy: STILL_RUNS },
      remedy: `What it printed is in ${output}. Retry runs it anew, continue goes on as if it had worked.`,
      choices: ['continue', 'retry', 'abort'],
    },
    ctx,
  )
}

/** At the end of the window the command may still run. */
const STILL_RUNS = 'Retry waits for it on; continue brings the node back, and it may still run.'
