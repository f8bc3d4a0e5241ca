import { agentsOf, agentsState } from '../../../../shared/domain/agents-of-node.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import { jujuMachinesOf, unitOnNode } from '../../../../shared/domain/juju-units.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { OVN_ENABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { JujuPort } from '../../../ports/juju.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import {
  applied,
  BY_FORCE,
  blocked,
  blocker,
  cannotVerify,
  done,
  evidence,
  fails,
  holds,
  passingOf,
  ready,
  refusal,
} from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { severalMachines } from '../general/juju-machines.ts'
import { missingServices, servicesOfMember } from './microovn-status.ts'

/** OVN's services on a gateway node run. Sunbeam only prints this step (docs/domain.md B.1; `steps/microovn.py`, EnableMicroOVNStep.run). */
export const enableOvn: Step<MaintenanceWorld> = {
  kind: 'enable-ovn',
  role: 'gateway',
  risk: 'reversible',
  ...stepText('enable-ovn'),
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const ovn = await readOvn(node, ctx)
    switch (ovn.kind) {
      case 'no-juju':
        return ready(found('OvnOnlyVerified'))
      case 'unreachable':
        return blocked([
          {
            ...blocker(fault('OvnNotKnown', { node, cause: ovn.failure.message }), BY_FORCE),
            ...passingOf(ovn.failure),
          },
        ])
      case 'no-unit':
        return done(found('OvnWithoutUnit', { node }), {
          evidence: [evidence(`microovn on ${node}`, ctx.at(), { unit: null })],
        })
      case 'unit': {
        const read = evidence(`microovn on ${node}`, ctx.at(), { unit: ovn.unit.name, services: [...ovn.services] })
        const missing = missingServices(ovn.services)
        if (missing.length === 0) {
          return done(found('OvnIsEnabled', { node, services: ovn.services }), { evidence: [read] })
        }
        return ready(found('OvnToBeEnabled', { node, services: missing }), {
          evidence: [read],
          effects: missing.map(service => ({
            kind: 'change',
            target: `microovn ${service} on ${node}`,
            from: 'disabled',
            to: 'enabled',
          })),
        })
      }
    }
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const ovn = await readOvn(node, ctx)
    switch (ovn.kind) {
      case 'no-juju':
        return applied(found('OvnNotEnabledWithoutJuju'))
      case 'unreachable':
        return isOverridden(ctx, 'force')
          ? applied(found('OvnNotEnabledJujuSilent'))
          : { kind: 'failed', failure: ovn.failure }
      case 'no-unit':
        return applied(found('OvnHasNoUnit', { node }))
      case 'unit': {
        const missing = missingServices(ovn.services)
        for (const service of missing) {
          if (ctx.signal.aborted) return { kind: 'stopped' }
          ctx.announce(OVN_ENABLE_REQUESTED, `microovn/${ovn.unit.name}`, { service })
          const enabled = await enable(ovn.juju, ovn.unit, service, node, ctx)
          if (!enabled.ok) return { kind: 'failed', failure: enabled.failure }
        }
        return applied(
          missing.length === 0 ? found('OvnWasEnabled', { node }) : found('OvnEnabled', { node, services: missing }),
        )
      }
    }
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const ovn = await readOvn(node, ctx)
    if (ovn.kind === 'unreachable' && !isOverridden(ctx, 'force')) {
      return cannotVerify(thing('MicroOvn', { node }), ovn.failure)
    }
    const seen =
      ovn.kind === 'unit'
        ? [evidence(`microovn on ${node}`, ctx.at(), { unit: ovn.unit.name, services: [...ovn.services] })]
        : []
    const missing = ovn.kind === 'unit' ? missingServices(ovn.services) : []
    if (missing.length > 0) {
      return fails(fault('OvnNotEnabled', { node, services: missing }), seen)
    }
    const agents = (await ctx.world.openstack?.networkAgents(null, ctx.signal)) ?? null
    if (agents === null) return holds(found('OvnEnabledWithoutCloud', { node }), seen)
    if (!agents.ok) return cannotVerify(thing('NetworkAgents', { node }), agents.failure)
    const { agents: own, dead } = agentsState(
      agentsOf([node], agents.value).filter(agent => agent.type.startsWith('OVN ')),
    )
    const read = evidence(`network agents on ${node}`, ctx.at(), {
      agents: own.map(({ type, alive, heartbeatAt }) => ({ type, alive, heartbeatAt })),
    })
    if (own.length === 0) {
      return ovn.kind === 'no-unit'
        ? holds(found('OvnNowhere', { node }), [...seen, read])
        : fails(fault('NoOvnAgent', { node }), [...seen, read])
    }
    return dead.length === 0
      ? holds(found('OvnLives', { node, agents: own.map(agent => agent.type) }), [...seen, read])
      : fails(fault('OvnAgentsDead', { node, agents: dead.map(agent => agent.type) }), [...seen, read])
  },
}

type Ovn =
  | { readonly kind: 'no-juju' }
  | { readonly kind: 'unreachable'; readonly failure: Failure }
  | { readonly kind: 'no-unit' }
  | { readonly kind: 'unit'; readonly juju: JujuPort; readonly unit: JujuUnit; readonly services: readonly string[] }

const COMMAND_MS = 120_000

async function readOvn(node: string, ctx: MaintenanceContext): Promise<Ovn> {
  const { juju } = ctx.world
  if (juju === null) return { kind: 'no-juju' }
  const status = await juju.status(ctx.signal)
  if (!status.ok) return { kind: 'unreachable', failure: status.failure }
  const machines = jujuMachinesOf(status.value.units, node)
  if (machines.kind === 'several')
    return { kind: 'unreachable', failure: refusal('conflict', severalMachines(node, machines.records)) }
  const unit = unitOnNode(status.value.units, 'microovn', node)
  if (unit === null) return { kind: 'no-unit' }
  const services = await readServices(juju, unit, node, ctx)
  return services.ok
    ? { kind: 'unit', juju, unit, services: services.value }
    : { kind: 'unreachable', failure: services.failure }
}

async function readServices(
  juju: JujuPort,
  unit: JujuUnit,
  node: string,
  ctx: MaintenanceContext,
): Promise<Result<readonly string[]>> {
  const answer = await juju.exec(unit.name, 'microovn status', { timeoutMs: COMMAND_MS, signal: ctx.signal })
  if (!answer.ok) return answer
  const { exitCode, stdout, stderr } = answer.value
  if (exitCode !== 0) return failed(commandFailure('microovn status', unit, stderr || stdout))
  return ok(servicesOfMember(stdout, unit.hostname ?? node))
}

/** MicroOVN refuses to enable what is already enabled: its status afterwards counts, not the exit code. */
async function enable(
  juju: JujuPort,
  unit: JujuUnit,
  service: string,
  node: string,
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  const command = `microovn enable ${service}`
  const answer = await juju.exec(unit.name, command, { timeoutMs: COMMAND_MS, signal: ctx.signal })
  if (!answer.ok) return answer
  if (answer.value.exitCode === 0) return ok(undefined)
  const services = await readServices(juju, unit, node, ctx)
  if (services.ok && services.value.includes(service)) return ok(undefined)
  return failed(commandFailure(command, unit, answer.value.stderr || answer.value.stdout))
}

function commandFailure(command: string, unit: JujuUnit, said: string): Failure {
  return refusal('server-fault', fault('CommandFailed', { command, unit: unit.name, output: said.trim() }), {
    target: `unit/${unit.name}`,
  })
}
