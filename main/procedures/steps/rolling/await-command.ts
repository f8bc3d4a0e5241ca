import {
  type CommandOfWork,
  commandOfWork,
  howToEnd,
  mayBeUnderWay,
} from '../../../../shared/domain/command-of-work.ts'
import type { CommandWork } from '../../../../shared/domain/command-work.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import {
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_LEFT,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_UNSEEN,
} from '../../../../shared/domain/run-facts.ts'
import type { CommandStanding, CommandWish } from '../../../ports/commands.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { awaitChange } from '../requests/await-change.ts'
import { windowsEnd, windowsEndWords } from './windows-end.ts'

/** A question, once nothing of the command is there any more: it is looked into, run again, passed with a reason, or the run ends. */
const WHEN_OVER = ['retry', 'skip', 'abort'] as const
/** A question while it may go on: nobody passes it then. */
const WHILE_IT_MAY_RUN = ['retry', 'abort'] as const

/** A command that a step has run, and how it is spoken of. */
interface CommandTask {
  readonly work: CommandWork
  readonly seal: string
  /** What its facts are about: `node/<name>`, or `cluster`. */
  readonly subject: string
  /** What it is for: `the work on cmp-1`. */
  readonly what: string
  /** The part of the name under which it is kept that tells it from others of the run. */
  readonly keptAs: string
  readonly about: Pick<CommandWish, 'node' | 'application'>
  /** What a skip does, after `skip, with a reason,`. */
  readonly skipped: string
  /** What a skip does where it was not started, in a sentence. */
  readonly withoutIt: string
  /** Tells that it ended with exit code 0. */
  readonly done: (name: string, ctx: MaintenanceContext) => void
}

/**
 * Has the operator's command run on this machine, once, and waits for its end. It is never ended by us: it outlives this console, and a run that is resumed waits for it on.
 * That it is to be started is journaled before; from then on nothing but a person's word has it started again, whatever became of it.
 */
export async function awaitCommand(task: CommandTask, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const before = commandOfWork(ctx.history())
  if (before?.state === 'done') return { kind: 'applied', note: `The command of ${task.what} ended with exit code 0.` }
  if (before !== null && isOverUnanswered(before)) return askAgain(task, before, ctx)
  let name = mayBeUnderWay(before) ? before.name : null
  if (name === null) {
    const attempt = (before?.attempt ?? 0) + 1
    name = `${ctx.runId}-${task.keptAs}-${attempt}`
    const begun = await start(task, { name, attempt }, ctx)
    if (begun !== null) return begun
  }
  const answer = await follow(task, name, ctx)
  // What stops a run does not stop its command.
  if (answer.kind === 'stopped') tellLeft(task, ctx)
  return answer
}

/** Whether the command of a step's work may be passed: nothing of it may be under way. */
export async function mayCommandBePassed(ctx: MaintenanceContext): Promise<boolean> {
  const command = commandOfWork(ctx.history())
  if (!mayBeUnderWay(command)) return true
  const standing = await ctx.world.commands.look(command.name)
  return standing.ok && !mayRun(standing.value)
}

/** Whether a command that stands so, or what it started, may be under way, as far as can be told. */
function mayRun(standing: CommandStanding): boolean {
  const { kind } = standing
  return kind === 'runs' || kind === 'may-run' || (kind === 'ended' && standing.othersRun !== null)
}

function isOverUnanswered({ state, isToBeRunAgain }: CommandOfWork): boolean {
  return (state === 'failed' || state === 'unseen') && !isToBeRunAgain
}

/** It came to its end before this driver: its question was not answered, or was lost with the driver that was to ask it. */
function askAgain(task: CommandTask, { name, state }: CommandOfWork, ctx: MaintenanceContext): ApplyAnswer {
  const how = state === 'failed' ? 'did not end with exit code 0' : 'is gone, and nobody saw how it ended'
  return {
    kind: 'question',
    question: `The command of ${task.what} ${how}. ${remedyOf(task, name, ctx)}`,
    choices: WHEN_OVER,
  }
}

/** How its facts name it. */
function knownBy({ application }: CommandTask['about'], name: string) {
  return { name, ...(application === undefined ? {} : { application }) }
}

/** Starts it; null once it is under way, or was before. */
async function start(
  { work, seal, subject, about, withoutIt }: CommandTask,
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
      calledOff: message => ctx.report(WORK_COMMAND_CALLED_OFF, subject, { ...known, message }),
    },
  )
  if (!started.ok) return { kind: 'failed', failure: started.failure }
  switch (started.value.kind) {
    case 'started':
      ctx.report(WORK_COMMAND_RUNS, subject, { ...known, group: started.value.group })
      return null
    case 'known':
      // Somebody started it under this very name, and this run's own facts do not tell: they tell it now.
      if (!mayBeUnderWay(commandOfWork(ctx.history()))) ctx.announce(WORK_COMMAND_REQUESTED, subject, asked)
      return null
    case 'refused':
      return {
        kind: 'question',
        question: `${started.value.why} ${withoutIt}`,
        choices: WHEN_OVER,
      }
  }
}

/** Waits for its end. A window that ends meanwhile has somebody asked, who cannot pass it: it goes on. */
function follow(task: CommandTask, name: string, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { subject, what, about } = task
  const { commands } = ctx.world
  const output = commands.outputOf(name)
  const endOfWindow = windowsEnd(ctx)
  const until = windowsEndWords(ctx)
  return awaitChange(
    {
      subject,
      look: async () => {
        const standing = await commands.look(name)
        return standing.ok ? lookAt(standing.value) : unreadable(standing.failure.message)
      },
      mayBeSilent: true,
      until: endOfWindow === null ? null : { ...endOfWindow, remedy: STILL_RUNS },
      remedy: remedyOf(task, name, ctx),
      choices: WHEN_OVER,
      whileItGoesOn: WHILE_IT_MAY_RUN,
    },
    ctx,
  )

  function lookAt(standing: CommandStanding) {
    const known = commandOfWork(ctx.history())
    switch (standing.kind) {
      case 'runs': {
        const { group, isKept } = standing
        if (known?.state !== 'runs' || known.group !== group)
          ctx.report(WORK_COMMAND_RUNS, subject, { ...knownBy(about, name), group })
        const end = KEPT_WORDS.get(isKept) ?? ''
        const limit = until === null ? '' : `, until ${until}`
        return ok({
          kind: 'waits',
          what: `the command of ${what} (process group ${group}${end})${limit}; what it prints is in ${output}`,
        } as const)
      }
      case 'may-run':
        return ok({
          kind: 'open',
          why: `Whether the command of ${what} is over cannot be told. ${standing.why}`,
          remedy: `Retry looks again; while it may go on, it is neither run again nor passed. ${howToEnd({ machine: known?.machine ?? '', group: standing.group })}`,
        } as const)
      case 'nothing-kept':
        return over(
          WORK_COMMAND_UNSEEN,
          `The command of ${what} was about to be started when the console ended, and nothing is kept of it on this machine: nothing shows that it was, and nothing that it was not.`,
        )
      case 'end-unseen':
        return over(WORK_COMMAND_UNSEEN, `The command of ${what} is gone, and nobody saw how it ended. ${standing.why}`)
      case 'ended':
        return ended(standing)
    }
  }

  function ended({ code, signal, othersRun }: Extract<CommandStanding, { kind: 'ended' }>) {
    const others = othersRun === null ? '' : ` Processes that it started go on, in process group ${othersRun}.`
    if (code === 0) {
      task.done(name, ctx)
      return ok({ kind: 'so', note: `The command of ${what} ended with exit code 0.${others}` } as const)
    }
    const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`
    const why = `The command of ${what} ${how}.`
    if (othersRun === null) return over(WORK_COMMAND_FAILED, why)
    return ok({
      kind: 'open',
      why: `${why}${others}`,
      remedy: `Retry looks again; while they go on, it is neither run again nor passed. ${howToEnd({ machine: commands.machine, group: othersRun })}`,
    } as const)
  }

  function over(fact: typeof WORK_COMMAND_FAILED | typeof WORK_COMMAND_UNSEEN, why: string) {
    ctx.report(fact, subject, { ...knownBy(about, name), message: why })
    return ok({ kind: 'stuck', why } as const)
  }

  /** Never a failure of the step: that could be passed. */
  function unreadable(why: string): Result<{ readonly kind: 'open'; readonly why: string; readonly remedy: string }> {
    return ok({
      kind: 'open',
      why,
      remedy: 'Retry looks again; while it may go on, it is neither run again nor passed.',
    })
  }
}

const KEPT_WORDS: ReadonlyMap<boolean | null, string> = new Map([
  [false, '; what was to note its end is gone, so that nobody will know how it ends'],
  [null, '; whether it is still the same, this machine does not tell'],
])

/** At the end of the window the command goes on. */
const STILL_RUNS = 'It is not ended by the window. Retry waits for it on; abort ends the run, and the command goes on.'

function remedyOf({ skipped }: CommandTask, name: string, { world }: MaintenanceContext): string {
  return `What it printed last is in ${world.commands.outputOf(name)}. Retry runs it once more; skip, with a reason, ${skipped}.`
}

/** A machine that slept only looks afresh, and a Lease that is away comes back; a run that stops leaves it. */
function tellLeft({ subject, about }: CommandTask, ctx: MaintenanceContext): void {
  const why = ctx.stoppedBy()
  if (why === null || why === 'lease-away') return
  const command = commandOfWork(ctx.history())
  if (!mayBeUnderWay(command)) return
  const { name, group, machine } = command
  ctx.report(WORK_COMMAND_LEFT, subject, { ...knownBy(about, name), group, machine })
}
