import { roleContradictions, tellersOfRoles } from '../../../../shared/domain/node-roles.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { NodeRole } from '../../../../shared/domain/roles.ts'
import { BY_FORCE, cannotAsk, evidence, passingOf, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readRoleFactsOf } from './role-facts.ts'

/**
 * Labels and what runs on the node tell the same roles (seed 004, "all roles on the node reach maintenance state"). A plan looks after all that
 * either tells, so that --force leaves out nothing that is known: what is on the node has to be proved gone all the same.
 */
export const rolesAgree = checkStep({
  kind: 'roles-agree',
  role: 'general',
  why: 'A role that is not known is not prepared: its instances, disks or members would be stopped with the node.',
  title: input => `The roles of ${nodeOf(input)} are known`,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const { cluster, kubernetes } = ctx.world
    const node = await kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const read = await readRoleFactsOf(node.value, ctx.world, ctx.signal)
    if (!read.ok) return cannotAsk(`What runs on ${name}`, read.failure)
    const { facts, silent } = read.value
    const tellers = tellersOfRoles(node.value, cluster, facts)
    const blockers: readonly Blocker[] = [
      ...roleContradictions(node.value, cluster, facts).map(({ text, remedy }) => ({
        code: 'roles-contradict',
        message: text,
        remedy,
        override: BY_FORCE,
      })),
      // Who is labelled has checks of its own that ask Nova.
      ...(silent === null || tellers.some(({ role }) => role === 'compute')
        ? []
        : [
            {
              code: 'roles-not-known',
              message: `Whether ${name} computes is not known: Nova could not be asked. ${silent.message}`,
              remedy:
                'Try again when Nova answers, or make sure that no instance is on it and give --force with the reason.',
              override: BY_FORCE,
              ...passingOf(silent),
            },
          ]),
    ]
    const said = NodeRole.options.flatMap(role => {
      const by = tellers.filter(teller => teller.role === role).map(teller => teller.by)
      return by.length === 0 ? [] : [`${role} by ${by.slice(0, 3).join(' and ')}`]
    })
    return readyUnless(blockers, said.length === 0 ? `${name} has no role.` : `${said.join('; ')}.`, {
      evidence: [
        evidence(`roles of ${name}`, ctx.at(), {
          told: tellers.map(({ role, by }) => `${role}: ${by}`),
          computes: facts.computes,
          stores: facts.stores,
          controlPods: facts.controls === null ? null : [...facts.controls],
        }),
      ],
    })
  },
})
