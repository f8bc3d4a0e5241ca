import { ok, type Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { createRedactor } from '../../platform/log/redact.ts'
import type { ProxyEnvironment } from '../http/proxies.ts'
import { unlessAborted } from '../http/single-flight.ts'
import { agreedMicroversion, askVersions, callerOf, type SessionState, sendAuthorised } from './authorised-request.ts'
import { endpointOf, type ForeignEndpoint, foreignEndpoint } from './catalogue.ts'
import { createInstanceNames } from './instance-names.ts'
import { keystoneRoot, secretsOf, type TokenKeeper } from './keystone-token.ts'
import { isAtLeast } from './microversion.ts'
import { createNewestRows } from './newest-rows.ts'
import type { OpenStackSession } from './openstack-session.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'
import type { ServiceType } from './services.ts'
import { openSessionToken } from './session-token.ts'
import { createSessionWire } from './session-wire.ts'
import { openTransport, type Transport, warningsOf } from './transport.ts'

interface LoginOptions {
  readonly cloud: ResolvedCloud
  readonly clock: Clock
  readonly log: Logger
  /** Loads and saves the token across processes. Without it, each login asks Keystone. */
  readonly keeper?: TokenKeeper
  /** Whether the operator agreed to send tokens to this address; default: no. Checked before every request. */
  readonly isAgreed?: (endpoint: ForeignEndpoint) => boolean
  readonly onRequest?: (() => void) | undefined
}

/** Logs in to a cloud, or says why not. Secrets stay inside, and foreign texts are scrubbed. `environment`: for proxies; default: the process's own. */
export async function openOpenStackSession(
  options: LoginOptions & { readonly environment?: ProxyEnvironment },
): Promise<Result<OpenStackSession>> {
  const { cloud, clock } = options
  const root = keystoneRoot(cloud.authUrl, cloud.name)
  if (!root.ok) return root
  const transport = await openTransport(cloud, clock, options.environment ?? process.env)
  if (!transport.ok) return transport
  const opened = await login({ ...options, log: options.log.child('openstack') }, root.value, transport.value)
  if (!opened.ok) transport.value.close()
  return opened
}

/** Logs in over an existing transport; simulated clouds bring their own. `root`: Keystone's v3 API. */
export async function login(
  options: LoginOptions,
  root: string,
  transport: Transport,
): Promise<Result<OpenStackSession>> {
  const { cloud, clock, log, keeper, isAgreed = () => false, onRequest } = options
  const redactor = createRedactor({ literals: secretsOf(cloud.auth) })
  const wire = createSessionWire({ clock, log, redactor, onRequest }, transport)
  const token = await openSessionToken({ cloud, root, clock, log, redactor, wire, keeper })
  if (!token.ok) return token
  return ok(
    sessionOf(
      {
        cloud,
        root,
        clock,
        redactor,
        wire,
        token: token.value,
        isAgreed,
        places: null,
        versions: new Map(),
        negotiating: new Map(),
      },
      transport,
    ),
  )
}

function sessionOf(state: SessionState, transport: Transport): OpenStackSession {
  const { cloud, root, clock, wire, token } = state
  return {
    cloudName: cloud.name,
    warnings: warningsOf(cloud, root),
    rows: createNewestRows(clock),
    names: createInstanceNames(),
    identity: () => {
      const { userName, projectName, projectId, roles } = token.latest
      return { userName, projectName, projectId, roles }
    },
    has: service => endpointOf(service, token.latest.catalogue, cloud).ok,
    microversion: (service, signal) =>
      unlessAborted(agreedMicroversion(state, service), callerOf({ call: askVersions(service), signal })),
    request: async (service, request) => {
      const version = await unlessAborted(agreedMicroversion(state, service), callerOf(request))
      if (!version.ok) return version
      const { notAfter } = request
      const isLater = notAfter !== undefined && version.value !== null && isAtLeast(version.value, notAfter)
      return sendAuthorised(state, service, request, isLater ? notAfter : version.value)
    },
    foreignEndpoints: () => foreignEndpoints(state),
    clocks: signal => measureClocks(state, signal),
    requestCount: () => Object.fromEntries(wire.counts),
    close: transport.close,
  }
}

const SERVICE_TYPES: readonly ServiceType[] = [
  'compute',
  'network',
  'placement',
  'block-storage',
  'image',
  'infra-optim',
  'instance-ha',
]

function foreignEndpoints({ token, cloud, root }: SessionState): readonly ForeignEndpoint[] {
  return SERVICE_TYPES.flatMap(service => {
    const address = endpointOf(service, token.latest.catalogue, cloud)
    return address.ok ? (foreignEndpoint(service, address.value, root, cloud) ?? []) : []
  })
}

function measureClocks(state: SessionState, signal: AbortSignal | undefined) {
  const askTime = (service: ServiceType) => () =>
    sendAuthorised(state, service, { method: 'GET', path: '/', call: call('AskTime'), signal }, null)
  const nova = endpointOf('compute', state.token.latest.catalogue, state.cloud)
  return state.wire.clocks.measure({ Keystone: askTime('identity'), ...(nova.ok ? { Nova: askTime('compute') } : {}) })
}
