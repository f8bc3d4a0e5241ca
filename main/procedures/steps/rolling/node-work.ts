import { NodeWork } from '../../../../shared/domain/command-work.ts'
import { assertNever, must } from '../../../../shared/domain/must.ts'
import type { NodeVerdict } from '../../../../shared/domain/node-verdict.ts'
import { NODE_VERDICT, NODE_WORKED } from '../../../../shared/domain/run-facts.ts'
import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { noteEmptiness } from '../general/node-verdict.ts'
import { awaitCommand, mayCommandBePassed } from './await-command.ts'
import { awaitJob } from './await-job.ts'
import { awaitNode } from './await-node.ts'
import { windowsEnd } from './windows-end.ts'

/** Waits for the end of the work on a drained node, or runs what the operator named (seed 003). */
export const nodeWork: Step<MaintenanceWorld> = {
  kind: 'node-work',
  role: 'general',
  risk: 'disruptive',
  ...stepText('node-work'),
  verifyEarly: false,
  withinMs: 7 * 24 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: async (input, ctx) => {
    // The work may power the node off: note once what is left on it.
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
  switch (gate.kind) {
    case 'person':
      return asks(
        fault('NodeAwaitsWork', {
          node,
          until: windowsEnd(ctx),
          left: left === null || left.kind === 'Empty' ? null : left,
        }),
        ['continue', 'abort'],
      )
    case 'boot-id':
    case 'kubelet-version':
    case 'os-image':
      return awaitNode(node, gate, ctx)
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

function workOnNode(node: string) {
  return {
    subject: `node/${node}`,
    of: { kind: 'node', name: node },
    keptAs: node,
    about: { node },
    done: (name: string, ctx: MaintenanceContext) => ctx.report(NODE_WORKED, `node/${node}`, { command: name }),
  } as const
}

function gateOf(input: StepInput): NodeWork {
  const read = NodeWork.safeParse(input.work)
  return must(read.success ? read.data : null, 'work steps are planned with a gate')
}
