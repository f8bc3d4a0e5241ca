import { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isAtLeast } from './microversion.ts'
import { BEFORE_UPTIME } from './nova-hypervisors.ts'
import type { OpenStackSession, ServiceRequest } from './openstack-session.ts'
import {
  askProbes,
  lists,
  type PolicyProbe,
  type Probe,
  provesNothing,
  refusalSays,
  unknown,
  type Verdict,
} from './policy-probe.ts'

/** An id of no service or server: version 4 UUIDs are random. */
const NOBODY = '00000000-0000-4000-8000-000000000000'
/** A host of no cloud: `.invalid` is reserved (RFC 6761). */
const NOWHERE = 'lockkeeper-policy-probe.invalid'
/** Longer than Nova's 60 characters, so never stored (domain.md A.6). */
const OVERLONG_TAG = `lockkeeper-policy-probe-${'x'.repeat(60)}`

/**
 * Checks whether the cloud's policy allows what a plan needs (docs/domain.md C.4 "Minimum RBAC"), without doing it. Read rules are tested by reading; write
 * rules by requests that Nova checks by policy first and that then cannot work: an unknown service, host or migration, an overlong tag. Actions name a real
 * server, a stopped one if possible, because Nova checks them only once the server is found. Newer Novas apply a narrower rule (`:host`, admin) to a move to a
 * named host: after its refusal a move without a host is tested too, on an instance in a state in which Nova never moves it. Before 2.56 Nova ignores the host
 * of a cold migration (seen in its API's history): it would really move, so it is not tested.
 */
export async function probeNovaPolicies(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly PolicyProbe[]>> {
  const servers = await findServers(session, signal)
  if (!servers.ok) return servers
  const version = await session.microversion('compute', signal)
  if (!version.ok) return version
  const namesColdHost = version.value !== null && isAtLeast(version.value, COLD_HOST_SINCE)
  const probes = [...readProbes(session), ...writeProbes(servers.value, namesColdHost)]
  const answers = await askProbes(session, probes, signal)
  if (!answers.ok) return answers
  if (servers.value === null) return ok([...answers.value, ...withoutServer()])
  if (namesColdHost) return answers
  return ok([...answers.value, unknown(COLD_MIGRATE.need, COLD_MIGRATE.rule, because('WouldReallyMove'))])
}

interface ProbedServer {
  readonly id: string
  readonly name: string
  readonly status: string
}

interface ProbedServers {
  readonly any: ProbedServer
  readonly unmoved: ProbedServer | null
}

const Servers = z.object({
  servers: z.array(z.object({ id: z.string(), name: z.string().optional(), status: z.string() })),
})

/** Best first. Without states that an owner ends by starting, resuming or unpausing meanwhile (domain.md C.4). */
const NEVER_MOVED = ['SHELVED_OFFLOADED', 'SHELVED', 'ERROR'] as const
/** Preferred over running ones if a host is named. */
const AT_REST = ['SUSPENDED', 'SHUTOFF'] as const
/** Since this version Nova rejects a host that does not exist. */
const COLD_HOST_SINCE = { major: 2, minor: 56 } as const

async function findServers(
  session: OpenStackSession,
  signal: AbortSignal | undefined,
): Promise<Result<ProbedServers | null>> {
  const list = (query: Readonly<Record<string, string>>) =>
    session.request('compute', {
      method: 'GET',
      path: '/servers/detail',
      query: { ...query, limit: '100' },
      call: call('FindProbedInstance'),
      signal,
    })
  const everybodys = await list({ all_tenants: '1' })
  const answer = !everybodys.ok && everybodys.failure.code === 'not-permitted' ? await list({}) : everybodys
  if (!answer.ok) return answer.failure.code === 'not-permitted' ? ok(null) : answer
  const parsed = Servers.safeParse(answer.value.body)
  if (!parsed.success) return failed(answer.value.unreadable(because('NotAListOfServers')))
  const servers = parsed.data.servers
    .filter(each => each.status !== 'UNKNOWN')
    .map(({ id, name, status }) => ({ id, name: name ?? id, status }))
  const firstIn = (statuses: readonly string[]) =>
    statuses.flatMap(status => servers.find(each => each.status === status) ?? [])[0] ?? null
  const unmoved = firstIn(NEVER_MOVED)
  const any = unmoved ?? firstIn(AT_REST) ?? servers.find(each => each.status !== 'MIGRATING')
  return ok(any === undefined ? null : { any, unmoved })
}

function readProbes(session: OpenStackSession): readonly Probe[] {
  const isAdmin = session.identity().roles.includes('admin')
  return [...novaReadProbes(isAdmin), ...otherReadProbes()]
}

function novaReadProbes(isAdmin: boolean): readonly Probe[] {
  const everybodys = { all_tenants: '1', limit: '1' }
  return [
    readProbe(call('ListComputeServices'), 'os_compute_api:os-services:list', {
      request: { method: 'GET', path: '/os-services', query: { binary: 'nova-compute' } },
      onAnswer: lists('services'),
    }),
    readProbe(call('ListHypervisors'), 'os_compute_api:os-hypervisors:list-detail', {
      request: { method: 'GET', path: '/os-hypervisors/detail', query: { limit: '1' }, notAfter: BEFORE_UPTIME },
      onAnswer: lists('hypervisors'),
      // The name before Ussuri.
      newerRule: 'os_compute_api:os-hypervisors',
    }),
    readProbe(call('ListInstances'), 'os_compute_api:servers:detail:get_all_tenants', {
      request: { method: 'GET', path: '/servers/detail', query: everybodys },
      onAnswer: lists('servers'),
      // A user who may not list even their own project gets this rule (seen: a login without project).
      newerRule: 'os_compute_api:servers:detail',
    }),
    readProbe(call('SeeHosts'), 'os_compute_api:os-extended-server-attributes', {
      request: { method: 'GET', path: '/servers/detail', query: isAdmin ? everybodys : { limit: '1' } },
      onAnswer: showsHost,
      unclear: because('HostsHiddenOrNone'),
    }),
    readProbe(call('ListMigrationsOfAll'), 'os_compute_api:os-migrations:index', {
      request: { method: 'GET', path: '/os-migrations', query: { limit: '1' } },
      onAnswer: lists('migrations'),
      newerRule: 'os_compute_api:os-migrations:index:all_projects',
    }),
    readProbe(call('ListServerGroups'), 'os_compute_api:os-server-groups:index:all_projects', {
      request: { method: 'GET', path: '/os-server-groups', query: { all_projects: 'true', limit: '1' } },
      onAnswer: body => (isAdmin ? lists('server_groups')(body) : 'unknown'),
      unclear: because('OnlyOwnGroups'),
    }),
    readProbe(call('ListAvailabilityZones'), 'os_compute_api:os-availability-zone:detail', {
      request: { method: 'GET', path: '/os-availability-zone/detail', query: {} },
      onAnswer: lists('availabilityZoneInfo'),
    }),
  ]
}

function otherReadProbes(): readonly Probe[] {
  return [
    readProbe(call('ListNetworkAgents'), 'get_agent', {
      service: 'network',
      request: { method: 'GET', path: '/agents', query: { fields: 'id' } },
      onAnswer: hasAgents,
      unclear: because('AgentsHiddenOrNone'),
    }),
    readProbe(call('ReadResourceProviders'), 'placement:resource_providers:list', {
      service: 'placement',
      request: { method: 'GET', path: '/resource_providers', query: { name: NOWHERE } },
      onAnswer: lists('resource_providers'),
    }),
  ]
}

function readProbe(need: Finding, rule: string, probe: Pick<Probe, 'request' | 'onAnswer'> & Partial<Probe>): Probe {
  return { need, rule, service: 'compute', onFailure: provesNothing, unclear: because('SaysNothing'), ...probe }
}

const ServerHosts = z.object({ servers: z.tuple([z.object({ 'OS-EXT-SRV-ATTR:host': z.string().nullable() })]) })
const SomeAgents = z.object({ agents: z.array(z.unknown()).min(1) })

function showsHost(body: unknown): Verdict {
  return ServerHosts.safeParse(body).success ? true : 'unknown'
}

function hasAgents(body: unknown): Verdict {
  return SomeAgents.safeParse(body).success ? true : 'unknown'
}

const UPDATE_SERVICE = {
  need: call('SwitchComputeServices'),
  rule: 'os_compute_api:os-services:update',
} as const
const LIVE_MIGRATE = {
  need: call('LiveMigrateAny'),
  rule: 'os_compute_api:os-migrate-server:migrate_live',
} as const
const LIVE_MIGRATE_TO = {
  need: call('LiveMigrateHome'),
  rule: `${LIVE_MIGRATE.rule}:host`,
} as const
const COLD_MIGRATE = { need: call('ColdMigrateAny'), rule: 'os_compute_api:os-migrate-server:migrate' } as const
const ABORT = { need: call('AbortAny'), rule: 'os_compute_api:servers:migrations:delete' } as const
const FORCE = {
  need: call('ForceAny'),
  rule: 'os_compute_api:servers:migrations:force_complete',
} as const
const EVACUATE = { need: call('EvacuateAny'), rule: 'os_compute_api:os-evacuate' } as const
const TAG = { need: call('TagAny'), rule: 'os_compute_api:os-server-tags:update' } as const

function writeProbes(servers: ProbedServers | null, namesColdHost: boolean): readonly Probe[] {
  const service: Probe = {
    ...UPDATE_SERVICE,
    service: 'compute',
    request: { method: 'PUT', path: `/os-services/${NOBODY}`, body: { status: 'enabled' } },
    onAnswer: provesNothing,
    onFailure: ({ code }) => (code === 'not-found' ? true : 'unknown'),
    unclear: because('SaysNothing'),
  }
  if (servers === null) return [service]
  const { any, unmoved } = servers
  const on = (facts: Pick<Probe, 'need' | 'rule'>, request: Probe['request'], server = any): Probe => ({
    ...facts,
    service: 'compute',
    request,
    onAnswer: provesNothing,
    onFailure: failure => isPassed(failure, said => /migration/i.test(said)),
    unclear: because('JudgedByOtherRule', { name: server.name, id: server.id }),
  })
  const pathOf = ({ id }: ProbedServer) => `/servers/${encodeURIComponent(id)}`
  const move = (
    facts: Pick<Probe, 'need' | 'rule'>,
    bodyFor: (host: string | null) => ServiceRequest['body'],
  ): Probe => {
    const moveProbe = (server: ProbedServer, host: string | null): Probe => ({
      ...on(facts, { method: 'POST', path: `${pathOf(server)}/action`, body: bodyFor(host) ?? null }, server),
      accepted: because('MoveTaken', { name: server.name, id: server.id }),
    })
    return { ...moveProbe(any, NOWHERE), ...(unmoved === null ? {} : { otherwise: moveProbe(unmoved, null) }) }
  }
  const path = pathOf(any)
  const moveLive = (host: string | null) => ({ 'os-migrateLive': { host, block_migration: 'auto' } })
  return [
    service,
    move(LIVE_MIGRATE, moveLive),
    {
      ...on(LIVE_MIGRATE_TO, { method: 'POST', path: `${path}/action`, body: moveLive(NOWHERE) }),
      // Without this rule, the rule of all live migrations applies.
      newerRule: LIVE_MIGRATE.rule,
    },
    ...(namesColdHost ? [move(COLD_MIGRATE, host => ({ migrate: host === null ? null : { host } }))] : []),
    {
      ...on(EVACUATE, { method: 'POST', path: `${path}/action`, body: { evacuate: { host: NOWHERE } } }),
      onFailure: failure => isPassed(failure, said => said.includes(NOWHERE)),
      accepted: because('RebuildTaken', { name: any.name, id: any.id }),
    },
    on(ABORT, { method: 'DELETE', path: `${path}/migrations/0` }),
    on(FORCE, { method: 'POST', path: `${path}/migrations/0/action`, body: { force_complete: null } }),
    on(TAG, { method: 'PUT', path: `${path}/tags/${OVERLONG_TAG}` }),
  ]
}

/** A refusal for state, host, migration or tag means that the policy allowed it; a missing server does not. `isOther`: Nova says that something else is missing. */
function isPassed(failure: Failure, isOther: (said: string) => boolean): Verdict {
  const { code } = failure
  const passed = code === 'conflict' || code === 'bad-input' || (code === 'not-found' && isOther(refusalSays(failure)))
  return passed ? true : 'unknown'
}

function withoutServer(): readonly PolicyProbe[] {
  return [LIVE_MIGRATE, LIVE_MIGRATE_TO, COLD_MIGRATE, EVACUATE, ABORT, FORCE, TAG].map(({ need, rule }) =>
    unknown(need, rule, because('NoInstanceToAskAbout')),
  )
}
