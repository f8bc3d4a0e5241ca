import { agentsOf } from '../../../../shared/domain/agents-of-node.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { OVN_ENABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import type { JujuPort } from '../../../ports/juju.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, cannotVerify, done, evidence, fails, holds, passingOf, ready } from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { unitOnNode } from '../general/juju-units.ts'
import { missingServices, servicesOfMember } from './microovn-status.ts'

/**
 * OVN's services of a gateway node are enabled and its agents live. Sunbeam prints this step but never applies it, and its own code
 * would do nothing (docs/domain.md B.1, defects; Sunbeam `steps/microovn.py`, EnableMicroOVNStep.run).
 */
export const enableOvn: Step<MaintenanceWorld> = {
  kind: 'enable-ovn',
  role: 'gateway',
  risk: 'reversible',
  why: 'Networks reach the outside through the OVN services of gateway nodes.',
  title: input => `Enable OVN on ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 2_000,
  undo: 'Disable the services again: `microovn disable chassis`, `microovn disable switch`.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const ovn = await readOvn(node, ctx)
    switch (ovn.kind) {
      case 'no-juju':
        return ready('No Juju controller is known, so nothing is enabled; that OVN lives is verified by Neutron.')
      case 'unreachable':
        return blocked([
          {
            code: 'juju-unreachable',
            message: `Whether OVN is enabled on ${node} is not known: ${ovn.failure.message}`,
            remedy:
              'Bring the Juju controller back, or give --force with the reason: then it is only verified by Neutron.',
            override: BY_FORCE,
            ...passingOf(ovn.failure),
          },
        ])
      case 'no-unit':
        return done(`No MicroOVN unit is on ${node}: there is nothing to enable.`, {
          evidence: [evidence(`microovn on ${node}`, ctx.at(), { unit: null })],
        })
      case 'unit': {
        const read = evidence(`microovn on ${node}`, ctx.at(), { unit: ovn.unit.name, services: [...ovn.services] })
        const missing = missingServices(ovn.services)
        if (missing.length === 0) {
          return done(`OVN is enabled on ${node} already: ${ovn.services.join(', ')}.`, { evidence: [read] })
        }
        return ready(`Not enabled on ${node}: ${missing.join(', ')}.`, {
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
        return { kind: 'applied', note: 'No Juju controller is known: nothing was enabled, OVN is only verified.' }
      case 'unreachable':
        return isOverridden(ctx, 'force')
          ? { kind: 'applied', note: `Juju did not answer: nothing was enabled, OVN is only verified.` }
          : { kind: 'failed', failure: ovn.failure }
      case 'no-unit':
        return { kind: 'applied', note: `No MicroOVN unit is on ${node}.` }
      case 'unit': {
        const missing = missingServices(ovn.services)
        for (const service of missing) {
          if (ctx.signal.aborted) return { kind: 'stopped' }
          ctx.announce(OVN_ENABLE_REQUESTED, `microovn/${ovn.unit.name}`, { service })
          const enabled = await enable(ovn.juju, ovn.unit, service, node, ctx)
          if (!enabled.ok) return { kind: 'failed', failure: enabled.failure }
        }
        return {
          kind: 'applied',
          note:
            missing.length === 0 ? `OVN was enabled on ${node} already.` : `Enabled on ${node}: ${missing.join(', ')}.`,
        }
      }
    }
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const ovn = await readOvn(node, ctx)
    if (ovn.kind === 'unreachable' && !isOverridden(ctx, 'force')) {
      return cannotVerify(`MicroOVN of ${node}`, ovn.failure)
    }
    const seen =
      ovn.kind === 'unit'
        ? [evidence(`microovn on ${node}`, ctx.at(), { unit: ovn.unit.name, services: [...ovn.services] })]
        : []
    const missing = ovn.kind === 'unit' ? missingServices(ovn.services) : []
    if (missing.length > 0) {
      return fails(
        `Not enabled on ${node}: ${missing.join(', ')}.`,
        `Run \`microovn enable ${missing[0]}\` on the machine and look at \`snap logs microovn\`.`,
        seen,
      )
    }
    const agents = (await ctx.world.openstack?.networkAgents(null, ctx.signal)) ?? null
    if (agents === null) return holds(`OVN is enabled on ${node}; there is no cloud to ask for its agents.`, seen)
    if (!agents.ok) return cannotVerify(`The network agents of ${node}`, agents.failure)
    const own = agentsOf(node, agents.value).filter(agent => agent.type.startsWith('OVN '))
    const read = evidence(`network agents on ${node}`, ctx.at(), {
      agents: own.map(({ type, alive, heartbeatAt }) => ({ type, alive, heartbeatAt })),
    })
    const dead = own.filter(agent => agent.adminStateUp && !agent.alive)
    if (own.length === 0) {
      return ovn.kind === 'no-unit'
        ? holds(`No MicroOVN unit and no OVN agent is on ${node}.`, [...seen, read])
        : fails(`Neutron knows no OVN agent on ${node}.`, 'Look at ovn-controller on the machine.', [...seen, read])
    }
    return dead.length === 0
      ? holds(`OVN lives on ${node}: ${someOf(own.map(agent => agent.type))}.`, [...seen, read])
      : fails(
          `Not alive on ${node}: ${someOf(dead.map(agent => agent.type))}.`,
          'Look at ovn-controller and the metadata agent on the machine.',
          [...seen, read],
        )
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
  const unit = unitOnNode(status.value, 'microovn', node)
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

/** MicroOVN refuses to enable what is enabled already: what its status says afterwards counts, not the exit code. */
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
  return {
    code: 'server-fault',
    message: `\`${command}\` on ${unit.name} failed: ${said.trim() || 'it said nothing'}.`,
    retryable: true,
    target: `unit/${unit.name}`,
  }
}
