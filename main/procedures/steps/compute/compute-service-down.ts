import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import { cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { computeServiceOf } from './compute-host.ts'
import { computeServiceEvidence } from './compute-service.ts'
import { reportWhileWatched } from './compute-silence.ts'

/** A service that was declared down is taken to be silent when nothing of it changed for so long: nova-compute reports every ten seconds. */
const SILENT_AFTER_MS = 120_000

/** The nova-compute of a machine that is off reports no more. One that is up can send its instances away alive, and Nova evacuates nothing from it. */
export const computeServiceDown = checkStep({
  kind: 'compute-service-down',
  role: 'compute',
  why: 'Nova rebuilds instances elsewhere only where their own host failed.',
  title: input => `nova-compute of ${nodeOf(input)} is down`,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, services] = await Promise.all([
      readMachine(name, ctx.world, ctx.signal),
      cloudOf(ctx).computeServices(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    if (!services.ok) return cannotAsk('The compute services', services.failure)
    const service = computeServiceOf(node.value, services.value)
    if (service === null) {
      return readyUnless(
        [
          {
            code: 'compute-service-missing',
            message: `Nova has no nova-compute service on ${name}: it has no instances there that could be rescued.`,
            remedy: `Nova knows these hosts: ${services.value.map(({ host }) => host).join(', ') || 'none'}.`,
            override: { kind: 'never', why: 'which instances were there cannot be known' },
          },
        ],
        '',
      )
    }
    // Forced down by an earlier run its machine may have come back since: only this run knows what it did a moment ago.
    const isOurs = node.value.annotations[FORCED_DOWN_ANNOTATION] === ctx.runId
    const blockers = livingBlockers(service, isOurs, ctx)
    if (blockers.length === 0 && service.forcedDown && !isOurs) {
      const reported = await reportWhileWatched(service, ctx)
      if (!reported.ok) return cannotAsk(`nova-compute on ${service.host}`, reported.failure)
      if (reported.value !== null) {
        blockers.push(reportsBlocker(service.host, `it changed at ${reported.value} while it was watched`))
      }
    }
    return readyUnless(
      blockers,
      `nova-compute on ${service.host} is down${service.forcedDown ? ' (forced down)' : ''}.`,
      { evidence: [computeServiceEvidence(service, ctx)] },
    )
  },
})

function livingBlockers(service: ComputeService, isOurs: boolean, { clock }: MaintenanceContext): Blocker[] {
  const { host, state, forcedDown, updatedAt, id } = service
  if (id === '') {
    return [
      {
        code: 'cell-down',
        message: `The Nova cell of ${host} does not answer: what is on it is not known.`,
        remedy: 'Mend the cell first.',
        override: { kind: 'never', why: 'which instances are there cannot be known' },
      },
    ]
  }
  if (state === 'up') {
    return [
      {
        code: 'compute-service-up',
        message: `nova-compute on ${host} is up: it reports, so its machine runs.`,
        remedy: 'Take the node out of service instead (enter): its instances move while it lives.',
        override: { kind: 'never', why: 'an instance that runs twice destroys its own data' },
      },
    ]
  }
  // Forced down, its state says nothing; what changed it lately may have been its own report.
  if (!forcedDown || isOurs) return []
  if (updatedAt === null) return [reportsBlocker(host, 'Nova does not tell when it changed')]
  const changedMs = clock.now() - Date.parse(updatedAt)
  return changedMs > SILENT_AFTER_MS ? [] : [reportsBlocker(host, `it changed at ${updatedAt}`)]
}

function reportsBlocker(host: string, what: string): Blocker {
  return {
    code: 'compute-service-reports',
    message: `Somebody forced nova-compute on ${host} down, and ${what}: it may report still.`,
    remedy: 'Try again in two minutes: a nova-compute that is off changes no more.',
    override: { kind: 'never', why: 'an instance that runs twice destroys its own data' },
  }
}
