import { type Cluster, type ClusterFlavour, strategyOf } from '../../../../shared/domain/cluster.ts'
import type { Failure, FailureMore } from '../../../../shared/domain/failure.ts'
import { DEFAULT_STUCK_RULE } from '../../../../shared/domain/instance-choice.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { rolesToMaintain } from '../../../../shared/domain/node-roles.ts'
import {
  DEFAULT_RUN_OPTIONS,
  type Plan,
  type PlannedNodeRunKind,
  type RunOptions,
  takesOut,
} from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { computeServiceOf } from '../../steps/compute/compute-host.ts'
import { readMasakariStates } from '../../steps/compute/masakari-host.ts'
import { findMachineOutside } from '../../steps/general/machine-outside.ts'
import { readRoleFacts } from '../../steps/general/role-facts.ts'
import { type MaintenanceRecommendation, recommendMaintenance } from '../../steps/watcher/watcher-recommendation.ts'
import { ENTER } from './enter.ts'
import { homeSteps } from './home.ts'
import { LEAVE } from './leave.ts'
import { NODE_BATCH, planMaintenance } from './maintain.ts'
import { lookIfEmpty, lookIfServing, type PlanRequest, type StepsOf, type WatcherAnswer } from './plan-request.ts'
import { RESCUE } from './rescue.ts'
import { type UndoneRun, undoSteps } from './undo.ts'

interface PlanWish {
  readonly id: string
  readonly kind: PlannedNodeRunKind
  readonly node: string
  readonly madeAt: string
  readonly options: RunOptions
}

interface PlanSources extends Partial<Pick<PlanRequest, 'ran' | 'away'>> {
  /** What Watcher already recommended for this plan; absent if it must be asked. */
  readonly recommended?: Result<MaintenanceRecommendation>
  readonly signal?: AbortSignal
}

/** Plans a node's maintenance by flavour and roles. For Watcher it creates an audit: Watcher's own record only (docs/decisions/0015). */
export async function makePlan(
  wish: PlanWish,
  world: MaintenanceWorld,
  { ran = null, away, recommended, signal }: PlanSources = {},
): Promise<Result<Plan>> {
  const { cluster } = world
  const refused = whyNot(wish, world)
  if (refused !== null) return failed(refused)
  const place = await readPlace(wish, world, signal)
  if (!place.ok) return place
  const { node, machine, roles } = place.value
  const emptied = roles.includes('compute') ? (node ?? machine) : null
  if (machine !== null && wish.kind === 'maintain') return failed(notAsOne(wish.node))
  const masakari =
    emptied === null || wish.kind === 'home' ? 'none' : (await readMasakariStates(world, signal))(emptied)
  const watcher = emptied === null ? null : await askWatcher(emptied, wish, world, { recommended, signal })
  const steps = stepsOf(
    wish.kind,
    cluster.flavour,
  )({
    cluster,
    name: wish.node,
    node,
    isOutside: machine !== null,
    roles,
    options: wish.options,
    watcher,
    ran,
    masakari,
    ...(away === undefined ? {} : { away }),
  })
  return ok({
    ...wish,
    cluster: cluster.name,
    flavour: cluster.flavour,
    window: null,
    batches: wish.kind === 'maintain' ? [NODE_BATCH] : [],
    steps: [...steps],
  })
}

/** Plans to undo one run, from what that run did to its node. Changes nothing. */
export async function makeUndoPlan(
  wish: Omit<PlanWish, 'kind'>,
  undone: UndoneRun,
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<Result<Plan>> {
  const { cluster } = world
  const place = await readPlace({ node: wish.node, kind: 'leave' }, world, signal)
  if (!place.ok) return place
  const { node, machine, roles } = place.value
  const request = { cluster, name: wish.node, node, isOutside: machine !== null, roles, watcher: null, ran: null }
  return ok({
    ...wish,
    kind: 'undo',
    undoes: undone.id,
    cluster: cluster.name,
    flavour: cluster.flavour,
    window: null,
    batches: [],
    steps: [...undoSteps({ ...request, options: wish.options }, undone)],
  })
}

/** Where a plan works, with its roles: the node, the machine outside Kubernetes, or neither. */
async function readPlace(
  wish: Pick<PlanWish, 'node' | 'kind'>,
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<
  Result<{
    readonly node: ClusterNode | null
    readonly machine: ClusterNode | null
    readonly roles: PlanRequest['roles']
  }>
> {
  const read = await world.kubernetes.getNode(wish.node, signal)
  if (!read.ok && read.failure.code !== 'not-found') return read
  const node = read.ok ? read.value : null
  const outside = node === null ? await findMachineOutside(wish.node, wish.kind, world, signal) : ok(null)
  if (!outside.ok) return outside
  const roles =
    node === null
      ? (outside.value?.roles ?? [])
      : rolesToMaintain(node, world.cluster, (await readRoleFacts(world, signal))(node))
  return ok({ node, machine: outside.value?.machine ?? null, roles })
}

function stepsOf(kind: PlannedNodeRunKind, flavour: ClusterFlavour): StepsOf {
  switch (kind) {
    case 'enter':
      return withLook(ENTER[flavour], lookIfEmpty)
    case 'leave':
      return withLook(LEAVE[flavour], lookIfServing)
    case 'maintain':
      return withLook(planMaintenance, lookIfServing)
    case 'home':
      return homeSteps
    case 'rescue':
      return withLook(RESCUE[flavour], lookIfEmpty)
  }
}

/** Adds the final verdict step; a node that does not exist has none. */
function withLook(steps: StepsOf, look: StepsOf): StepsOf {
  return request =>
    request.node === null && request.isOutside !== true ? steps(request) : [...steps(request), ...look(request)]
}

/** Only a Kubernetes node shows when the work has ended: its readiness, its boot id, a Job on it. */
function notAsOne(name: string): Failure {
  return refusal('bad-input', fault('MachineNotInOneRun', { node: name }), { target: `node/${name}` })
}

/** The first of the operator's choices that this cluster cannot carry out. */
function whyNot(wish: PlanWish, world: MaintenanceWorld): Failure | null {
  const { options, node, kind } = wish
  const { cluster } = world
  const target = { target: `cluster/${cluster.name}` }
  const command = whyNoCommand(wish, world)
  if (command !== null) return command
  if (cluster.flavour === 'mosk' && options.strategy === 'watcher') {
    return refusal('bad-input', fault('WatcherOnMosk', { cluster: cluster.name }), target)
  }
  if (takesOut(kind) && options.backupNode === node) return backsItself(node)
  // Lockkeeper itself moves instances back, on every flavour.
  const unheard = takesOut(kind) && !options.home ? whyNoStuckRule(options, cluster) : null
  if (unheard !== null) return unheard
  const choice = options.strategy === 'watcher' ? null : onlyOfWatcher(options)
  // An operator would otherwise think that an instance stays, and it would move.
  return choice === null
    ? null
    : refusal('bad-input', fault('OnlyWithWatcher', { cluster: cluster.name, choice }), target)
}

/** Only the maintenance of one node may run a command, and only where the settings allow commands; null if there is no objection. */
function whyNoCommand(
  { options: { work }, kind }: Pick<PlanWish, 'options' | 'kind'>,
  world: MaintenanceWorld,
): Failure | null {
  if (work?.kind !== 'command') return null
  if (kind !== 'maintain') return onlyMaintain({ target: `cluster/${world.cluster.name}` })
  const why = world.commands.whyNot(work)
  return why === null ? null : refusal('bad-input', why, { target: `cluster/${world.cluster.name}` })
}

function onlyMaintain(more: FailureMore = {}): Failure {
  return refusal('bad-input', fault('OnlyMaintainRunsCommands'), more)
}

/** Refuses a command in a run that does not maintain a single node; null if there is no command. */
export function whyNoCommandHere({ work }: { readonly work?: RunOptions['work'] | undefined }): Failure | null {
  return work?.kind === 'command' ? onlyMaintain() : null
}

/** Refuses a rule about stuck migrations where another program moves the instances and would ignore it. */
export function whyNoStuckRule(
  { stuck, strategy, novaForRest }: RunOptions,
  { name, flavour }: Pick<Cluster, 'name' | 'flavour'>,
): Failure | null {
  const isChosen = stuck.do !== DEFAULT_STUCK_RULE.do || stuck.afterMs !== DEFAULT_STUCK_RULE.afterMs
  const mover = flavour === 'mosk' ? 'controllers' : strategy === 'watcher' && !novaForRest ? 'watcher' : null
  if (!isChosen || mover === null) return null
  return refusal('bad-input', fault('StuckRuleNotOurs', { cluster: name, mover }), { target: `cluster/${name}` })
}

function onlyOfWatcher({
  backupNode,
  excludedInstances,
  novaForRest,
}: RunOptions): 'backup-node' | 'left-out' | 'rest-through-nova' | null {
  if (backupNode !== null) return 'backup-node'
  if (excludedInstances.length > 0) return 'left-out'
  return novaForRest ? 'rest-through-nova' : null
}

/** What Watcher recommends for a node that Watcher is to empty; null if another program empties it. */
async function askWatcher(
  node: ClusterNode,
  { id, kind, options }: PlanWish,
  world: MaintenanceWorld,
  { recommended, signal }: { readonly [K in 'recommended' | 'signal']: PlanSources[K] | undefined },
): Promise<WatcherAnswer | null> {
  if (!takesOut(kind) || options.strategy !== 'watcher' || options.scope !== 'os' || world.openstack === null) {
    return null
  }
  const services = await world.openstack.computeServices(signal)
  // Without the compute service there is no host: a check of the plan reports it.
  const host = services.ok ? computeServiceOf(node, services.value)?.host : undefined
  if (host === undefined) return { host: node.name, answer: failed(noHost(node.name, services)) }
  const hosts = services.ok ? services.value.map(service => service.host) : []
  const { backupNode } = options
  // Nova may know the host by another name than the node's.
  if (backupNode === host) return { host, answer: failed(backsItself(host)) }
  if (backupNode !== null && !hosts.includes(backupNode)) {
    return { host, answer: failed(noBackup(backupNode, hosts)) }
  }
  if (recommended !== undefined) return { host, answer: recommended }
  return { host, answer: await recommendMaintenance(world, { node: node.name, host, options, name: id }, signal) }
}

function backsItself(host: string): Failure {
  return refusal('bad-input', fault('BackupIsItself', { host }), { target: `nova-compute/${host}` })
}

function noBackup(backupNode: string, hosts: readonly string[]): Failure {
  return refusal('bad-input', fault('BackupUnknown', { host: backupNode, hosts }), {
    target: `nova-compute/${backupNode}`,
  })
}

function noHost(node: string, services: Result<unknown>): Failure {
  return services.ok
    ? refusal('not-found', fault('NoHostForWatcher', { node }), { target: `node/${node}` })
    : services.failure
}

/** The operator's choices, completed with the cluster's settings. */
export function completeOptions(
  choices: { readonly [K in keyof RunOptions]?: RunOptions[K] | undefined },
  cluster: Cluster,
): RunOptions {
  const said = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined))
  return {
    ...DEFAULT_RUN_OPTIONS,
    concurrency: cluster.limits.migrationsPerSource,
    drainTimeoutMs: cluster.limits.drainTimeoutMs,
    ...said,
    strategy: choices.strategy ?? strategyOf(cluster),
  }
}
