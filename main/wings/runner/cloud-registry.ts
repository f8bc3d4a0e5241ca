import { join } from 'node:path'
import type { Cluster, KubeconfigSource } from '../../../shared/domain/cluster.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import type { SecretFiles } from '../../clusters/secret-files.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { type DescribedCloud, describeCloud } from './cloud-settings.ts'
import type { CloudStatus } from './judge-run.ts'
import type { CloudSecret } from './ports/cloud-secrets.ts'
import type { RunnerApp } from './runner-app.ts'

export interface CloudRegistry {
  /** Takes all current Secrets; calls are handled one after another. */
  take(secrets: readonly CloudSecret[]): Promise<void>
  status(cloud: string): CloudStatus
  /** A known cloud; null if unknown, or unusable. */
  cluster(cloud: string): Cluster | null
  /** Whether the Secret of a cloud names no kubeconfig: it is the runner's own Kubernetes. */
  isOwn(cloud: string): boolean
  known(): readonly string[]
}

type Entry =
  | { readonly kind: 'known'; readonly folder: string; readonly isOwn: boolean }
  | { readonly kind: 'unusable'; readonly why: Finding }

interface RegistryParts {
  readonly runnerApp: Pick<RunnerApp, 'contract' | 'runs' | 'leave'>
  readonly files: SecretFiles
  /** The runner's own Kubernetes, for clouds whose Secret has no kubeconfig. */
  readonly own: KubeconfigSource
  readonly clock: Clock
  readonly log: Logger
  readonly onChanged: () => void
}

interface RegistryState extends RegistryParts {
  readonly entries: Map<string, Entry>
  readonly registered: Map<string, Cluster>
}

/**
 * Keeps the clusters of this runner equal to the Secrets of its namespace, one for each cloud. A cloud whose Secret changed is registered again after the
 * runner has left its runs; a cloud without a Secret is removed.
 */
export function createCloudRegistry(parts: RegistryParts): CloudRegistry {
  const { clock, log } = parts
  const state: RegistryState = { ...parts, entries: new Map(), registered: new Map() }
  const missedSince = new Map<string, number>()
  let last: Promise<void> = Promise.resolve()
  return {
    take: secrets => {
      last = last
        .then(() => takeAll(secrets, state))
        .catch((error: unknown) => log.error('cloud-secrets-not-taken', { error }))
      return last
    },
    status: cloud => {
      const entry = state.entries.get(cloud)
      if (entry !== undefined) {
        missedSince.delete(cloud)
        return entry.kind === 'known' ? { kind: 'known' } : entry
      }
      const since = missedSince.get(cloud) ?? clock.monotonicMs()
      missedSince.set(cloud, since)
      return { kind: 'unknown', forMs: clock.monotonicMs() - since }
    },
    cluster: cloud => state.registered.get(cloud) ?? null,
    isOwn: cloud => {
      const entry = state.entries.get(cloud)
      return entry?.kind === 'known' && entry.isOwn
    },
    known: () => [...state.entries].flatMap(([cloud, { kind }]) => (kind === 'known' ? [cloud] : [])),
  }
}

async function takeAll(secrets: readonly CloudSecret[], state: RegistryState): Promise<void> {
  const { runnerApp, files, entries } = state
  const byCloud = Map.groupBy(secrets, ({ cloud }) => cloud)
  const list = await runnerApp.contract.ask('cluster.list', {})
  const listed = list.ok ? list.value.map(({ name }) => name) : []
  for (const cloud of new Set([...entries.keys(), ...listed, ...files.clouds()])) {
    if (byCloud.has(cloud)) continue
    entries.delete(cloud)
    await forget(cloud, 'secret-gone', state)
  }
  for (const [cloud, all] of byCloud) await takeOne(cloud, all, state)
  state.onChanged()
}

async function takeOne(cloud: string, secrets: readonly CloudSecret[], state: RegistryState): Promise<void> {
  const { entries, log } = state
  const names = secrets.map(({ name }) => name)
  const [secret] = secrets
  const described =
    secret === undefined || secrets.length > 1
      ? { unusable: because('SecretsOfOneCloud', { secrets: namesOf(names), cloud }) }
      : describeCloud(secret)
  const entry = 'unusable' in described ? null : await register(described, state)
  if (entry?.ok && entry.value.kind === 'known') {
    if (entries.get(cloud)?.kind !== 'known') log.info('cloud-known', { cloud, by: names[0] })
    entries.set(cloud, entry.value)
    removeOtherFiles(cloud, entry.value.folder, state)
    return
  }
  const cause = entry?.ok === false ? entry.failure.message : ''
  const why =
    'unusable' in described ? described.unusable : because('CloudNotRegistered', { secrets: namesOf(names), cause })
  if (entries.get(cloud)?.kind === 'known') await forget(cloud, why.code, state)
  log.warn('cloud-unusable', { cloud, why: why.message })
  entries.set(cloud, { kind: 'unusable', why })
}

async function register(described: DescribedCloud, state: RegistryState): Promise<Result<Entry>> {
  const { runnerApp, files, own, registered } = state
  const { cloud, openstack, kubeconfig, settings } = described
  const written = files.write(cloud, {
    ...(openstack === null ? {} : { 'clouds.yaml': openstack.text, ...openstack.certificates }),
    ...(kubeconfig === null ? {} : { kubeconfig }),
  })
  if (!written.ok) return written
  const folder = written.value
  const list = await runnerApp.contract.ask('cluster.list', {})
  if (!list.ok) return failed(list.failure)
  const before = list.value.find(({ name }) => name === cloud)
  const reach = {
    kubeconfig:
      kubeconfig === null
        ? { paths: [...own.paths], context: own.context }
        : { paths: [join(folder, 'kubeconfig')], context: null },
    cloud: openstack === null ? null : { path: join(folder, 'clouds.yaml'), cloud: openstack.name },
  }
  const entry: Entry = { kind: 'known', folder, isOwn: kubeconfig === null }
  if (before !== undefined) {
    if (registered.has(cloud) && hasSameFiles(before, reach) && hasSameSettings(before, described)) return ok(entry)
    await runnerApp.leave(runnerApp.runs.drivenOn(cloud))
    // The name of a context does not show that its kubeconfig changed: registering the cloud again reads the current one.
    const removed = await runnerApp.contract.ask('cluster.remove', { name: cloud })
    if (!removed.ok) return failed(removed.failure)
  }
  const added = await runnerApp.contract.ask('cluster.add', { name: cloud, ...settings, ...reach })
  if (!added.ok) return failed(added.failure)
  registered.set(cloud, added.value)
  return ok(entry)
}

async function forget(cloud: string, why: string, state: RegistryState): Promise<void> {
  const { runnerApp, registered, log } = state
  await runnerApp.leave(runnerApp.runs.drivenOn(cloud))
  const removed = await runnerApp.contract.ask('cluster.remove', { name: cloud })
  if (!removed.ok && removed.failure.code !== 'not-found') {
    log.warn('cloud-not-removed', { cloud, why: removed.failure.message })
  }
  registered.delete(cloud)
  removeOtherFiles(cloud, null, state)
  log.info('cloud-forgotten', { cloud, why })
}

function removeOtherFiles(cloud: string, folder: string | null, { files, log }: RegistryState): void {
  const kept = files.keepOnly(cloud, folder)
  if (!kept.ok) log.warn('cloud-files-stay', { cloud, why: kept.failure.message })
}

function hasSameFiles(
  before: Cluster,
  reach: { readonly kubeconfig: Pick<KubeconfigSource, 'paths'>; readonly cloud: Cluster['cloud'] },
): boolean {
  return (
    before.kubeconfig.paths.join() === reach.kubeconfig.paths.join() &&
    before.cloud?.path === reach.cloud?.path &&
    before.cloud?.cloud === reach.cloud?.cloud
  )
}

function hasSameSettings(before: Cluster, { settings }: DescribedCloud): boolean {
  const kept: Readonly<Record<string, unknown>> = before
  return Object.entries(settings).every(([name, value]) => isSameJson(kept[name], value))
}
