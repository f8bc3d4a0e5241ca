import { someOf } from '../../../../shared/grammar/counts.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** The cluster serves the node maintenance API: without it there is nobody to ask (docs/domain.md A.1). */
export const definitionsServed = checkStep({
  kind: 'definitions-served',
  role: 'general',
  why: 'Requests and locks are objects of the node maintenance API; the cluster has to know them.',
  title: () => 'The cluster serves the node maintenance API',
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.definitions(ctx.signal)
    if (!found.ok) return cannotAsk('The definitions of the node maintenance API', found.failure)
    const missing = found.value.filter(({ state }) => state === 'missing').map(({ name }) => name)
    return readyUnless(
      missing.length === 0
        ? []
        : [
            {
              code: 'definitions-missing',
              message: `The cluster does not know ${someOf(missing, 6)}.`,
              remedy: `Install them: \`lockkeeper crds install ${ctx.world.cluster.name}\`.`,
              override: { kind: 'never', why: 'a request cannot be made without its definition' },
            },
          ],
      `All ${found.value.length} definitions are there.`,
      {
        evidence: [
          evidence('definitions', ctx.at(), Object.fromEntries(found.value.map(({ name, state }) => [name, state]))),
        ],
        warnings: found.value
          .filter(({ state }) => state === 'differs')
          .map(({ name }) => `${name} is the cluster's own and differs from ours; it is used as it is.`),
      },
    )
  },
})
