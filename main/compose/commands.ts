import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandWork } from '../../shared/domain/command-work.ts'
import { isNodePlan, type Plan, type PlannedStep } from '../../shared/domain/plan.ts'
import { createMachineCommands } from '../adapters/commands/machine-commands.ts'
import { createCommandSeal } from '../platform/settings/command-seal.ts'
import type { CommandPort } from '../ports/commands.ts'
import { applicationOfStep, commandOfStep } from '../procedures/steps/rolling/commands-of-steps.ts'
import type { Foundation } from './foundation.ts'

interface OwnCommands {
  readonly port: CommandPort
  /** The plan to journal, with its command sealed for this run. */
  readonly bind: (plan: Plan, runId: string) => Plan
}

export function openCommands(
  {
    dataDirectory,
    signer,
    redactor,
    driver,
    places: { environment },
    journal: {
      care: { isImported },
    },
  }: Pick<Foundation, 'dataDirectory' | 'signer' | 'redactor'> & {
    readonly driver: Pick<Foundation['driver'], 'machine' | 'bootId'>
    readonly places: Pick<Foundation['places'], 'environment'>
    readonly journal: { readonly care: Pick<Foundation['journal']['care'], 'isImported'> }
  },
  /** How this face has a command kept; null if nobody in front may start one. */
  keeper: readonly string[] | null,
): OwnCommands {
  const machine = { name: driver.machine, id: machineId(), boot: driver.bootId }
  const seal = createCommandSeal(signer, {
    machine: machine.name,
    machineId: machine.id,
    dataDirectory: realpathSync(dataDirectory),
  })
  const sealed = (step: PlannedStep, { command, directory }: CommandWork, plan: Plan, runId: string): PlannedStep => {
    const application = applicationOfStep(step)
    const about = isNodePlan(plan)
      ? { node: plan.node }
      : { node: '', ...(application === null ? {} : { application }) }
    return {
      ...step,
      input: { ...step.input, seal: seal.seal({ runId, cluster: plan.cluster, ...about, command, directory }) },
    }
  }
  return {
    port: createMachineCommands({
      directory: join(dataDirectory, 'commands'),
      machine,
      keeper,
      canSeal: signer !== null,
      isSealed: wish => seal.holds(wish) && !isImported(wish.runId),
      redact: redactor.text,
      holdsSecret: text => redactor.known(text) !== text,
      environment,
    }),
    bind: (plan, runId) => ({
      ...plan,
      steps: plan.steps.map(step => {
        const work = commandOfStep(step)
        return work === null || !SEALED.has(plan.kind) ? step : sealed(step, work, plan, runId)
      }),
    }),
  }
}

/** Kinds of runs that an operator confirms on the machine that runs their commands. */
const SEALED: ReadonlySet<Plan['kind']> = new Set(['maintain', 'update'])

/** The id of a Linux machine, which survives reboots; null elsewhere. */
function machineId(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || null
  } catch {
    return null
  }
}
