import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CloudOffer, ContextOffer, FoundCluster, RequestOutput } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { kindAt } from '../platform/files/named-file.ts'
import { absolutePath, type ChooseOptions } from './choose-files.ts'
import { contextOffers, inspectClouds, suggestCloudsFiles } from './inspect-files.ts'
import type { Registry } from './registry.ts'

/** At most this many other files of ~/.kube are read; more files are a cache, and too long a list to choose from. */
const MOST_FILES = 40

/** Usual names of kubeconfigs; other files in ~/.kube are caches and notes of other tools. */
const NAMED_LIKE_KUBECONFIG = /^config|\.(ya?ml|conf|config|kubeconfig)$/i

type FindOptions = ChooseOptions & { readonly registry: Pick<Registry, 'isConsented' | 'list'> }

interface CloudsFile {
  readonly path: string
  readonly clouds: readonly CloudOffer[]
}

/** Contexts and their probable clouds in exactly these files; null means in the usual places. Runs no command and sends no request. */
export async function findClusters(
  files: readonly string[] | null,
  options: FindOptions,
): Promise<Result<RequestOutput<'cluster.found'>>> {
  const registered = options.registry.list()
  if (!registered.ok) return registered
  const unread: Unread[] = []
  const offers: { readonly paths: string[]; readonly contexts: readonly ContextOffer[] }[] = []
  const cloudsFiles: CloudsFile[] = []
  const given = files?.map(path => absolutePath(path, options.places))
  for (const paths of given?.map(path => [path]) ?? (await usualKubeconfigs(options))) {
    const contexts = await contextOffers(paths, options)
    if (contexts.ok && contexts.value.length > 0) {
      offers.push({ paths, contexts: contexts.value })
      continue
    }
    const path = paths.join(':')
    const clouds = given === undefined ? null : await inspectClouds(path, options)
    if (clouds?.ok && clouds.value.clouds.length > 0) cloudsFiles.push(clouds.value)
    else if (!contexts.ok) unread.push(unreadBy(path, contexts.failure))
    else {
      const { message: why, code, values } = because('FileNamesNoCluster', { path })
      unread.push({ path, why, code, values })
    }
  }
  // A dropped file may belong to one in a usual place.
  for (const path of await suggestCloudsFiles(options.places)) {
    if (cloudsFiles.some(file => file.path === path)) continue
    const clouds = await inspectClouds(path, options)
    if (clouds.ok) cloudsFiles.push(clouds.value)
    else unread.push(unreadBy(path, clouds.failure))
  }
  return ok({ clusters: pairedWithClouds(offers, cloudsFiles, registered.value), unread })
}

/** Each context once, with its cloud: a context that two files describe alike is one cluster. */
function pairedWithClouds(
  offers: readonly { readonly paths: readonly string[]; readonly contexts: readonly ContextOffer[] }[],
  files: readonly CloudsFile[],
  registered: readonly Cluster[],
): FoundCluster[] {
  const seen = new Set<string>()
  const found = offers.flatMap(({ paths, contexts }) =>
    contexts
      .filter(({ name, host, user }) => {
        const key = JSON.stringify([name, host, user])
        return !seen.has(key) && seen.add(key)
      })
      .map(context => ({ paths: [...paths], context })),
  )
  const servers = new Set(found.map(({ context }) => context.host))
  return found.map(({ paths, context }) => ({
    paths,
    context,
    cloud: cloudOf(context, files, servers.size === 1),
    registered: registered.find(each => isOf(each, paths, context.name))?.name ?? null,
  }))
}

function isOf({ kubeconfig }: Cluster, paths: readonly string[], context: string): boolean {
  return kubeconfig.context === context && kubeconfig.paths.some(path => paths.includes(path))
}

/** The cloud with the context's name, host or domain, or the only one. With several candidates the operator chooses; no guess is applied. */
function cloudOf(context: ContextOffer, files: readonly CloudsFile[], isOnlyServer: boolean): FoundCluster['cloud'] {
  const usable = files.flatMap(({ path, clouds }) =>
    clouds.filter(({ problem }) => problem === null).map(cloud => ({ path, ...cloud })),
  )
  const rules: readonly [NonNullable<FoundCluster['cloud']>['because'], (cloud: CloudOffer) => boolean][] = [
    ['name', ({ name }) => name === context.name || name === context.cluster],
    ['host', ({ host }) => host !== null && nameOf(host) === nameOf(context.host)],
    ['domain', ({ host }) => host !== null && domainOf(host) !== null && domainOf(host) === domainOf(context.host)],
    ['only', () => isOnlyServer],
  ]
  for (const [because, fits] of rules) {
    const fitting = usable.filter(fits)
    const [cloud] = fitting
    if (cloud !== undefined && fitting.length === 1)
      return { path: cloud.path, cloud: cloud.name, host: cloud.host, because }
    if (fitting.length > 1) return null
  }
  return null
}

function nameOf(host: string | null): string | null {
  return host === null || !URL.canParse(`https://${host}`) ? null : new URL(`https://${host}`).hostname
}

/** A host name after its first dot; an address has no domain, and a bare `example` does not count as one. */
function domainOf(host: string | null): string | null {
  const name = nameOf(host)
  if (name === null || name.startsWith('[') || /^[\d.]+$/.test(name)) return null
  const domain = name.slice(name.indexOf('.') + 1)
  return domain !== name && domain.includes('.') ? domain : null
}

/** The files that kubectl reads here as one, then every other kubeconfig in ~/.kube alone. */
async function usualKubeconfigs({ defaultKubeconfigPaths, places }: FindOptions): Promise<string[][]> {
  const usual = await regular(defaultKubeconfigPaths())
  const folder = join(places.home, '.kube')
  const names = await readdir(folder).catch(() => [])
  const others = names
    .filter(name => NAMED_LIKE_KUBECONFIG.test(name))
    .sort()
    .map(name => join(folder, name))
    .filter(path => !usual.includes(path))
  return [...(usual.length === 0 ? [] : [usual]), ...(await regular(others.slice(0, MOST_FILES))).map(path => [path])]
}

async function regular(paths: readonly string[]): Promise<string[]> {
  const kinds = await Promise.all(paths.map(kindAt))
  return paths.filter((_, at) => kinds[at] === 'regular')
}

type Unread = RequestOutput<'cluster.found'>['unread'][number]

function unreadBy(path: string, { message, reason, values }: Failure): Unread {
  return reason === undefined ? { path, why: message } : { path, why: message, code: reason, values: values ?? {} }
}
