import type { StepInput } from '../../main/runs/engine/step.ts'
import { listAt, recordAt, textAt } from '../../main/wings/simulators/kubernetes/store/json.ts'
import type { StoredObject } from '../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { NOOUT_ANNOTATION } from '../../shared/domain/ceph.ts'
import { ACTION_TAG_PREFIX } from '../../shared/domain/instance-tags.ts'
import type { Plan, PlannedStep } from '../../shared/domain/plan.ts'
import { PAUSED, RUNNING } from '../../shared/domain/ran-before.ts'
import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import { EVICTION_REQUESTED, NODE_VERDICT } from '../../shared/domain/run-facts.ts'
import type { Cloud } from './cloud.ts'
import type { Timeline } from './timeline.ts'
import type { Arrival } from './wire.ts'

/** A promise that was broken. */
export interface Violation {
  readonly rule: Rule
  readonly atMs: number
  readonly what: string
}

export type Rule =
  | 'verified is true'
  | 'empty is empty'
  | 'one driver a node'
  | 'a live Lease is not taken'
  | 'a Lease is lost to somebody'
  | 'nothing is done twice'
  | 'no namesake is hit'
  | 'who is fenced is silent'
  | 'no host that runs is evacuated'
  | 'no host that was back since is evacuated'
  | 'one journal continues a run'
  | 'no run is lost'
  | 'a campaign is kept to'
  | 'no event is lost'
  | 'every run ends or waits'
  | 'requests take effect'
  | 'locks and phases'
  | 'storage is protected'
  | 'every face says the same'

/**
 * Requests that were sent before another console took a node may arrive for this long; its holder reads the Lease
 * before each effect.
 */
const GRACE_MS = 1_500

/**
 * How long a host may run before an evacuation starts: consoles check before each instance, and may wait for an
 * answer.
 */
const HOST_SEEN_MS = 15_000

/** The longest time until an abort or an answer takes effect. */
const RECEIVED_MS = 60_000

/** Attempts an instance gets (shared/domain/cluster.ts, `migrationAttempts`). */
const ATTEMPTS = 3

/** The holder of a node in the store's record, and the start of the holding. */
interface Holding {
  readonly by: string | null
  readonly sinceMs: number
  readonly writtenAtMs: number
  readonly durationMs: number
}

/** Holds everything that consoles claim and do against what the clouds themselves hold. */
export interface Judge {
  readonly violations: readonly Violation[]
  /** Whether what a step of this kind claims is held against the clouds. */
  knows(stepKind: string): boolean
  /** Before a server looks at a message. */
  reaching(from: string, api: Arrival['api'], method: string, target: string, body: string): Reached
  arrived(arrival: Arrival, reached: Reached): void
  /**
   * A process received an answer that a server gave at this time; `isTrue` is false if something on the way replaced
   * it.
   */
  received(from: string, target: string, servedAtMs: number, isTrue: boolean): void
  /** Something other than a console wrote or removed the Lease of a node. */
  leaseTouched(node: string, by: string | null): void
  /** An event was appended, and its append returned. */
  journaled(from: string, event: RunEvent): void
  /** A person answered a question of this process that was open. */
  answered(from: string, gateId: string): void
  /** Nothing more happens: what is owed by now is held against them. */
  ended(): void
  found(rule: Rule, what: string): void
}

/** What the judge has to know of processes. */
interface KnownProcesses {
  /** Whether it drives a run at this instant: who has ended or left one may be followed by another at once. */
  isDriving(from: string): boolean
  /** Until when its machine sleeps, or slept last. */
  asleepUntilMs(from: string): number
  /** The monotonic clock of its machine, which stops while the lid is closed. */
  monotonicMs(from: string): number
}

/** What a message is about, as the world was when it came. */
interface Reached {
  /** The node it changes; null: none. */
  readonly node: string | null
  readonly podUid: string | null
  readonly serverId: string | null
  readonly holding: Holding | null
}

export function createJudge(
  cloud: Cloud,
  timeline: Timeline,
  { isDriving, asleepUntilMs, monotonicMs }: KnownProcesses,
): Judge {
  const violations: Violation[] = []
  const holdings = new Map<string, Holding>()
  const plans = new Map<string, Plan>()
  /** The Lease that a process took last. */
  const taken = new Map<string, string>()
  const steps = new Map<string, ReadonlyMap<string, PlannedStep>>()
  /** By run and pod. */
  const evicted = new Map<string, number>()
  /** Which process drives a run by the journal, since it journaled that it does. */
  const drivers = new Map<string, string>()
  /** Runs that were handed over: whether a runner took them, and which. */
  const handed = new Map<string, { readonly by: string | null }>()
  /** Since when a process drives its run no more, because another one took it over. */
  const fenced = new Map<string, number>()
  /** Pods whose removal a process announced, by their UID. */
  const meant = new Set<string>()
  /** The run that a process drives, or drove last. */
  const driven = new Map<string, string>()
  const migrations = new Map<string, number>()
  const announced = new Map<string, number>()
  /** Attempts of a run at one instance, and how many it was given. */
  const attempts = new Map<string, number>()
  const given = new Map<string, number>()
  /** The processes that received a false answer about a Lease. */
  const deceived = new Set<string>()
  const lost = new Set<string>()
  const failedRuns = new Set<string>()
  /** When and why a process was asked to pause, and when to end its run. */
  const still = new Map<string, { readonly sinceMs: number; readonly why: 'pause-requested' | 'abort-requested' }>()
  /** Answers that were given and not taken yet, by their question. */
  const untaken = new Map<string, { readonly from: string; readonly atMs: number }>()
  /** `receivedAtMs` by the monotonic clock of who looked. */
  const looks = new Map<string, { readonly servedAtMs: number; readonly receivedAtMs: number }>()

  const found = (rule: Rule, what: string) => {
    violations.push({ rule, atMs: timeline.now(), what })
  }

  const podsThatMustLeave = (node: string) =>
    cloud.objects
      .list('Pod')
      .filter(
        pod =>
          textAt(pod, 'spec', 'nodeName') === node &&
          !pod.metadata.ownerReferences?.some(owner => owner.kind === 'DaemonSet') &&
          pod.metadata.annotations?.['kubernetes.io/config.mirror'] === undefined,
      )
      .map(pod => pod.metadata.name)
  const isCordoned = (node: string) => recordAt(cloud.objects.get('Node', null, node), 'spec').unschedulable === true
  /** A user who tags an instance `poweroff` lets it stop with its host. */
  const serversThatMustLeave = (host: string) =>
    [...cloud.state.servers.values()].filter(
      server =>
        server.host === host &&
        (server.vmState === 'active' || server.vmState === 'paused') &&
        ![...server.tags].includes(`${ACTION_TAG_PREFIX}poweroff`),
    )
  /** What runs on a host, comes to it, or can still be reverted to it. */
  const keepsFromEmpty = (host: string): readonly string[] => {
    const newest = new Map([...cloud.state.migrations.values()].map(each => [each.serverId, each] as const))
    return [...cloud.state.servers.values()].flatMap(server => {
      const { name, vmState, powerState } = server
      const isUp = (powerState === RUNNING || powerState === PAUSED) && vmState !== 'resized'
      if (server.host === host) return isUp ? [`${name}, which runs`] : []
      const migration = newest.get(server.id)
      if (vmState === 'resized' && migration?.source === host) return [`${name}, which may be reverted to it`]
      return server.taskState === 'migrating' && migration?.dest === host ? [`${name}, which comes`] : []
    })
  }
  const osdsOf = (node: string) => (cloud.ceph?.osds() ?? []).filter(({ host }) => host === node)
  const ceph = (...words: readonly string[]) =>
    parse(cloud.ceph?.command(['ceph', ...words, '--format', 'json'])?.stdout ?? '')
  const hasNoout = (node: string) => {
    const dump = ceph('osd', 'dump')
    return hasNooutEverywhere(dump) || listAt(dump, 'crush_node_flags', node).includes('noout')
  }
  const hasNooutEverywhere = (dump: ReturnType<typeof parse>) =>
    String(dump?.flags ?? '')
      .split(',')
      .includes('noout')
  /** Whether another node, or a machine outside of Kubernetes by its Lease, is noted to need noout of all of Ceph. */
  const isNeededElsewhere = (node: string) =>
    [...listOf('Node'), ...listOf('Lease')].some(
      ({ metadata: { name, annotations } }) =>
        name !== node && name !== `lockkeeper-node-${node}` && annotations?.[NOOUT_ANNOTATION] !== undefined,
    )
  const isDisabled = (host: string) =>
    cloud.state.services.some(service => service.host === host && service.binary === 'nova-compute' && !service.enabled)
  const isUp = (host: string) =>
    cloud.state.services.some(service => service.host === host && service.binary === 'nova-compute' && service.alive)
  /** Since when its nova-compute reports, or its kubelet does; null: both are silent. */
  const runsSinceMs = (host: string): number | null => {
    const compute = cloud.state.services.find(({ binary, host: of }) => binary === 'nova-compute' && of === host)
    const ready = listAt(cloud.objects.get('Node', null, host), 'status', 'conditions').find(
      condition => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
    )
    const since = [
      ...(compute?.alive === true ? [compute.lastSeenAt] : []),
      ...(ready === undefined ? [] : [Date.parse(textAt(ready, 'lastTransitionTime') ?? '')]),
    ]
    return since.length === 0 ? null : Math.min(...since)
  }
  const requestsFor = (node: string) =>
    listOf('NodeMaintenanceRequest').filter(one => textAt(one, 'spec', 'nodeName') === node)
  const locksOf = (node: string) => listOf('NodeWorkloadLock').filter(one => textAt(one, 'spec', 'nodeName') === node)
  const clusterRequests = () => listOf('ClusterMaintenanceRequest')
  const clusterLocks = () => listOf('ClusterWorkloadLock')
  const isInactive = (lock: StoredObject) => textAt(lock, 'status', 'state') === 'inactive'
  /** Nodes that an update has cordoned, without those that another run has. */
  const outByUpdate = new Set<string>()
  /** Nodes that an update asked for, by the names of its requests. */
  const askedByUpdate = new Set<string>()
  const listOf = (kind: string): readonly StoredObject[] => {
    try {
      return cloud.objects.list(kind)
    } catch {
      return []
    }
  }

  /** The claim of a verified step of this kind; null if the claim is false. */
  const truths: Readonly<Record<string, (node: string, input: StepInput) => string | null>> = {
    'cordon-node': node => (isCordoned(node) ? null : `${node} is not cordoned`),
    'uncordon-node': node => (isCordoned(node) ? `${node} is cordoned` : null),
    'drain-node': node => {
      const left = podsThatMustLeave(node)
      return left.length === 0 ? null : `on ${node} are ${left.join(', ')}`
    },
    'disable-compute': node => (isDisabled(node) ? null : `nova-compute of ${node} is enabled`),
    'enable-compute': node => (isDisabled(node) ? `nova-compute of ${node} is disabled` : null),
    'compute-returns': node => (isUp(node) ? null : `nova-compute of ${node} is down`),
    'compute-given-back': node =>
      isUp(node) && !isDisabled(node) ? null : `nova-compute of ${node} is down or disabled`,
    'set-noout': node => (hasNoout(node) ? null : `noout is not set for ${node}`),
    'unset-noout': node => (hasNoout(node) && !isNeededElsewhere(node) ? `noout is set for ${node}` : null),
    'stop-osds': node => (osdsOf(node).every(({ up }) => !up) ? null : `OSDs of ${node} are up`),
    'start-osds': node => (osdsOf(node).every(osd => osd.up && osd.in) ? null : `OSDs of ${node} are not up and in`),
    'ceph-clean': () => {
      const states = listAt(ceph('status'), 'pgmap', 'pgs_by_state').map(state => textAt(state, 'state_name'))
      return states.join() === 'active+clean' ? null : `placement groups are ${states.join()}`
    },
    // What it claims is its verdict, which is held against the cloud as it is journaled.
    'node-emptied': () => null,
    'node-serves': () => null,
    'migrate-instances': node => {
      const left = serversThatMustLeave(node)
      return left.length === 0 ? null : `on ${node} are ${left.map(({ name }) => name).join(', ')}`
    },
    'force-down-compute': node =>
      cloud.state.services.some(
        ({ binary, host, forcedDown, enabled }) => binary === 'nova-compute' && host === node && forcedDown && !enabled,
      )
        ? null
        : `nova-compute of ${node} is not forced down and disabled`,
    'rescue-instances': node => {
      const left = [...cloud.state.servers.values()].filter(
        ({ host, vmState, taskState }) =>
          host === node && taskState === null && (vmState === 'active' || vmState === 'stopped'),
      )
      return left.length === 0 ? null : `on ${node} are ${left.map(({ name }) => name).join(', ')}`
    },
    'request-node-maintenance': node => (requestsFor(node).length > 0 ? null : `there is no request for ${node}`),
    'remove-node-request': node => (requestsFor(node).length === 0 ? null : `there is a request for ${node}`),
    'node-locks-inactive': node => {
      const locks = locksOf(node)
      const active = locks.filter(lock => textAt(lock, 'status', 'state') !== 'inactive')
      return locks.length > 0 && active.length === 0
        ? null
        : `${active.length} of ${locks.length} locks of ${node} are active`
    },
    'node-locks-active': node => {
      // A lock whose status was never written is active (seed 001: the default).
      const inactive = locksOf(node).filter(lock => (textAt(lock, 'status', 'state') ?? 'active') !== 'active')
      return inactive.length === 0 ? null : `${inactive.length} locks of ${node} are not active`
    },
    'request-cluster-maintenance': () => (clusterRequests().length > 0 ? null : 'there is no request for the cluster'),
    'remove-cluster-request': () => (clusterRequests().length === 0 ? null : 'there is a request for the cluster'),
    'cluster-lock-inactive': (_, { controller }) => {
      const meant = clusterLocks().filter(
        lock => controller === null || textAt(lock, 'spec', 'controllerName') === controller,
      )
      if (controller === null) return null
      return meant.length > 0 && meant.every(isInactive) ? null : `the cluster's lock of ${controller} is not inactive`
    },
    'cluster-locks-active': () => (clusterLocks().some(isInactive) ? 'a lock of the cluster is inactive' : null),
  }

  /** Nodes that are in maintenance, as far as runs that ended said so. */
  const entered = new Set<string>()

  /** Data of a node that is out has to stay where it is, and be there: held after each change of Ceph and each end of a run. */
  function heldToStorage(when: string): void {
    if (cloud.ceph === null) return
    for (const node of cloud.nodes) {
      const down = osdsOf(node).filter(({ up }) => !up)
      if (down.length > 0 && !hasNoout(node))
        found('storage is protected', `OSDs of ${node} are down without noout ${when}`)
      if (entered.has(node) && osdsOf(node).length > 0 && !hasNoout(node))
        found('storage is protected', `${node} is in maintenance without noout ${when}`)
    }
    const out = cloud.nodes.filter(node => osdsOf(node).some(({ up }) => !up))
    // An operator who forces past Ceph's refusal confirms it with a reason.
    const isForced = [...plans.values()].some(({ options }) => options.overrides.some(({ flag }) => flag === 'force'))
    if (out.length > 1 && !isForced) found('storage is protected', `OSDs of ${out.join(', ')} are down at once ${when}`)
  }

  /** What the application controllers promise with a lock, and the order in which an update goes through them. */
  function heldToOrder({ from, method, target, body }: Arrival): void {
    const path = pathOf(target)
    const lock = /\/nodeworkloadlocks\/([^/]+)(?:\/status)?$/.exec(path)?.[1]
    if (lock !== undefined && method !== 'DELETE') {
      const now = listOf('NodeWorkloadLock').find(({ metadata }) => metadata.name === lock)
      if (now === undefined || !isInactive(now) || textAt(now, 'spec', 'controllerName') !== 'openstack') return
      const node = textAt(now, 'spec', 'nodeName') ?? ''
      const left = serversThatMustLeave(node).map(({ name }) => name)
      const empties = requestsFor(node).some(request => textAt(request, 'spec', 'scope') === 'os')
      if (empties && left.length > 0)
        found('locks and phases', `${lock} is inactive, and on ${node} are ${left.join(', ')}`)
      return
    }
    const isUpdate = isOfUpdate(from)
    if (isUpdate && method === 'POST' && path.endsWith('/nodemaintenancerequests')) {
      if (clusterRequests().length === 0)
        found('locks and phases', `${from} asks for a node before it asked for the cluster`)
      const open = clusterLocks().filter(one => !isInactive(one))
      if (open.length > 0)
        found('locks and phases', `${from} asks for a node while ${open.length} locks of the cluster are active`)
    }
    const removed = method === 'DELETE' ? /\/nodemaintenancerequests\/([^/?]+)/.exec(path)?.[1] : undefined
    if (removed !== undefined) askedByUpdate.delete(removed)
    if (isUpdate && method === 'POST' && path.endsWith('/nodemaintenancerequests'))
      askedByUpdate.add(textAt(parse(body), 'metadata', 'name') ?? '')
    if (method === 'DELETE' && path.includes('/clustermaintenancerequests/')) {
      const open = listOf('NodeMaintenanceRequest').filter(({ metadata }) => askedByUpdate.has(metadata.name))
      if (open.length > 0)
        found('locks and phases', `${from} ends the update while ${open.length} nodes are in maintenance`)
    }
    if (method !== 'PATCH' || !/^\/api\/v1\/nodes\/[^/]+$/.test(path)) return
    const node = path.split('/').at(-1) ?? ''
    const asked = parse(body)?.spec?.unschedulable
    if (asked === undefined) return
    // What somebody else takes out afterwards is not the update's.
    if (asked !== true) outByUpdate.delete(node)
    else if (isUpdate) {
      const out = [...outByUpdate.add(node)].filter(isCordoned)
      if (out.length > 1)
        found('locks and phases', `${out.join(', ')} are cordoned at once by an update that takes one at a time`)
    }
  }

  /** What a process has to hold before it touches a node: its Lease or that of the cluster's update; controllers have their own. */
  const leaseOf = (from: string, node: string) => {
    if (isController(from)) return 'lockkeeper-controllers'
    const other = holdings.get(leaseName(node))?.by ?? null
    const isFree = other === null || other === from || !isDriving(other)
    return isOfUpdate(from) && isFree ? UPDATE_LEASE : leaseName(node)
  }
  /** Whether the last Lease that a process took is that of the update. */
  const isOfUpdate = (from: string) => taken.get(from) === UPDATE_LEASE
  /** The subject of a run is a node, or the cluster. */
  const leaseName = (subject: string) => (subject === 'sim' ? UPDATE_LEASE : `lockkeeper-node-${subject}`)

  return {
    violations,
    found,
    knows: stepKind => truths[stepKind] !== undefined,
    received: (from, target, servedAtMs, isTrue) => {
      const name = LEASE.exec(pathOf(target))?.[1]
      if (name !== undefined && !isTrue) deceived.add(`${from} ${name}`)
      if (name !== undefined) looks.set(`${from} ${name}`, { servedAtMs, receivedAtMs: monotonicMs(from) })
    },
    answered: (from, gateId) => {
      untaken.set(gateId, { from, atMs: timeline.now() })
    },
    ended: () => {
      const now = timeline.now()
      for (const [gateId, { from, atMs }] of untaken) {
        // A process that is paused, sleeps or lost its Lease takes the answer later.
        const mayAct = [...holdings.values()].some(({ by, writtenAtMs }) => by === from && now - writtenAtMs < 30_000)
        if (now - atMs < RECEIVED_MS || !isDriving(from) || still.has(from) || asleepUntilMs(from) > atMs || !mayAct)
          continue
        found('requests take effect', `${from} has not taken the answer to question ${gateId} after ${now - atMs} ms`)
      }
    },
    leaseTouched: (node, by) => {
      const now = timeline.now()
      holdings.set(leaseName(node), { by, sinceMs: now, writtenAtMs: now, durationMs: 0 })
    },
    reaching: (from, api, method, target) => {
      const none = { node: null, podUid: null, serverId: null, holding: null }
      if (method === 'GET') return none
      const path = pathOf(target)
      const about = subjectOf(cloud, api, path)
      return { ...about, holding: about.node === null ? null : (holdings.get(leaseOf(from, about.node)) ?? null) }
    },
    arrived: (arrival, reached) => {
      const { from, method, target, status, copy, body } = arrival
      if (method === 'GET' || status < 200 || status > 299) return
      if (arrival.api === 'juju') heldToStorage(`after ${from} did ${target}`)
      const lease = LEASE.exec(pathOf(target))
      if (lease !== null) {
        const name = lease[1] ?? textAt(parse(body), 'metadata', 'name') ?? ''
        writtenLease(name, from)
        return
      }
      if (!copy && !isDryRun(target, body)) heldToOrder(arrival)
      const isRemoval = method === 'DELETE' || /\/eviction/.test(target)
      if (reached.podUid !== null && isRemoval && !isDryRun(target, body) && !meant.has(`${from} ${reached.podUid}`)) {
        found(
          'no namesake is hit',
          `${from} ${method} ${target} removed pod ${reached.podUid}, which it did not announce`,
        )
      }
      if (reached.podUid !== null && /\/eviction/.test(target) && !isDryRun(target, body) && !copy) {
        // A run that finds a pod on its way out evicts it once too, as kubectl does: what an earlier run asked for it cannot know (docs/drain.md 5.2).
        const key = `${driven.get(from) ?? from} ${reached.podUid}`
        const count = (evicted.get(key) ?? 0) + 1
        evicted.set(key, count)
        if (count > 1) found('nothing is done twice', `pod ${reached.podUid} was evicted ${count} times (${target})`)
      }
      if (reached.serverId !== null && reached.node !== null && /"evacuate"/.test(body)) {
        const since = runsSinceMs(reached.node)
        const ranMs = since === null ? 0 : arrival.sentAtMs - since
        if (ranMs > HOST_SEEN_MS)
          found(
            'no host that runs is evacuated',
            `${from} evacuates ${reached.serverId} of ${reached.node}, which runs for ${ranMs} ms`,
          )
        const backAt = cloud.backAtMs(reached.node)
        const decidedAt = Date.parse(plans.get(driven.get(from) ?? '')?.madeAt ?? '')
        if (backAt !== null && decidedAt < backAt && arrival.sentAtMs - backAt > HOST_SEEN_MS)
          found(
            'no host that was back since is evacuated',
            `${from} evacuates ${reached.serverId} of ${reached.node}, which was back after that was decided`,
          )
      }
      if (reached.serverId !== null && /os-migrateLive|"evacuate"/.test(body) && !copy) {
        const count = (migrations.get(reached.serverId) ?? 0) + 1
        migrations.set(reached.serverId, count)
        const reported = announced.get(reached.serverId) ?? 0
        if (count > reported && !isController(from)) {
          found(
            'nothing is done twice',
            `server ${reached.serverId} was migrated ${count} times, announced ${reported} times`,
          )
        }
      }
      if (reached.node === null || copy || isDryRun(target, body)) return
      const fencedMs = arrival.sentAtMs - (fenced.get(from) ?? Number.POSITIVE_INFINITY)
      if (fencedMs > GRACE_MS) {
        found('who is fenced is silent', `${from} ${method} ${target} ${fencedMs} ms after another took its run over`)
      }
      const reported = still.get(from)
      if (reported !== undefined && arrival.sentAtMs - reported.sinceMs > GRACE_MS) {
        found(
          'requests take effect',
          `${from} ${method} ${target} ${arrival.sentAtMs - reported.sinceMs} ms after ${reported.why}`,
        )
      }
      const { holding } = reached
      const late = arrival.sentAtMs - (holding?.sinceMs ?? 0)
      if (holding === null) {
        found('one driver a node', `${from} ${method} ${target} while nobody ever held ${reached.node}`)
      } else if (holding.by !== from && late > GRACE_MS && !lookedJustBefore(arrival, reached.node, holding)) {
        const who = holding.by === null ? 'nobody holds' : `${holding.by} holds`
        found('one driver a node', `${from} ${method} ${target} ${late} ms after ${who} ${reached.node}`)
      }
    },
    journaled: (from, { runId, body }) => {
      receivePerson(from, runId, body)
      heldToFence(from, runId, body)
      driven.set(from, runId)
      if (body.kind === 'run-created') plans.set(runId, body.plan)
      const plan = plans.get(runId)
      if (plan?.kind === 'leave') entered.delete(plan.node)
      if (plan?.kind === 'enter' && body.kind === 'run-finished' && body.outcome === 'done') {
        entered.add(plan.node)
        heldToStorage('at the end of a run')
      }
      if (body.kind === 'run-created') steps.set(runId, new Map(body.plan.steps.map(step => [step.id, step])))
      // An answer gives all attempts again; resuming a failed run gives one more; resuming any other run gives no
      // attempt.
      const isAnswer = body.kind === 'gate-answered' && body.choice !== 'abort'
      const isAgain = body.kind === 'run-driven' && body.resumed && failedRuns.delete(runId)
      if (body.kind === 'run-finished' && body.outcome === 'failed') failedRuns.add(runId)
      const more = isAnswer ? ATTEMPTS : isAgain ? 1 : 0
      given.set(runId, (given.get(runId) ?? ATTEMPTS) + more)
      if (body.kind === 'fact' && body.announces) {
        if (body.fact === EVICTION_REQUESTED) meant.add(`${from} ${body.values.uid}`)
        const id = /^server\/([0-9a-f-]+)/.exec(body.subject)?.[1]
        if (id !== undefined) {
          announced.set(id, (announced.get(id) ?? 0) + 1)
          const key = `${runId} ${id}`
          const made = (attempts.get(key) ?? 0) + (body.values.again === true ? 0 : 1)
          attempts.set(key, made)
          const limit = given.get(runId) ?? ATTEMPTS
          if (made > limit) {
            found('nothing is done twice', `run ${runId} makes attempt ${made} at server ${id}; it was given ${limit}`)
          }
        }
      }
      if (body.kind === 'fact' && body.fact === NODE_VERDICT && body.values.kind === 'Empty') {
        const node = body.subject.replace(/^node\//, '')
        const there = keepsFromEmpty(node)
        if (there.length > 0) {
          found('empty is empty', `run ${runId} says that ${node} is empty, but on it is ${there.join(', ')}`)
        }
      }
      if (body.kind === 'lease-lost') {
        lost.add(runId)
        const holding = holdings.get(leaseName(body.node))
        if (holding?.by === from && !deceived.has(`${from} ${leaseName(body.node)}`)) {
          found(
            'a Lease is lost to somebody',
            `${from} gives up the Lease of ${body.node}, which is its own: ${body.why}`,
          )
        }
      }
      if (body.kind === 'run-driven') lost.delete(runId)
      if (body.kind === 'run-finished' && body.outcome === 'failed' && lost.has(runId)) {
        found('a Lease is lost to somebody', `run ${runId} failed because its Lease is gone: it is interrupted`)
      }
      const claim =
        body.kind === 'step-verified' && body.answer.kind === 'holds'
          ? { stepId: body.stepId, words: body.answer.reason }
          : body.kind === 'step-skipped' && body.by === 'nothing-to-do'
            ? { stepId: body.stepId, words: body.reason }
            : null
      if (claim === null) return
      const step = steps.get(runId)?.get(claim.stepId)
      if (step === undefined) return
      const node = typeof step.input.node === 'string' ? step.input.node : 'sim'
      const holding = holdings.get(leaseOf(from, node))
      // Somebody else has begun with the node since: what was seen was so when it was seen.
      if (holding !== undefined && holding.by !== from) return
      const not = truths[step.kind]?.(node, step.input) ?? null
      if (not !== null) found('verified is true', `run ${runId} says of ${step.kind}: "${claim.words}", but ${not}`)
    },
  }

  /**
   * The driver of a run is the last process that the journal names: no other process writes about it or acts for it.
   */
  function heldToFence(from: string, runId: string, body: RunEventBody): void {
    const before = drivers.get(runId)
    if (heldToHandOver(from, runId, body)) return
    if (body.kind === 'run-created' || body.kind === 'run-driven' || body.kind === 'run-taken-over') {
      if (before !== undefined && before !== from) fenced.set(before, timeline.now())
      fenced.delete(from)
      drivers.set(runId, from)
    } else if (before !== from && !isAbortOfLeft(body, before)) {
      found('who is fenced is silent', `${from} journals ${body.kind} of run ${runId}, which ${before} drives`)
    }
  }

  /** A console that opened the journal later may abort a run whose driver ended, without driving it. */
  function isAbortOfLeft(body: RunEventBody, before: string | undefined): boolean {
    const isAbort = body.kind === 'abort-requested' || (body.kind === 'run-finished' && body.outcome === 'aborted')
    return isAbort && before !== undefined && !isDriving(before)
  }

  /**
   * Holds a hand-over to its rules: the old driver may continue only before it was taken, the new one only if it was
   * not taken back. True if the event is only about a hand-over.
   */
  function heldToHandOver(from: string, runId: string, body: RunEventBody): boolean {
    const now = handed.get(runId)
    const rule = 'one journal continues a run'
    const taker = now?.by ?? null
    switch (body.kind) {
      case 'hand-over-announced':
        if (now === undefined) handed.set(runId, { by: null })
        return true
      case 'run-taken-over':
        if (now === undefined)
          found(rule, `${from} takes over run ${runId}, which was not handed over, or was taken back`)
        handed.set(runId, { by: machineOf(from) })
        return false
      case 'hand-over-failed':
        if (taker !== null) found(rule, `${from} says that nobody has run ${runId}, which ${taker} took over`)
        else handed.delete(runId)
        return true
      case 'run-driven':
        if (taker !== null && taker !== machineOf(from))
          found(rule, `${from} continues run ${runId}, which ${taker} took over`)
        if (taker === null) handed.delete(runId)
        return false
      default:
        return body.kind === 'run-finished' && body.outcome === 'handed-over'
    }
  }

  function receivePerson(from: string, runId: string, body: RunEventBody): void {
    const now = timeline.now()
    const reported = still.get(from)
    switch (body.kind) {
      case 'gate-answered':
        untaken.delete(body.gateId)
        return
      case 'pause-requested':
      case 'abort-requested':
        if (reported?.why !== 'abort-requested') still.set(from, { sinceMs: now, why: body.kind })
        return
      case 'resume-requested':
        if (reported?.why === 'pause-requested') still.delete(from)
        return
      case 'run-driven':
        still.delete(from)
        return
      case 'run-finished':
      case 'driver-left': {
        still.delete(from)
        const took = now - (reported?.sinceMs ?? now)
        if (reported?.why === 'abort-requested' && took > RECEIVED_MS && asleepUntilMs(from) < reported.sinceMs) {
          found('requests take effect', `run ${runId} was aborted ${took} ms after the operator's request`)
        }
      }
    }
  }

  /** Its last read of the Lease was answered before another console took it, and it acted at once. */
  function lookedJustBefore({ from, sentAtMs }: Arrival, node: string, holding: Holding): boolean {
    const look = looks.get(`${from} ${leaseOf(from, node)}`)
    // A driver does not notice a lid that closes between the read and the request until it has sent the request.
    const sentAwakeMs = monotonicMs(from) - (timeline.now() - sentAtMs)
    return look !== undefined && look.servedAtMs < holding.sinceMs && sentAwakeMs - look.receivedAtMs < GRACE_MS
  }

  function writtenLease(name: string, from: string): void {
    const lease = cloud.objects.get('Lease', 'default', name)
    const holder = textAt(lease, 'spec', 'holderIdentity') ?? null
    const durationMs = Number(recordAt(lease, 'spec').leaseDurationSeconds ?? 0) * 1000
    const before = holdings.get(name)
    const now = timeline.now()
    const by = holder === null || holder === '' ? null : from
    if (before !== undefined && before.by !== null && by !== null && before.by !== by && isDriving(before.by)) {
      const age = now - before.writtenAtMs
      if (age < before.durationMs) {
        found('a live Lease is not taken', `${by} took ${name} from ${before.by}, who wrote it ${age} ms before`)
      }
    }
    if (by !== null) taken.set(by, name)
    holdings.set(name, {
      by,
      sinceMs: before !== undefined && before.by === by ? before.sinceMs : now,
      writtenAtMs: now,
      durationMs,
    })
  }
}

/** Machines that run controllers are called so. */
export const CONTROLLERS = 'ctl'

/** Processes are called after their machine, and numbered. */
function machineOf(from: string): string {
  return from.replace(/-\d+$/, '')
}

function isController(from: string): boolean {
  return from.startsWith(CONTROLLERS)
}

/** Of who updates a cluster. */
const UPDATE_LEASE = 'lockkeeper-update'

const LEASE = /\/leases(?:\/([^/?]+))?$/

function pathOf(target: string): string {
  return target.split('?')[0] ?? ''
}

function subjectOf(
  cloud: Cloud,
  api: Arrival['api'],
  path: string,
): { readonly node: string | null; readonly podUid: string | null; readonly serverId: string | null } {
  const none = { node: null, podUid: null, serverId: null }
  if (api === 'kubernetes') {
    const node = /^\/api\/v1\/nodes\/([^/]+)/.exec(path)?.[1]
    if (node !== undefined) return { ...none, node }
    const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)/.exec(path) ?? []
    if (namespace === undefined || name === undefined) return none
    const pod = cloud.objects.get('Pod', namespace, name)
    return { ...none, node: textAt(pod, 'spec', 'nodeName') ?? null, podUid: pod?.metadata.uid ?? null }
  }
  if (api === 'juju') return { ...none, node: /^\/units\/([^/]+)/.exec(path)?.[1] ?? null }
  return subjectInCloud(cloud, path)
}

function subjectInCloud(cloud: Cloud, path: string) {
  const none = { node: null, podUid: null, serverId: null }
  const service = /\/os-services\/([^/]+)$/.exec(path)?.[1]
  if (service !== undefined) {
    return { ...none, node: cloud.state.services.find(({ id }) => id === service)?.host ?? null }
  }
  const serverId = /\/servers\/([^/]+)\/action$/.exec(path)?.[1]
  return serverId === undefined ? none : { ...none, node: cloud.state.servers.get(serverId)?.host ?? null, serverId }
}

function isDryRun(target: string, body: string): boolean {
  return /dryRun=All/.test(target) || listAt(parse(body), 'deleteOptions', 'dryRun').includes('All')
}

function parse(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
