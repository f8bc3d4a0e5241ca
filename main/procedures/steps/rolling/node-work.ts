import { NodeWork } from '../../../../shared/domain/command-work.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { assertNever, must } from '../../../../shared/domain/must.ts'
import type { NodeVerdict } from '../../../../shared/domain/node-verdict.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { factText, NODE_BEFORE, NODE_VERDICT, NODE_WORKED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { WorkGoal } from '../../../../shared/words/steps/rolling-work.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { noteEmptiness } from '../general/node-verdict.ts'
import { awaitChange } from '../requests/await-change.ts'
import { awaitCommand, mayCommandBePassed } from './await-command.ts'
import { awaitJob } from './await-job.ts'
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

type NodeSigns = Pick<ClusterNode, 'bootId' | 'kubeletVersion' | 'osImage'>

/** Waits until the node shows the work's result and is Ready. After a long wait the operator may confirm it. */
function awaitNode(name: string, goal: WorkGoal, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const before = signsBefore(name, ctx)
  const window = windowsEnd(ctx)
  return awaitChange(
    {
      subject: `node/${name}`,
      look: async () => {
        const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
        if (!node.ok) return node
        const { bootId, kubeletVersion, osImage, readiness, readinessText } = node.value
        const runs = { node: name, goal, bootId, kubelet: kubeletVersion, osImage }
        if (isWorked(goal, node.value, before) && readiness === 'ready') {
          ctx.report(NODE_WORKED, `node/${name}`, { bootId, kubeletVersion, osImage })
          return ok({ kind: 'so', note: found('NodeIsBack', runs) })
        }
        return ok({
          kind: 'waits',
          what: found('NodeToComeBack', { ...runs, readiness }),
          mark: JSON.stringify([readiness, readinessText, bootId, kubeletVersion, osImage]),
        })
      },
      until:
        window === null ? null : { at: window.at, over: waits => fault('NodeNotBackInWindow', { ...waits, window }) },
      quiet: quiet => fault('NodeDoesNotComeBack', quiet),
      choices: ['continue', 'retry', 'abort'],
    },
    ctx,
  )
}

/** A reboot shows only if the boot id was noted before. */
function isWorked(goal: WorkGoal, now: NodeSigns, before: NodeSigns | null): boolean {
  switch (goal.kind) {
    case 'boot-id':
      return now.bootId !== '' && before !== null && now.bootId !== before.bootId
    case 'kubelet-version':
      return now.kubeletVersion === goal.version
    case 'os-image':
      return now.osImage.includes(goal.contains)
  }
}

/** The node as this run noted it before the work; null if it did not. */
function signsBefore(name: string, ctx: MaintenanceContext): NodeSigns | null {
  const noted = ctx.runHistory().findLast(({ fact, subject }) => fact === NODE_BEFORE && subject === `node/${name}`)
  if (noted === undefined) return null
  return {
    bootId: factText(noted, 'bootId') ?? '',
    kubeletVersion: factText(noted, 'kubeletVersion') ?? '',
    osImage: factText(noted, 'osImage') ?? '',
  }
}
