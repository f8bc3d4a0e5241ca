import { isLeftHere } from '../../../../shared/domain/instance-state.ts'
import type { Json } from '../../../../shared/domain/json.ts'
import type { NodeVerdict, StillHere } from '../../../../shared/domain/node-verdict.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { NODE_VERDICT } from '../../../../shared/domain/run-facts.ts'
import { historyOfFacts } from '../../../../shared/domain/run-history.ts'
import { found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotVerify, evidence, holds } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { noteInstancesAfter } from '../compute/note-instances.ts'
import { readEmptiness, readService } from './read-verdict.ts'

/** Whether a node that went out of service is empty. Leftovers never fail the run: its ending reports them (shared/domain/run-ending.ts). */
export const nodeEmptied: Step<MaintenanceWorld> = {
  kind: 'node-emptied',
  role: 'general',
  risk: 'none',
  ...stepText('node-emptied'),
  verifyEarly: false,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const { verdict, passing } = await lookForWork(input, ctx)
    if (passing !== null) return cannotVerify(thing('WhatIsLeft', { node }), passing)
    await noteInstancesAfter(node, ctx)
    return reportedVerdict(node, verdict, ctx)
  },
}

/** Whether a node that was brought back accepts work. */
export const nodeServes: Step<MaintenanceWorld> = {
  kind: 'node-serves',
  role: 'general',
  risk: 'none',
  ...stepText('node-serves'),
  verifyEarly: false,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const { verdict, passing } = await readService({ node, computes: input.computes === true }, ctx)
    if (passing !== null) return cannotVerify(thing('WhetherItServes', { node }), passing)
    return reportedVerdict(node, verdict, ctx)
  },
}

/** Journals before the work whether the node is empty: the work may power it off. */
export async function noteEmptiness(input: StepInput, ctx: MaintenanceContext): Promise<NodeVerdict> {
  const { verdict } = await lookForWork(input, ctx)
  if (!ctx.signal.aborted) keepVerdict(nodeOf(input), verdict, ctx)
  return verdict
}

function lookForWork(input: StepInput, ctx: MaintenanceContext) {
  return readEmptiness(
    {
      node: nodeOf(input),
      computes: input.computes === true,
      stores: input.stores === true,
      isDrainOnly: ctx.options.scope === 'drain',
      decided: decisionsOf(ctx.runHistory()),
    },
    ctx,
  )
}

function reportedVerdict(node: string, verdict: NodeVerdict, ctx: MaintenanceContext) {
  keepVerdict(node, verdict, ctx)
  const values = verdict.looked.map(({ what, by, at }) => ({ what, by, at }))
  return holds(found('NodeVerdict', { node, verdict }), [
    evidence(`node/${node}`, ctx.at(), { verdict: verdict.kind, looked: values }),
  ])
}

function keepVerdict(node: string, verdict: NodeVerdict, ctx: MaintenanceContext): void {
  ctx.report(NODE_VERDICT, `node/${node}`, asValues(verdict))
}

function asValues(verdict: NodeVerdict): Readonly<Record<string, Json>> {
  return JSON.parse(JSON.stringify(verdict))
}

function decisionsOf(history: readonly RunFact[]): ReadonlyMap<string, NonNullable<StillHere['decided']>> {
  return new Map(
    [...historyOfFacts({ facts: history }).instances.values()].filter(isLeftHere).flatMap(({ id, decision }) => {
      if (decision === null) return []
      const { by, at, reason } = decision
      return [[id, { by: by ?? '', at, reason }] as const]
    }),
  )
}
