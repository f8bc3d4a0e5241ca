import { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { OpenStackSession, ServiceRequest } from './keystone-session.ts'
import { roleFor } from './server-words.ts'
import type { ServiceType } from './services.ts'

/** Whether the policy of the cloud lets this user do one thing that a plan needs. */
interface PolicyProbe {
  /** What a plan needs it for. */
  readonly need: string
  readonly rule: string
  readonly allowed: boolean | 'unknown'
  /** In an operator's words; says what to do where it is not allowed, and why where it cannot be told. */
  readonly message: string
}

/** An id that no service and no server has: version 4 ids are random. */
const NOBODY = '00000000-0000-4000-8000-000000000000'
/** A host that no cloud has: `.invalid` is reserved (RFC 6761). */
const NOWHERE = 'lockkeeper-policy-probe.invalid'
/** Longer than Nova's 60 characters, so never stored (domain.md A.6). */
const OVERLONG_TAG = `lockkeeper-policy-probe-${'x'.repeat(60)}`

/** What an answer that is not a plain 403 tells about the rule; the texts are Nova's own. */
type Verdict = true | 'unknown'

interface Probe {
  readonly need: string
  readonly rule: string
  readonly service: ServiceType
  readonly request: Pick<ServiceRequest, 'method' | 'path' | 'query' | 'body'>
  readonly onAnswer: (body: unknown) => Verdict
  readonly onFailure: (failure: Failure) => Verdict
  /** Why an answer may tell nothing. */
  readonly unclear: string
}

/** A read that was answered by a list of that name was allowed; a login page allows nothing. */
const lists =
  (name: string) =>
  (body: unknown): Verdict =>
    z.object({ [name]: z.array(z.unknown()) }).safeParse(body).success ? true : 'unknown'
const tellsNothing = (): Verdict => 'unknown'

/**
 * Asks the cloud whether its policy allows what a plan needs (docs/domain.md C.4 "Minimum RBAC"), without doing
 * any of it. Reading is asked by reading; writing by requests that Nova judges by its policy first and that can then come to nothing: a
 * service nobody has, a host nobody has, a migration nobody has, a tag that is too long. What acts on a server is judged only once
 * the server is found (seen: Zed answers 404 for an unknown server to everybody), so a real one is named; one that does not run where
 * there is such.
 */
export async function probeNovaPolicies(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly PolicyProbe[]>> {
  const server = await findServer(session, signal)
  if (!server.ok) return server
  const answers: PolicyProbe[] = []
  for (const probe of [...readProbes(session), ...writeProbes(server.value)]) {
    const answer = await ask(session, probe, signal)
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  if (server.value === null) answers.push(...withoutServer())
  return ok(answers)
}

async function ask(
  session: OpenStackSession,
  probe: Probe,
  signal: AbortSignal | undefined,
): Promise<Result<PolicyProbe>> {
  const { need, rule } = probe
  const answer = await session.request(probe.service, { ...probe.request, doing: `probe the policy: ${need}`, signal })
  const verdict = answer.ok ? probe.onAnswer(answer.value.body) : refusedBy(answer.failure, probe)
  if (verdict === 'gone') return answer.ok ? ok(unknown(need, rule, probe.unclear)) : answer
  if (verdict === 'unknown') {
    const why = answer.ok || answer.failure.code === 'not-permitted' ? probe.unclear : answer.failure.message
    return ok(unknown(need, rule, why))
  }
  if (verdict) return ok({ need, rule, allowed: true, message: `Allowed: ${need}.` })
  const { userName, projectName } = session.identity()
  return ok({
    need,
    rule,
    allowed: false,
    message: `Not allowed to user ${userName}${projectName === null ? '' : ` in project ${projectName}`}: ${need}. The rule ${rule} needs ${roleFor(rule)}.`,
  })
}

/** `gone`: nothing more can be asked, the caller stops. */
function refusedBy(failure: Failure, probe: Probe): Verdict | false | 'gone' {
  if (failure.code === 'aborted' || failure.code === 'unauthenticated') return 'gone'
  if (failure.code !== 'not-permitted') return probe.onFailure(failure)
  const named = /the rule ([\w.:-]+) of/.exec(failure.message)?.[1] ?? null
  // Recent Novas judge a named host by a rule of its own, which says nothing about the one we need.
  return named === null || named === probe.rule ? false : 'unknown'
}

function unknown(need: string, rule: string, why: string): PolicyProbe {
  return { need, rule, allowed: 'unknown', message: `Cannot be told beforehand: ${need}. ${why}` }
}

interface ProbedServer {
  readonly id: string
  readonly name: string
}

const Servers = z.object({
  servers: z.array(z.object({ id: z.string(), name: z.string().optional(), status: z.string() })),
})

/** A server to ask about, best one that Nova would move in no case; null when the user sees none. */
async function findServer(
  session: OpenStackSession,
  signal: AbortSignal | undefined,
): Promise<Result<ProbedServer | null>> {
  const list = (query: Readonly<Record<string, string>>) =>
    session.request('compute', {
      method: 'GET',
      path: '/servers/detail',
      query: { ...query, limit: '100' },
      doing: 'find an instance to probe the policy with',
      signal,
    })
  const everybodys = await list({ all_tenants: '1' })
  const answer = !everybodys.ok && everybodys.failure.code === 'not-permitted' ? await list({}) : everybodys
  if (!answer.ok) return answer.failure.code === 'not-permitted' ? ok(null) : answer
  const parsed = Servers.safeParse(answer.value.body)
  if (!parsed.success) return failed(answer.value.unreadable('not a list of servers'))
  const servers = parsed.data.servers.filter(each => each.status !== 'UNKNOWN')
  const still = servers.find(each => ['SUSPENDED', 'SHELVED', 'SHELVED_OFFLOADED', 'ERROR'].includes(each.status))
  const chosen = still ?? servers.find(each => each.status !== 'MIGRATING') ?? null
  return ok(chosen === null ? null : { id: chosen.id, name: chosen.name ?? chosen.id })
}

function readProbes(session: OpenStackSession): readonly Probe[] {
  const isAdmin = session.identity().roles.includes('admin')
  const read = (
    need: string,
    rule: string,
    path: string,
    query: Readonly<Record<string, string>>,
    more: Partial<Probe> = {},
  ): Probe => ({
    need,
    rule,
    service: 'compute',
    request: { method: 'GET', path, query },
    onAnswer: tellsNothing,
    onFailure: tellsNothing,
    unclear: 'The answer tells nothing.',
    ...more,
  })
  return [
    read(
      'list the compute services',
      'os_compute_api:os-services:list',
      '/os-services',
      { binary: 'nova-compute' },
      { onAnswer: lists('services') },
    ),
    read(
      'list the instances of every project',
      'os_compute_api:servers:detail:get_all_tenants',
      '/servers/detail',
      {
        all_tenants: '1',
        limit: '1',
      },
      { onAnswer: lists('servers') },
    ),
    read(
      'see on which host an instance is',
      'os_compute_api:os-extended-server-attributes',
      '/servers/detail',
      { ...(isAdmin ? { all_tenants: '1' } : {}), limit: '1' },
      {
        onAnswer: showsHost,
        unclear: 'Either there is no instance to look at, or the hosts are hidden from this user.',
      },
    ),
    read(
      'list the migrations',
      'os_compute_api:os-migrations:index',
      '/os-migrations',
      { limit: '1' },
      { onAnswer: lists('migrations') },
    ),
    read(
      'list the server groups of every project',
      'os_compute_api:os-server-groups:index:all_projects',
      '/os-server-groups',
      { all_projects: 'true', limit: '1' },
      {
        onAnswer: body => (isAdmin ? lists('server_groups')(body) : 'unknown'),
        unclear: "Nova silently shows only the own project's groups to whoever is not an administrator.",
      },
    ),
    read(
      'list the availability zones',
      'os_compute_api:os-availability-zone:detail',
      '/os-availability-zone/detail',
      {},
      { onAnswer: lists('availabilityZoneInfo') },
    ),
    read(
      'list the network agents',
      'get_agent',
      '/agents',
      { fields: 'id' },
      {
        service: 'network',
        onAnswer: hasAgents,
        unclear:
          'Neutron shows no agent: either there is none, or the rule hides them from this user (it needs the role admin).',
      },
    ),
    read(
      'read the resource providers',
      'placement:resource_providers:list',
      '/resource_providers',
      { name: NOWHERE },
      {
        service: 'placement',
        onAnswer: lists('resource_providers'),
      },
    ),
  ]
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
  need: 'disable and enable a compute service',
  rule: 'os_compute_api:os-services:update',
} as const
const LIVE_MIGRATE = {
  need: 'live-migrate an instance',
  rule: 'os_compute_api:os-migrate-server:migrate_live',
} as const
const COLD_MIGRATE = { need: 'cold-migrate an instance', rule: 'os_compute_api:os-migrate-server:migrate' } as const
const ABORT = { need: 'abort a live migration', rule: 'os_compute_api:servers:migrations:delete' } as const
const FORCE = {
  need: 'force a live migration to complete',
  rule: 'os_compute_api:servers:migrations:force_complete',
} as const
const TAG = { need: 'tag an instance', rule: 'os_compute_api:os-server-tags:update' } as const

function writeProbes(server: ProbedServer | null): readonly Probe[] {
  const service: Probe = {
    ...UPDATE_SERVICE,
    service: 'compute',
    request: { method: 'PUT', path: `/os-services/${NOBODY}`, body: { status: 'enabled' } },
    onAnswer: tellsNothing,
    onFailure: ({ code }) => (code === 'not-found' ? true : 'unknown'),
    unclear: 'The answer tells nothing.',
  }
  if (server === null) return [service]
  const on = (facts: Pick<Probe, 'need' | 'rule'>, request: Probe['request']): Probe => ({
    ...facts,
    service: 'compute',
    request,
    onAnswer: tellsNothing,
    // Refused for its state, its host, its migration or its tag: the policy was passed. Refused because the server is gone: not.
    onFailure: ({ code, message }) =>
      code === 'conflict' ||
      code === 'bad-input' ||
      (code === 'not-found' && /migration/i.test(message.replaceAll(facts.need, '')))
        ? true
        : 'unknown',
    unclear: `Asked about instance ${server.name} (${server.id}), Nova's answer did not come from this rule.`,
  })
  const path = `/servers/${encodeURIComponent(server.id)}`
  return [
    service,
    on(LIVE_MIGRATE, {
      method: 'POST',
      path: `${path}/action`,
      body: { 'os-migrateLive': { host: NOWHERE, block_migration: 'auto' } },
    }),
    on(COLD_MIGRATE, { method: 'POST', path: `${path}/action`, body: { migrate: { host: NOWHERE } } }),
    on(ABORT, { method: 'DELETE', path: `${path}/migrations/0` }),
    on(FORCE, { method: 'POST', path: `${path}/migrations/0/action`, body: { force_complete: null } }),
    on(TAG, { method: 'PUT', path: `${path}/tags/${OVERLONG_TAG}` }),
  ]
}

function withoutServer(): readonly PolicyProbe[] {
  return [LIVE_MIGRATE, COLD_MIGRATE, ABORT, FORCE, TAG].map(({ need, rule }) =>
    unknown(need, rule, 'Nova judges this only for an instance that exists, and this user sees none.'),
  )
}
