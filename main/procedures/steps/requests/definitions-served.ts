import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** Without the node maintenance API no controller can answer (docs/domain.md A.1). */
export const definitionsServed = checkStep({
  kind: 'definitions-served',
  role: 'general',
  ...stepText('definitions-served'),
  withinMs: 30_000,
  check: async (_input, ctx) => {
    const definitions = await ctx.world.maintenanceApi.definitions(ctx.signal)
    if (!definitions.ok) return cannotAsk(thing('Definitions'), definitions.failure)
    const all = definitions.value
    const missing = all.filter(({ state }) => state === 'missing').map(({ name }) => name)
    return readyUnless(
      missing.length === 0
        ? []
        : [blocker(fault('DefinitionsMissing', { definitions: missing, cluster: ctx.world.cluster.name }))],
      found('DefinitionsServed', { total: all.length }),
      {
        evidence: [evidence('definitions', ctx.at(), Object.fromEntries(all.map(({ name, state }) => [name, state])))],
        warnings: all
          .filter(({ state }) => state === 'differs')
          .map(({ name }) => found('DefinitionDiffers', { name })),
      },
    )
  },
})
