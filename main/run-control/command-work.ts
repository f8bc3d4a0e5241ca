import type { RunSummary } from '../../shared/contract/index.ts'
import { commandOfWork, mayBeUnderWay } from '../../shared/domain/command-of-work.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { isNodePlan, type Plan } from '../../shared/domain/plan.ts'
import type { RunView, StepView } from '../../shared/domain/run.ts'
import type { RunControl } from '../../shared/domain/run-control.ts'
import { nodesOfPlan } from '../../shared/domain/update-nodes.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import type { CommandPort, CommandState } from '../ports/commands.ts'
import { commandOfStep } from '../procedures/steps/rolling/commands-of-steps.ts'
import type { RunService } from '../runs/run-service.ts'

interface OfGroup {
  readonly machine: string
  readonly group: number
}

interface Services {
  readonly commands: CommandPort
  readonly runs: Pick<RunService, 'list' | 'view'>
}

/** Why an answer to a run's question is rejected; null if it is accepted. Nobody skips a command that is or may be running. */
export async function whyNotAnswered(
  { id, openGates, steps }: RunView,
  answer: Pick<Extract<RunControl, { kind: 'answer' }>, 'gateId' | 'choice' | 'reason'>,
  commands: CommandPort,
): Promise<Failure | null> {
  const target = { target: `run/${id}` }
  const gate = openGates.find(({ gateId }) => gateId === answer.gateId)
  if (gate === undefined) {
    return refusal('conflict', because('NoSuchQuestion', { run: id }), target)
  }
  const passes = answer.choice === 'skip' || answer.choice === 'continue'
  const step = steps.find(each => each.step.id === gate.stepId)
  const isCommand = step !== undefined && commandOfStep(step.step) !== null
  const whyUnderWay = passes && isCommand ? await whyStepUnderWay(step, commands) : null
  if (whyUnderWay !== null) {
    return refusal('conflict', because('CommandNotPassed', { why: whyUnderWay }), target)
  }
  if (!gate.choices.includes(answer.choice)) {
    return refusal('bad-input', because('NoSuchAnswer', { choices: [...gate.choices], choice: answer.choice }), target)
  }
  return null
}

/** Why a shown plan may not start: its command cannot start from here, or a command is running on one of its nodes; null if it may. */
export async function whyCommandBlocks(plan: Plan, services: Services): Promise<Failure | null> {
  for (const step of plan.steps) {
    const work = commandOfStep(step)
    const why = work === null ? null : services.commands.whyNot(work)
    if (why !== null) {
      return refusal('bad-input', because('NothingWasStarted', { why }), { target: `cluster/${plan.cluster}` })
    }
  }
  const updating = plan.kind === 'update' ? await whyUpdateContinues(plan.cluster, services) : null
  if (updating !== null) return updating
  const nodes = isNodePlan(plan) ? [plan.node] : nodesOfPlan(plan).map(({ node }) => node)
  for (const node of nodes) {
    const continues = await whyCommandContinues({ cluster: plan.cluster, node }, services)
    if (continues !== null) return continues
  }
  return null
}

/** Why a node may not be planned: a command runs for it. One in unknown state does not block, or the node could never come back. */
export async function whyCommandContinues(
  { cluster, node }: { readonly cluster: string; readonly node: string },
  { commands, runs }: Services,
): Promise<Failure | null> {
  const listed = runs.list({ cluster, node })
  if (!listed.ok) return listed.failure
  const going = await commandStillRunning(listed.value, 'maintain', { commands, runs })
  return (
    going &&
    refusal('conflict', because('CommandOfNodeGoesOn', { run: going.runId, node, ...going.end }), {
      target: `node/${node}`,
    })
  )
}

/** Why an update may not start: a command of an earlier one on this machine is running for its applications. */
async function whyUpdateContinues(cluster: string, { commands, runs }: Services): Promise<Failure | null> {
  const listed = runs.list({ cluster })
  if (!listed.ok) return listed.failure
  const going = await commandStillRunning(listed.value, 'update', { commands, runs })
  return (
    going &&
    refusal(
      'conflict',
      because('CommandOfUpdateGoesOn', { run: going.runId, subject: going.application ?? cluster, ...going.end }),
      { target: `cluster/${cluster}` },
    )
  )
}

/** A running command that one of these runs started: what it updates, and how to end it. Null if there is none. */
async function commandStillRunning(
  listed: readonly Pick<RunSummary, 'id' | 'kind' | 'state'>[],
  kind: RunSummary['kind'],
  { commands, runs }: Services,
): Promise<{ readonly runId: string; readonly application: string | null; readonly end: OfGroup } | null> {
  for (const run of listed) {
    const found = run.kind === kind && run.state !== 'done' ? runs.view(run.id) : null
    if (found?.ok !== true) continue
    for (const step of found.value.view.steps) {
      const command = commandOfWork(step.facts)
      if (!mayBeUnderWay(command)) continue
      const status = await commands.look(command.name)
      if (!status.ok || status.value.kind !== 'runs') continue
      const { group } = status.value
      return { runId: run.id, application: command.application, end: { machine: commands.machine, group } }
    }
  }
  return null
}

async function whyStepUnderWay(step: Pick<StepView, 'facts'>, commands: CommandPort): Promise<Finding | null> {
  const command = commandOfWork(step.facts)
  if (!mayBeUnderWay(command)) return null
  const status = await commands.look(command.name)
  return status.ok
    ? whyUnderWay(status.value, commands.machine)
    : because('CommandUnseen', { cause: status.failure.message })
}

function whyUnderWay(status: CommandState, machine: string): Finding | null {
  switch (status.kind) {
    case 'runs':
      return because('CommandUnderWay', { machine, group: status.group })
    case 'may-run':
      return because('CommandOverUnknown', { cause: status.why.message })
    case 'ended':
      return status.othersRun === null ? null : because('CommandLeftProcesses', { machine, group: status.othersRun })
    case 'nothing-kept':
    case 'end-unseen':
      return null
  }
}
