import { type CommandOfWork, commandOfWork, mayBeUnderWay } from '../../../../shared/domain/command-of-work.ts'
import type { CommandWork } from '../../../../shared/domain/command-work.ts'
import { ok } from '../../../../shared/domain/result.ts'
import {
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_LEFT,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_UNSEEN,
} from '../../../../shared/domain/run-facts.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import type { CommandFor } from '../../../../shared/words/steps/rolling-work.ts'
import type { CommandState, CommandWish } from '../../../ports/commands.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { applied, asks, factValues } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { windowsEnd } from './windows-end.ts'

const WHEN_OVER = ['retry', 'skip', 'abort'] as const
const WHILE_IT_MAY_RUN = ['retry', 'abort'] as const

interface CommandTask {
  readonly work: CommandWork
  readonly seal: string
  readonly subject: string
  readonly of: CommandFor
  /** Distinguishes its stored name from the run's other commands. */
  readonly keptAs: string
  readonly about: Pick<CommandWish, 'node' | 'application'>
  readonly done: (name: string, ctx: MaintenanceContext) => void
}

/**
 * Runs the operator's command once and waits for its end. It outlives this console: a resumed run waits again, and only an answer starts it again.
 */
export async function awaitCommand(task: CommandTask, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const before = commandOfWork(ctx.history())
  if (before?.state === 'done') return applied(found('CommandSucceeded', { ...task.of, others: null }))
  if (before !== null && endedUnanswered(before)) return askAgain(task, before, ctx)
  let name = mayBeUnderWay(before) ? before.name : null
  if (name === null) {
    const attempt = (before?.attempt ?? 0) + 1
    name = `${ctx.runId}-${task.keptAs}-${attempt}`
    const begun = await start(task, { name, attempt }, ctx)
    if (begun !== null) return begun
  }
  const answer = await follow(task, name, ctx)
  if (answer.kind === 'stopped') reportLeft(task, ctx)
  return answer
}

/** A command may be skipped only if none of its processes may be running. */
export async function mayCommandBePassed(ctx: MaintenanceContext): Promise<boolean> {
  const command = commandOfWork(ctx.history())
  if (!mayBeUnderWay(command)) return true
  const status = await ctx.world.commands.look(command.name)
  return status.ok && !mayRun(status.value)
}

/** The command, or a process it started, may be running, as far as is known. */
function mayRun(status: CommandState): boolean {
  const { kind } = status
  return kind === 'runs' || kind === 'may-run' || (kind === 'ended' && status.othersRun !== null)
}

function endedUnanswered({ state, isToBeRunAgain }: CommandOfWork): boolean {
  return (state === 'failed' || state === 'unseen') && !isToBeRunAgain
}

/** The command ended before: its question was not answered, or went with an earlier console. */
function askAgain({ of }: CommandTask, { name, state }: CommandOfWork, { world }: MaintenanceContext): ApplyAnswer {
  const file = world.commands.outputOf(name)
  return asks(
    state === 'failed'
      ? fault('CommandNotSucceeded', { ...of, file })
      : fault('CommandEndUnseen', { ...of, file, cause: null, why: null }),
    WHEN_OVER,
  )
}

function knownBy({ application }: CommandTask['about'], name: string) {
  return { name, ...(application === undefined ? {} : { application }) }
}

/** Starts the command; null if it runs, or already ran. */
async function start(
  { work, seal, subject, of, about }: CommandTask,
  { name, attempt }: { readonly name: string; readonly attempt: number },
  ctx: MaintenanceContext,
): Promise<ApplyAnswer | null> {
  const { command, directory } = work
  const { commands, cluster } = ctx.world
  const { machine } = commands
  const known = knownBy(about, name)
  const asked = { ...known, attempt, machine }
  const started = await commands.start(
    { name, runId: ctx.runId, cluster: cluster.name, ...about, command, directory, seal },
    {
      begins: () => ctx.announce(WORK_COMMAND_REQUESTED, subject, asked),
      calledOff: why => ctx.report(WORK_COMMAND_CALLED_OFF, subject, { ...known, ...factValues('message', why) }),
    },
  )
  if (!started.ok) return { kind: 'failed', failure: started.failure }
  switch (started.value.kind) {
    case 'started':
      ctx.report(WORK_COMMAND_RUNS, subject, { ...known, group: started.value.group })
      return null
    case 'known':
      // Another process started it under this name: journal that now.
      if (!mayBeUnderWay(commandOfWork(ctx.history()))) ctx.announce(WORK_COMMAND_REQUESTED, subject, asked)
      return null
    case 'refused':
      return asks(
        fault('CommandRefused', { ...of, cause: started.value.why.message, why: started.value.why }),
        WHEN_OVER,
      )
  }
}

/** If the window ends first, asks without a skip: the command continues. */
function follow(task: CommandTask, name: string, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { subject, of, about } = task
  const { commands } = ctx.world
  const file = commands.outputOf(name)
  const window = windowsEnd(ctx)
  return awaitChange(
    {
      subject,
      look: async () => {
        const status = await commands.look(name)
        // Never a failure of the step: that could be skipped.
        return status.ok
          ? lookAt(status.value)
          : open(fault('CommandNotRead', { ...of, cause: status.failure.message }))
      },
      mayBeSilent: true,
      until:
        window === null
          ? null
          : { at: window.at, over: waits => fault('CommandNotOverInWindow', { ...waits, window }) },
      choices: WHEN_OVER,
      whileItContinues: WHILE_IT_MAY_RUN,
    },
    ctx,
  )

  function lookAt(status: CommandState) {
    const known = commandOfWork(ctx.history())
    switch (status.kind) {
      case 'runs': {
        const { group, isKept: kept } = status
        if (known?.state !== 'runs' || known.group !== group)
          ctx.report(WORK_COMMAND_RUNS, subject, { ...knownBy(about, name), group })
        return ok({ kind: 'waits', what: found('CommandRuns', { ...of, group, kept, until: window, file }) } as const)
      }
      case 'may-run': {
        const { group, why } = status
        return open(fault('CommandMayRun', { ...of, machine: known?.machine ?? '', group, cause: why.message, why }))
      }
      case 'nothing-kept':
        return over(WORK_COMMAND_UNSEEN, fault('CommandStartUnseen', { ...of, file }))
      case 'end-unseen':
        return over(
          WORK_COMMAND_UNSEEN,
          fault('CommandEndUnseen', { ...of, file, cause: status.why.message, why: status.why }),
        )
      case 'ended':
        return ended(status)
    }
  }

  function ended({ code, signal, othersRun }: Extract<CommandState, { kind: 'ended' }>) {
    if (code === 0) {
      task.done(name, ctx)
      return ok({ kind: 'so', note: found('CommandSucceeded', { ...of, others: othersRun }) } as const)
    }
    if (othersRun === null)
      return over(WORK_COMMAND_FAILED, fault('CommandFailedAtWork', { ...of, file, code, signal }))
    const { machine } = commands
    return open(fault('CommandFailedOthersRun', { ...of, machine, group: othersRun, code, signal }))
  }

  function over(fact: typeof WORK_COMMAND_FAILED | typeof WORK_COMMAND_UNSEEN, why: Fault) {
    ctx.report(fact, subject, { ...knownBy(about, name), ...factValues('message', why) })
    return ok({ kind: 'stuck', why } as const)
  }

  function open(why: Fault) {
    return ok({ kind: 'open', why } as const)
  }
}

/** Journals that a stopping run leaves its command, unless it only reads again after a sleep or its Lease may return. */
function reportLeft({ subject, about }: CommandTask, ctx: MaintenanceContext): void {
  const why = ctx.stoppedBy()
  if (why === null || why === 'lease-away') return
  const command = commandOfWork(ctx.history())
  if (!mayBeUnderWay(command)) return
  const { name, group, machine } = command
  ctx.report(WORK_COMMAND_LEFT, subject, { ...knownBy(about, name), group, machine })
}
