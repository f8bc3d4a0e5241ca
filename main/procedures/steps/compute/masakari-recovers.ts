import { found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { cannotAsk, done, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { readMasakariHost } from './masakari-host.ts'

/** Warns before a rescue that Masakari may restart the same instances now. The rescue's own checks decide what it evacuates. */
export const masakariRecovers = checkStep({
  kind: 'masakari-recovers',
  role: 'compute',
  ...stepText('masakari-recovers'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return cannotAsk(thing('MasakariNote', { node }), read.failure)
    const { host: failover } = read.value
    if (!failover.ok) return notAsked(node, failover.failure.message)
    if (failover.value === null) return done(found('MasakariHasNoHost', { node }))
    const { host, id } = failover.value
    const recoveries = await cloudOf(ctx).recoveries({ id, host }, ctx.signal)
    if (!recoveries.ok) return notAsked(node, recoveries.failure.message)
    const seen = [
      evidence(`${host} in Masakari`, ctx.at(), { recoveries: recoveries.value.map(each => ({ ...each })) }),
    ]
    if (recoveries.value.length === 0) return done(found('MasakariRecoversNothing', { host }), { evidence: seen })
    const warnings = [found('MasakariRecoversToo', { host, recoveries: recoveries.value.length })]
    return ready(found('MasakariToMind', { host }), { evidence: seen, warnings })
  },
})

function notAsked(node: string, cause: string) {
  return done(found('MasakariNotAsked', { node }), { warnings: [found('MasakariMayRecover', { node, cause })] })
}
