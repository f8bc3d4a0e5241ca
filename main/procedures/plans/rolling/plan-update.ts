import { type ApplicationUpdate, isUpdatedLast } from '../../../../shared/domain/application-update.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Plan, RunOptions } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { AFTER_PAUSE, batchTitle, LOCK_TEXTS, PLAN_TITLES } from '../../../../shared/words/steps/plans.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { refusal } from '../../answers.ts'
import { noOtherMaintenance } from '../../steps/general/no-other-maintenance.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { clusterLockInactive } from '../../steps/requests/cluster-lock-inactive.ts'
import { FIRST_CONTROLLERS } from '../../steps/requests/cluster-locks.ts'
import { clusterLocksActive } from '../../steps/requests/cluster-locks-active.ts'
import { definitionsServed } from '../../steps/requests/definitions-served.ts'
import { locksStand } from '../../steps/requests/locks-stand.ts'
import { maintenanceApiReady } from '../../steps/requests/maintenance-api-ready.ts'
import { noOtherDriver } from '../../steps/requests/no-other-driver.ts'
import { removeClusterRequest } from '../../steps/requests/remove-cluster-request.ts'
import { requestClusterMaintenance } from '../../steps/requests/request-cluster-maintenance.ts'
import { batchesFit } from '../../steps/rolling/batches-fit.ts'
import { instancesReviewed } from '../../steps/rolling/instances-reviewed.ts'
import { otherApplications } from '../../steps/rolling/other-applications.ts'
import { pauseHere } from '../../steps/rolling/pause-here.ts'
import { updateApplication } from '../../steps/rolling/update-application.ts'
import { updatePermitted } from '../../steps/rolling/update-permitted.ts'
import { wholeClusterVerified } from '../../steps/rolling/whole-cluster-verified.ts'
import { whyNoStuckRule } from '../node/make-plan.ts'
import { whyNotPlanned } from './check-options.ts'
import { planBatch, turnsOf } from './plan-batch.ts'
import { nodeLane } from './plan-node.ts'
import type { UpdateFacts, UpdateRequest } from './update-node.ts'

/** The five phases of a cluster's update as one plan (seed 003). Changes nothing. */
export function planUpdate(request: UpdateRequest): Result<Plan> {
  const { id, madeAt, cluster, facts, update } = request
  if (cluster.flavour !== 'mosk') {
    return failed(
      refusal('bad-input', fault('UpdateWithoutApi', { cluster: cluster.name, flavour: cluster.flavour }), {
        target: `cluster/${cluster.name}`,
      }),
    )
  }
  const refused =
    whyNotPlanned(update, facts.nodes, cluster) ?? whyNoStuckRule(request.options, cluster) ?? whyNoCommands(request)
  if (refused !== null) return failed(refused)
  const options: RunOptions = { ...request.options, scope: update.scope, reason: update.reason }
  const complete: UpdateRequest = { ...request, options }
  const control = controlPhase(complete)
  const workers = workerPhase(complete)
  return ok({
    id,
    kind: 'update',
    cluster: cluster.name,
    flavour: cluster.flavour,
    madeAt,
    options,
    update,
    window: null,
    batches: [...control.batches, ...workers.batches],
    steps: [
      ...prepare(complete),
      ...pauseBefore('applications', update),
      ...applications(complete),
      ...(control.steps.length === 0 ? [] : pauseBefore('control-nodes', update)),
      ...control.steps,
      ...(workers.steps.length === 0 ? [] : pauseBefore('worker-nodes', update)),
      ...workers.steps,
      ...pauseBefore('finalize', update),
      ...finalize(complete),
    ],
  })
}

/** Phase 1: review the preparation, then create the ClusterMaintenanceRequest. */
function prepare({ cluster, facts, update, operator }: UpdateRequest): Plan['steps'] {
  const phase = { phase: 'prepare' } as const
  const chosen = chosenNodes(update)
  const computes = facts.nodes.filter(({ name, roles }) => chosen.includes(name) && roles.includes('compute'))
  const batches = update.groups
    .toSorted((a, b) => a.index - b.index)
    .flatMap(group => turnsOf(group.nodes, group.concurrentUpdates))
  const jobNamespace = update.work.kind === 'job' ? update.work.namespace : null
  return [
    planStep(definitionsServed, {}, phase),
    planStep(permissionsSuffice, {}, phase),
    planStep(updatePermitted, { jobNamespace }, phase),
    planStep(maintenanceApiReady, {}, phase),
    planStep(locksStand, {}, phase),
    planStep(noOtherMaintenance, {}, phase),
    planStep(noOtherDriver, {}, phase),
    ...(cluster.cloud === null ? [] : computes).map(({ name }) =>
      planStep(instancesReviewed, { node: name }, { ...phase, id: `${instancesReviewed.kind}@${name}` }),
    ),
    ...(cluster.cloud === null || computes.length === 0 || update.scope === 'drain'
      ? []
      : [planStep(batchesFit, { batches, warns: true }, phase)]),
    planStep(
      requestClusterMaintenance,
      { scope: update.scope, release: update.release, operator, applications: [...applicationsOf(update)] },
      { ...phase, holdsUntil: removeClusterRequest.kind },
    ),
  ]
}

function chosenNodes({ controlNodes, groups }: UpdateOptions): readonly string[] {
  return [...controlNodes, ...groups.flatMap(group => group.nodes)]
}

function applicationsOf({ applications = [] }: UpdateOptions): readonly ApplicationUpdate[] {
  return applications
}

/** Why the commands of an update are invalid; null if each starts an application that nothing else starts. */
function whyNoCommands({ update, commands = [] }: UpdateRequest): Failure | null {
  const names = commands.map(({ application }) => application)
  const wrong = names.find((name, at) => {
    const declared = applicationsOf(update).find(({ application }) => application === name)
    return declared === undefined || declared.start !== null || names.indexOf(name) !== at
  })
  return wrong === undefined ? null : refusal('bad-input', fault('CommandOfNoApplication', { application: wrong }))
}

function updateOf(
  application: string,
  { update, commands = [] }: UpdateRequest,
  more: { readonly phase: 'applications' | 'finalize'; readonly holdsUntil?: string },
): Plan['steps'] {
  return applicationsOf(update)
    .filter(each => each.application === application)
    .map(each => {
      const command = commands.find(one => one.application === application)
      const work = command && { kind: 'command', command: command.command, directory: command.directory }
      const input = { update: each, ...(work === undefined ? {} : { work }) }
      return planStep(updateApplication, input, { ...more, id: `${updateApplication.kind}@${application}` })
    })
}

/** Phase 2: OpenStack, Ceph, which waits for it, then other applications with a cluster lock, except those of phase 5. */
function applications(request: UpdateRequest): Plan['steps'] {
  const { cluster, facts, update } = request
  const phase = { phase: 'applications', holdsUntil: removeClusterRequest.kind } as const
  const there = FIRST_CONTROLLERS.filter(
    name => facts.clusterControllers.includes(name) || cluster.maintenanceApi.controllers[name] !== 'none',
  )
  const later = applicationsOf(update).flatMap(each => (isUpdatedLast(each.application) ? [each.application] : []))
  return [
    ...there.flatMap(controller => [
      ...updateOf(controller, request, phase),
      {
        ...planStep(
          clusterLockInactive,
          { controller },
          { ...phase, id: `${clusterLockInactive.kind}@${controller}`, title: LOCK_TEXTS[controller].title },
        ),
        why: LOCK_TEXTS[controller].why,
      },
    ]),
    planStep(
      clusterLockInactive,
      { controller: null, ...(later.length === 0 ? {} : { later }) },
      {
        ...phase,
        id: `${clusterLockInactive.kind}@others`,
        title: PLAN_TITLES.otherLocks,
      },
    ),
  ]
}

function controlPhase(request: UpdateRequest) {
  const { update } = request
  return planBatch({
    phase: 'control-nodes',
    batch: { id: 'control-nodes', title: PLAN_TITLES.controlNodes, atOnce: 1 },
    nodes: update.controlNodes,
    pauses: update.pauseBetweenNodes,
    isFirst: true,
    laneOf: (node, batch) => nodeLane({ node, batch, phase: 'control-nodes' }, request),
  })
}

/** Phase 4: worker groups by index, each with its own limit, zone by zone where chosen. */
function workerPhase(request: UpdateRequest) {
  const { update, facts } = request
  const parts = update.groups
    .toSorted((a, b) => a.index - b.index)
    .flatMap(group => {
      const zones = update.zoneAtATime ? zonesOf(group.nodes, facts) : [{ zone: null, nodes: group.nodes }]
      return zones.map(({ zone, nodes }) => ({
        id: zone === null ? `workers-${group.name}` : `workers-${group.name}-${zone}`,
        title: batchTitle({ name: group.name, atOnce: group.concurrentUpdates }, zone, 'update'),
        atOnce: group.concurrentUpdates,
        nodes,
      }))
    })
    .map(({ nodes, ...batch }, at) =>
      planBatch({
        phase: 'worker-nodes',
        batch,
        nodes,
        pauses: update.pauseBetweenNodes,
        isFirst: at === 0 && (update.controlNodes.length === 0 || update.pauseBetweenPhases),
        laneOf: (node, id) => nodeLane({ node, batch: id, phase: 'worker-nodes' }, request),
      }),
    )
  return { batches: parts.flatMap(({ batches }) => batches), steps: parts.flatMap(({ steps }) => steps) }
}

/** The nodes of a group by zone, in the order in which the zones appear; nodes without a zone form one set. */
function zonesOf(nodes: readonly string[], facts: UpdateFacts) {
  const zoneOf = (name: string) => facts.nodes.find(node => node.name === name)?.zone ?? 'none'
  return [...new Set(nodes.map(zoneOf))].map(zone => ({ zone, nodes: nodes.filter(node => zoneOf(node) === zone) }))
}

/** Phase 5: the other applications one after another, then the request goes, and everything is verified. */
function finalize(request: UpdateRequest): Plan['steps'] {
  const { update } = request
  const phase = { phase: 'finalize' } as const
  const asksOperator = update.work.kind === 'person' || update.pauseBetweenPhases
  return [
    ...applicationsOf(update)
      .filter(each => isUpdatedLast(each.application))
      .flatMap(each => updateOf(each.application, request, phase)),
    planStep(otherApplications, { ask: asksOperator }, phase),
    planStep(removeClusterRequest, {}, phase),
    planStep(clusterLocksActive, {}, phase),
    planStep(wholeClusterVerified, { updated: chosenNodes(update).length }, phase),
  ]
}

function pauseBefore(
  phase: 'applications' | 'control-nodes' | 'worker-nodes' | 'finalize',
  { pauseBetweenPhases }: UpdateOptions,
): Plan['steps'] {
  return pauseBetweenPhases
    ? [planStep(pauseHere, { next: AFTER_PAUSE[phase] }, { id: `${pauseHere.kind}@${phase}`, phase })]
    : []
}
