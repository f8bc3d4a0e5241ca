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

/** The clouds of a runner, by their Secrets. */
export interface CloudRegistry {
  /** Takes over all Secrets as they are now, one after another, in the order in which they arrived. */
  take(secrets: readonly CloudSecret[]): Promise<void>
  status(cloud: string): CloudStatus
  /** A known cloud; null: unknown, or unusable. */
  cluster(cloud: string): Cluster | null
  /** Whether the Secret of a cloud names no kubeconfig: it is the runner's own Kubernetes. */
  isOwn(cloud: string): boolean
  /** Names of all known clouds. */
  known(): readonly string[]
}

type Entry =
  | { readonly kind: 'known'; readonly folder: string; readonly isOwn: boolean }
  | { readonly kind: 'unusable'; readonly why: Finding }

/**
 * Keeps the registry of this runner equal to the Secrets of its namespace: a cloud for each. One that changed is reached anew, after its runs were left
 * where they are; one that is gone is registered no more.
 */
export function createCloudRegistry(parts: {
  readonly runnerApp: Pick<RunnerApp, 'contract' | 'runs' | 'leave'>
  readonly files: SecretFiles
  /** How the runner's own Kubernetes is reached, for clouds that bring no kubeconfig. */
  readonly own: KubeconfigSource
  readonly clock: Clock
  readonly log: Logger
  /** Called after each change. */
  readonly onChanged: () => void
}): CloudRegistry {
  const { runnerApp, files, own, clock, log, onChanged } = parts
  const entries = new Map<string, Entry>()
  const registered = new Map<string, Cluster>()
  const missedSince = new Map<string, number>()
  let last: Promise<void> = Promise.resolve()

  async function register(described: DescribedCloud): Promise<Result<Entry>> {
    const { cloud, openstack, kubeconfig, settings } = described
    const written = files.write(cloud, {
      ...(openstack === null ? {} : { 'clouds.yaml': openstack.text, ...openstack.certificates }),
      ...(kubeconfig === null ? {} : { kubeconfig }),
    })
    if (!written.ok) return written
    const folder = written.value
    const paths = kubeconfig === null ? own.paths : [join(folder, 'kubeconfig')]
    const source = openstack === null ? null : { path: join(folder, 'clouds.yaml'), cloud: openstack.name }
    const list = await runnerApp.contract.ask('cluster.list', {})
    if (!list.ok) return failed(list.failure)
    const before = list.value.find(({ name }) => name === cloud)
    const entry: Entry = { kind: 'known', folder, isOwn: kubeconfig === null }
    const context = kubeconfig === null ? own.context : null
    if (before !== undefined) {
      const isSame =
        before.kubeconfig.paths.join() === paths.join() &&
        before.cloud?.path === source?.path &&
        before.cloud?.cloud === source?.cloud
      if (isSame && registered.has(cloud) && sameSettings(before, described)) return ok(entry)
      await runnerApp.leave(runnerApp.runs.drivenOn(cloud))
      // A context by its name alone can be changed: the current one of another file is found by making the cloud anew.
      const removed = await runnerApp.contract.ask('cluster.remove', { name: cloud })
      if (!removed.ok) return failed(removed.failure)
    }
    const added = await runnerApp.contract.ask('cluster.add', {
      name: cloud,
      ...settings,
      kubeconfig: { paths: [...paths], context },
      cloud: source,
    })
    if (!added.ok) return failed(added.failure)
    registered.set(cloud, added.value)
    return ok(entry)
  }

  async function forget(cloud: string, why: string): Promise<void> {
    await runnerApp.leave(runnerApp.runs.drivenOn(cloud))
    const removed = await runnerApp.contract.ask('cluster.remove', { name: cloud })
    if (!removed.ok && removed.failure.code !== 'not-found') {
      log.warn('cloud-not-removed', { cloud, why: removed.failure.message })
    }
    registered.delete(cloud)
    tidy(cloud, null)
    log.info('cloud-forgotten', { cloud, why })
  }

  function tidy(cloud: string, folder: string | null): void {
    const kept = files.keepOnly(cloud, folder)
    if (!kept.ok) log.warn('cloud-files-stay', { cloud, why: kept.failure.message })
  }

  async function takeOne(cloud: string, secrets: readonly CloudSecret[]): Promise<void> {
    const names = secrets.map(({ name }) => name)
    const [secret] = secrets
    const described =
      secret === undefined || secrets.length > 1
        ? { unusable: because('SecretsOfOneCloud', { secrets: namesOf(names), cloud }) }
        : describeCloud(secret)
    const entry = 'unusable' in described ? null : await register(described)
    if (entry?.ok && entry.value.kind === 'known') {
      if (entries.get(cloud)?.kind !== 'known') log.info('cloud-known', { cloud, by: names[0] })
      entries.set(cloud, entry.value)
      tidy(cloud, entry.value.folder)
      return
    }
    const cause = entry?.ok === false ? entry.failure.message : ''
    const why =
      'unusable' in described ? described.unusable : because('CloudNotRegistered', { secrets: namesOf(names), cause })
    if (entries.get(cloud)?.kind === 'known') await forget(cloud, why.code)
    log.warn('cloud-unusable', { cloud, why: why.message })
    entries.set(cloud, { kind: 'unusable', why })
  }

  async function takeAll(secrets: readonly CloudSecret[]): Promise<void> {
    const byCloud = Map.groupBy(secrets, ({ cloud }) => cloud)
    const list = await runnerApp.contract.ask('cluster.list', {})
    const listed = list.ok ? list.value.map(({ name }) => name) : []
    for (const cloud of new Set([...entries.keys(), ...listed, ...files.clouds()])) {
      if (byCloud.has(cloud)) continue
      entries.delete(cloud)
      await forget(cloud, 'secret-gone')
    }
    for (const [cloud, own] of byCloud) await takeOne(cloud, own)
    onChanged()
  }

  return {
    take: secrets => {
      last = last
        .then(() => takeAll(secrets))
        .catch((error: unknown) => log.error('cloud-secrets-not-taken', { error }))
      return last
    },
    status: cloud => {
      const entry = entries.get(cloud)
      if (entry !== undefined) {
        missedSince.delete(cloud)
        return entry.kind === 'known' ? { kind: 'known' } : entry
      }
      const since = missedSince.get(cloud) ?? clock.monotonicMs()
      missedSince.set(cloud, since)
      return { kind: 'unknown', forMs: clock.monotonicMs() - since }
    },
    cluster: cloud => registered.get(cloud) ?? null,
    isOwn: cloud => {
      const entry = entries.get(cloud)
      return entry?.kind === 'known' && entry.isOwn
    },
    known: () => [...entries].flatMap(([cloud, { kind }]) => (kind === 'known' ? [cloud] : [])),
  }
}

/** Whether a registered cloud has the settings that its Secret says. */
function sameSettings(before: Cluster, { settings }: DescribedCloud): boolean {
  const kept: Readonly<Record<string, unknown>> = before
  return Object.entries(settings).every(([name, value]) => isSameJson(kept[name], value))
}
