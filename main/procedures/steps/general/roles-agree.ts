import { roleContradictions, sourcesOfRoles } from '../../../../shared/domain/node-roles.ts'
import { NodeRole } from '../../../../shared/domain/roles.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, passingOf, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { jujuMachines } from './juju-machines.ts'
import { readRoleFactsOf } from './role-facts.ts'

/** Labels and services agree about the node's roles (seed 004). The plan covers all roles that either shows, so --force skips nothing known. */
export const rolesAgree = checkStep({
  kind: 'roles-agree',
  role: 'general',
  ...stepText('roles-agree'),
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const { cluster, kubernetes } = ctx.world
    const node = await kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    const read = await readRoleFactsOf(node.value, ctx.world, ctx.signal)
    if (!read.ok) return cannotAsk(thing('WhatRunsOn', { node: name }), read.failure)
    const { facts, silent } = read.value
    const machines = await jujuMachines(name, ctx)
    const sources = sourcesOfRoles(node.value, cluster, facts)
    const blockers = [
      ...roleContradictions(node.value, cluster, facts).map(each => blocker(fault('RolesContradict', each), BY_FORCE)),
      ...machines.blockers,
      // Labelled compute nodes have other checks that ask Nova.
      ...(silent === null || sources.some(({ role }) => role === 'compute')
        ? []
        : [
            {
              ...blocker(fault('RolesNotKnown', { node: name, cause: silent.message }), BY_FORCE),
              ...passingOf(silent),
            },
          ]),
    ]
    const reported = NodeRole.options.flatMap(role => {
      const by = sources.filter(reporter => reporter.role === role).map(reporter => reporter.by)
      return by.length === 0 ? [] : [{ role, by: by.slice(0, 3) }]
    })
    return readyUnless(blockers, found('RolesAgree', { node: name, roles: reported }), {
      warnings: machines.warnings,
      evidence: [
        evidence(`roles of ${name}`, ctx.at(), {
          reported: sources.map(({ role, by }) => `${role}: ${by}`),
          computes: facts.computes,
          stores: facts.stores,
          controlPods: facts.controls === null ? null : [...facts.controls],
        }),
      ],
    })
  },
})
