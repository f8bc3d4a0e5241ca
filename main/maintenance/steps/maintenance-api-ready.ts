import type { Blocker } from '../../../shared/domain/plan.ts'
import type { Step } from '../../engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../answers.ts'
import { nodeOf } from '../node-input.ts'
import { CONTROLLERS_LEASE, type MaintenanceWorld } from '../ports.ts'

const NEVER = { kind: 'never', why: 'nobody would answer the request' } as const

/** The cluster has the node maintenance API, and somebody answers for every application it has (issue: "Who answers"). */
export const maintenanceApiReady: Step<MaintenanceWorld> = {
  kind: 'maintenance-api-ready',
  role: 'general',
  risk: 'none',
  why: 'A maintenance request that nobody answers is waited for in vain.',
  title: () => 'The node maintenance API is there and answered',
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const { maintenanceApi, kubernetes, cluster } = ctx.world
    const [definitions, holder] = await Promise.all([
      maintenanceApi.definitions(ctx.signal),
      kubernetes.leases.holder(CONTROLLERS_LEASE, ctx.signal),
    ])
    if (!definitions.ok) return cannotAsk('The definitions of the node maintenance API', definitions.failure)
    if (!holder.ok) return cannotAsk('The Lease of the controllers', holder.failure)
    const needed = ['ClusterMaintenanceRequest', 'NodeMaintenanceRequest', 'ClusterWorkloadLock', 'NodeWorkloadLock']
    const missing = definitions.value.filter(({ kind, state }) => state === 'missing' && needed.includes(kind))
    const { controllers } = cluster.maintenanceApi
    const ours = Object.entries(controllers).flatMap(([name, choice]) => (choice === 'console' ? [name] : []))
    const blockers: Blocker[] = missing.map(({ name }) => ({
      code: 'definition-missing',
      message: `The cluster does not have ${name}.`,
      remedy: `Install it: \`lockkeeper crds install ${cluster.name}\`, or the button in the cluster's settings.`,
      override: NEVER,
    }))
    if (ours.length > 0 && holder.value === null) {
      blockers.push({
        code: 'controllers-stopped',
        message: `This console is to answer for ${ours.join(', ')}, and nobody runs these controllers now.`,
        remedy: `Start them: \`lockkeeper controllers run ${cluster.name}\`, or the button on the cluster's Update screen.`,
        override: NEVER,
      })
    }
    return readyUnless(
      blockers,
      ours.length === 0 || holder.value === null
        ? 'The definitions are there; controllers in the cluster answer.'
        : `The definitions are there; our controllers are run by ${holder.value.operator ?? holder.value.identity} on ${holder.value.machine ?? 'another machine'}.`,
      {
        evidence: [
          evidence(`node maintenance API of ${cluster.name}`, ctx.at(), {
            node: nodeOf(input),
            definitions: definitions.value.map(({ name, state }) => ({ name, state })),
            controllers: { ...controllers },
            heldBy: holder.value?.identity ?? null,
          }),
        ],
      },
    )
  },
}
