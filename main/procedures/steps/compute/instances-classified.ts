import type { EmptinessReading } from '../../../../shared/domain/node-verdict.ts'
import type { Blocker, Effect } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import { asWarning, BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readReturning } from '../general/read-verdict.ts'
import { type ClassifiedInstance, instanceEffect, readComputeHost } from './classify-instances.ts'
import { pendingIds } from './evacuation-facts.ts'
import { listedOf, proofBlockers, proveInstances } from './prove-instances.ts'

/** Every instance has a policy, and no owner has to act first (docs/domain.md A.5, A.6). `waits`: a controller waits for owners, so it warns. */
export const instancesClassified = checkStep({
  kind: 'instances-classified',
  role: 'compute',
  ...stepText('instances-classified'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const moves = ctx.options.scope === 'os'
    const read = evidence(`instances on ${host.value.service.host}`, ctx.at(), {
      total: host.value.instances.length,
      ids: host.value.instances.map(({ instance }) => instance.id),
    })
    const waits = input.waits === true
    // After an interruption Nova may still work on this run's own requests: the resumed run follows them.
    const own = pendingIds(ctx.runHistory())
    const proof = moves ? await proveInstances({ ...listedOf(host.value), leaving: own }, ctx) : null
    const doubts = proof === null ? [] : proofBlockers(proof)
    // The controller decides by its own reads; a wrong list still stops the run.
    const stopping = doubts.filter(() => !waits || proof?.kind !== 'unproved')
    const returning = moves ? await readReturning(host.value.service.host, ctx) : null
    const unread = returning?.failures[0]
    if (unread !== undefined && !waits) {
      return cannotAsk(thing('MigrationsOfHost', { host: host.value.service.host }), unread)
    }
    const isOwn = ({ instance, policy }: ClassifiedInstance) => policy.code === 'instance-busy' && own.has(instance.id)
    const open = moves
      ? host.value.instances
          .filter(each => !isOwn(each))
          .flatMap(each => [...blockerOf(each), ...(waits ? inError(each) : [])])
      : []
    const comingBack = returnBlockers(node, returning?.returning ?? [], own)
    const building = moves ? buildBlockers(node, host.value.instances) : []

    return readyUnless(
      [...stopping, ...(waits ? [] : [...open, ...building, ...comingBack])],
      found(moves ? 'InstancesDecided' : 'InstancesStayByScope'),
      {
        evidence: proof === null ? [read] : [read, proof.evidence],
        warnings: [
          ...host.value.unreachable.map(cause => found('NovaCannotTell', { cause })),
          ...doubts.flatMap(doubt => (stopping.includes(doubt) ? [] : [asWarning(doubt)])),
          ...(waits ? [...open, ...comingBack].map(lockStays) : []),
          // The OpenStack Controller does not wait for these.
          ...(waits ? building.map(asWarning) : []),
          ...(returning !== null && returning.evacuated.length > 0 && host.value.service.state === 'up'
            ? [
                found('EvacuatedCopiesMayRun', {
                  host: host.value.service.host,
                  instances: namesOf(returning.evacuated),
                }),
              ]
            : []),
          ...(unread === undefined ? [] : [found('ReturnsNotKnown', { node, cause: unread.message })]),
        ],
        effects: host.value.instances.map(each => effectOf(each, moves)),
      },
    )
  },
})

/** Instances elsewhere that come to the node or may be reverted to it, without this run's own moves. */
export function returnBlockers(
  node: string,
  returning: EmptinessReading['returning'],
  own: ReadonlySet<string>,
): readonly Blocker[] {
  return returning
    .filter(({ instance }) => !own.has(instance.id))
    .map(({ instance: { name, id }, code }) =>
      blocker(fault('InstanceMayReturn', { name, id, node, how: code }), BY_FORCE),
    )
}

/** An instance that Nova still builds runs in a moment. */
function buildBlockers(node: string, instances: readonly ClassifiedInstance[]): readonly Blocker[] {
  return instances
    .filter(({ instance }) => instance.vmState === 'building')
    .map(({ instance: { name, id } }) => blocker(fault('InstanceBuilding', { name, id, node }), BY_FORCE))
}

function effectOf(classified: ClassifiedInstance, moves: boolean): Effect {
  const effect = instanceEffect(classified)
  return moves ? effect : { ...effect, action: 'ignore', source: 'state', reason: found('ScopeMovesNone').message }
}

/** What a lock waits for, where a controller moves the instances. */
function lockStays({ code, values = {}, message, remedy }: Blocker): Finding {
  return found('LockWillStayActive', { blocker: { code, values, message }, remedy })
}

function inError(classified: ClassifiedInstance): readonly Blocker[] {
  return classified.policy.code === 'instance-in-error'
    ? [blocker(fault('InstanceErrorButRunning', valuesOf(classified)), BY_FORCE)]
    : []
}

function blockerOf(classified: ClassifiedInstance): readonly Blocker[] {
  const { instance, policy } = classified
  const values = valuesOf(classified)
  if (policy.action === 'notify') {
    return [blocker(fault('OwnerMustAct', { ...values, project: instance.projectId }), BY_FORCE)]
  }
  if (policy.action !== 'blocked') return []
  switch (policy.code) {
    case 'instance-in-error':
    case 'instance-migrating':
      return []
    case 'instance-busy':
      return [blocker(fault('InstanceBusy', values), BY_FORCE)]
    case 'instance-resize-unconfirmed':
      return [blocker(fault('InstanceResizeUnconfirmed', values), BY_FORCE)]
    case 'instance-unknown':
      return [blocker(fault('InstanceUnknown', values), BY_FORCE)]
    default:
      return [blocker(fault('InstanceNotMovable', values), BY_FORCE)]
  }
}

function valuesOf({ instance: { name, id }, policy: { because } }: ClassifiedInstance) {
  return { name, id, because }
}
