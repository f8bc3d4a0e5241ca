import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import { blocked, blocker, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { otherRecordsOf } from './all-records.ts'
import { computeServiceOf } from './compute-host.ts'
import { computeServiceEvidence } from './compute-service.ts'
import { reportWhileWatched } from './compute-silence.ts'

/** A forced-down service counts as silent when its record did not change for this long: nova-compute reports every ten seconds. */
const SILENT_AFTER_MS = 120_000

/** The nova-compute of a machine that is off no longer reports. One that is up moves its instances live; Nova does not evacuate it. */
export const computeServiceDown = checkStep({
  kind: 'compute-service-down',
  role: 'compute',
  ...stepText('compute-service-down'),
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, services] = await Promise.all([
      readMachine(name, ctx.world, ctx.signal),
      cloudOf(ctx).computeServices(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    if (!services.ok) return cannotAsk(thing('ComputeServices'), services.failure)
    const service = computeServiceOf(node.value, services.value)
    if (service === null) {
      const hosts = namesOf(services.value.map(({ host }) => host))
      return blocked([blocker(fault('ComputeServiceMissing', { node: name, hosts, asked: 'by-rescue' }))])
    }
    // An earlier run may have forced it down and the machine may be back: only this run knows its own recent change.
    const isOurs = node.value.annotations[FORCED_DOWN_ANNOTATION] === ctx.runId
    const blockers = livingBlockers(service, isOurs, ctx)
    if (blockers.length === 0 && service.forcedDown && !isOurs) {
      const reported = await reportWhileWatched(service, ctx)
      if (!reported.ok) return cannotAsk(thing('ComputeOnHost', { host: service.host }), reported.failure)
      if (reported.value !== null) blockers.push(reportsBlocker(service.host, reported.value.at, true))
    }
    const others = await otherRecordsOf(node.value, service, services.value, ctx)
    if (!others.ok) return cannotAsk(thing('NodeList'), others.failure)
    const { host, forcedDown } = service
    return readyUnless([...others.value.blockers, ...blockers], found('ComputeServiceIsDown', { host, forcedDown }), {
      evidence: [computeServiceEvidence(service, ctx)],
      warnings: others.value.warnings,
    })
  },
})

function livingBlockers(service: ComputeService, isOurs: boolean, { clock }: MaintenanceContext): Blocker[] {
  const { host, state, forcedDown, updatedAt, id } = service
  if (id === '') return [blocker(fault('CellDown', { host }))]
  if (state === 'up') return [blocker(fault('ComputeServiceUp', { host }))]
  // The state of a forced-down service says nothing, and its own report may have caused a recent change.
  if (!forcedDown || isOurs) return []
  if (updatedAt === null) return [reportsBlocker(host, null)]
  const changedMs = clock.now() - Date.parse(updatedAt)
  return changedMs > SILENT_AFTER_MS ? [] : [reportsBlocker(host, updatedAt)]
}

function reportsBlocker(host: string, changedAt: string | null, isWatched = false): Blocker {
  return blocker(fault('ComputeServiceReports', { host, changedAt, isWatched }))
}
