import { NodeWork } from '../../../../shared/domain/command-work.ts'
import { assertNever, must } from '../../../../shared/domain/must.ts'
import type { NodeVerdict } from '../../../../shared/domain/node-verdict.ts'
import { NODE_VERDICT, NODE_WORKED } from '../../../../shared/domain/run-facts.ts'
import { verdictDetail } from '../../../../shared/words/node-verdict.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { noteEmptiness } from '../general/node-verdict.ts'
import { awaitCommand, mayCommandBePassed } from './await-command.ts'
import { awaitJob } from './await-job.ts'
import { awaitNode } from './await-node.ts'
import { windowsEndWords } from './windows-end.ts'

/** The work on a drained node: Lockkeeper does not do it, it knows when it is over, or runs what the operator named (seed 003: "downloads ... and runs its states"). */
export const nodeWork: Step<MaintenanceWorld> = {
  kind: 'node-work',
  role: 'general',
  risk: 'disruptive',
  why: 'The node is drained and held by no application: it is updated now. Services on it may be restarted.',
  title: input => `Work on ${nodeOf(input)}: ${gateWords(gateOf(input))}`,
  verifyEarly: false,
  withinMs: 7 * 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Lockkeeper does not know what was done to the node.',
  apply: async (input, ctx) => {
    // Whoever works on it may power it off: what is left is looked at right before, once.
    const isNoted = ctx.history().some(({ fact }) => fact === NODE_VERDICT)
    const left = isNoted ? null : await noteEmptiness(input, ctx)
    return workOn(input, gateOf(input), left, ctx)
  },
  mayBePassed: async (input, ctx) => gateOf(input).kind !== 'command' || mayCommandBePassed(ctx),
}

async function workOn(
  input: StepInput,
  gate: NodeWork,
  left: NodeVerdict | null,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const node = nodeOf(input)
  const until = windowsEndWords(ctx)
  switch (gate.kind) {
    case 'person':
      return {
        kind: 'question',
        question: `${node} is drained and may be worked on${until === null ? '' : ` until ${until}`}.${leftWords(left)} Continue when the work is done; it is brought back then.`,
        choices: ['continue', 'abort'],
      }
    case 'boot-id':
      return awaitNode(
        node,
        (now, before) => now.bootId !== '' && before !== null && now.bootId !== before.bootId,
        'with another boot id',
        ctx,
      )
    case 'kubelet-version':
      return awaitNode(node, now => now.kubeletVersion === gate.version, `with kubelet ${gate.version}`, ctx)
    case 'os-image':
      return awaitNode(node, now => now.osImage.includes(gate.contains), `with an OS image "${gate.contains}"`, ctx)
    case 'job':
      return awaitJob(node, gate, ctx)
    case 'command':
      return awaitCommand(
        { ...workOnNode(node), work: gate, seal: typeof input.seal === 'string' ? input.seal : '' },
        ctx,
      )
    default:
      return assertNever(gate, 'gate of the work on a node')
  }
}

/** How the command of the work on a node is spoken of, and what tells that it is done. */
function workOnNode(node: string) {
  return {
    subject: `node/${node}`,
    what: `the work on ${node}`,
    keptAs: node,
    about: { node },
    skipped: 'goes on as if its work were done',
    withoutIt: `Skip brings ${node} back without it.`,
    done: (name: string, ctx: MaintenanceContext) => ctx.report(NODE_WORKED, `node/${node}`, { command: name }),
  }
}

/** What whoever works on it has to know first; nothing where it is empty, or where the question is asked again. */
function leftWords(left: NodeVerdict | null): string {
  return left === null || left.kind === 'Empty' ? '' : ` ${verdictDetail(left)}`
}

/** How the work is known to be over, in a few words. */
function gateWords(gate: NodeWork): string {
  switch (gate.kind) {
    case 'person':
      return 'until a person says it is done'
    case 'boot-id':
      return 'until it was rebooted'
    case 'kubelet-version':
      return `until its kubelet is ${gate.version}`
    case 'os-image':
      return `until its OS image says "${gate.contains}"`
    case 'job':
      return 'a Job of your manifest runs on it'
    case 'command':
      return `this machine runs \`${gate.command}\``
    default:
      return assertNever(gate, 'gate of the work on a node')
  }
}

function gateOf(input: StepInput): NodeWork {
  const read = NodeWork.safeParse(input.work)
  return must(read.success ? read.data : null, 'work steps are planned with a gate')
}
