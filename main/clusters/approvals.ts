import type { ExecPlugin, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import { absolutePath } from './choose-files.ts'
import type { FilePlaces } from './file-places.ts'
import { contextOffers } from './inspect-files.ts'
import type { Registry } from './registry.ts'
import type { ConnectOpenStack, DescribeContexts } from './session-ports.ts'

/** What an operator approves before a console does it: a command of a kubeconfig, and an address that receives a token. */
interface ApprovalOptions {
  readonly registry: Registry
  readonly places: FilePlaces
  readonly describeContexts: DescribeContexts
  readonly resolveCloud: (source: NonNullable<Cluster['cloud']>) => Promise<Result<ResolvedCloud>>
  /** Logs in without a stored token. */
  readonly reconnectOpenStack: ConnectOpenStack
}

/** The command that a cluster's kubeconfig asks to run; null if there is none. */
export async function execPluginOf(options: ApprovalOptions, name: string): Promise<Result<ExecPlugin | null>> {
  const cluster = options.registry.get(name)
  return cluster.ok ? execPluginIn(options, cluster.value.kubeconfig) : cluster
}

export async function consentToPlugin(
  options: ApprovalOptions,
  name: string,
  fingerprint: string,
): Promise<Result<Record<string, never>>> {
  const plugin = await execPluginOf(options, name)
  if (!plugin.ok) return plugin
  return consent(options, plugin.value, { fingerprint, cluster: name, of: name, target: `cluster/${name}` })
}

export async function consentToContext(
  options: ApprovalOptions,
  { paths: given, context, fingerprint }: RequestInput<'exec-plugin.consent'>,
): Promise<Result<Record<string, never>>> {
  const paths = given.map(path => absolutePath(path, options.places))
  const plugin = await execPluginIn(options, { paths, context })
  if (!plugin.ok) return plugin
  const subject = `context ${context}`
  return consent(options, plugin.value, { fingerprint, cluster: subject, of: subject, target: paths.join(', ') })
}

async function execPluginIn(
  options: ApprovalOptions,
  { paths, context }: Cluster['kubeconfig'],
): Promise<Result<ExecPlugin | null>> {
  const contexts = await contextOffers(paths, options)
  return contexts.ok ? ok(contexts.value.find(each => each.name === context)?.execPlugin ?? null) : contexts
}

function consent(
  { registry }: ApprovalOptions,
  plugin: ExecPlugin | null,
  shown: { readonly fingerprint: string; readonly cluster: string; readonly of: string; readonly target: string },
): Result<Record<string, never>> {
  if (plugin?.fingerprint !== shown.fingerprint) {
    return failed(refusal('conflict', because('CommandChanged', { of: shown.of }), { target: shown.target }))
  }
  const { fingerprint, file, command } = plugin
  const kept = registry.consent({ fingerprint, cluster: shown.cluster, file, command })
  return kept.ok ? ok({}) : kept
}

/** Services of the cloud's catalogue whose address needs the operator's approval to receive a token; reads Keystone again. */
export async function foreignEndpoints(
  { registry, resolveCloud, reconnectOpenStack }: ApprovalOptions,
  name: string,
): Promise<Result<RequestOutput<'cluster.endpoints'>>> {
  const cluster = registry.get(name)
  if (!cluster.ok) return cluster
  if (cluster.value.cloud === null) return ok([])
  const cloud = await resolveCloud(cluster.value.cloud)
  if (!cloud.ok) return cloud
  const opened = await reconnectOpenStack(cloud.value, registry.isEndpointAgreed)
  if (!opened.ok) return opened
  try {
    return ok(
      opened.value.foreignEndpoints().map(each => ({
        service: each.service,
        origin: each.origin,
        keystone: each.keystone,
        agreed: registry.isEndpointAgreed(each),
      })),
    )
  } finally {
    opened.value.close()
  }
}

/** Stores the approval of addresses, if the catalogue still has all of them. */
export async function agreeToEndpoints(
  options: ApprovalOptions,
  { name, endpoints: shown }: RequestInput<'cluster.agree-to-endpoints'>,
): Promise<Result<Record<string, never>>> {
  const now = await foreignEndpoints(options, name)
  if (!now.ok) return now
  const isThere = (one: (typeof shown)[number]) =>
    now.value.some(each => each.service === one.service && each.origin === one.origin && each.keystone === one.keystone)
  if (!shown.every(isThere)) {
    return failed(refusal('conflict', because('CatalogueChanged', { cluster: name }), { target: `cluster/${name}` }))
  }
  const kept = options.registry.agreeToEndpoints(
    shown.map(({ service, origin, keystone }) => ({ service, origin, keystone, cluster: name })),
  )
  return kept.ok ? ok({}) : kept
}
