import { z } from 'zod'
import { Cluster } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { openStoredList, type StoredList } from '../platform/files/stored-list.ts'

/** A command from a kubeconfig that the operator approved. Its arguments are not stored: they may be secret. */
const Consent = z.strictObject({
  fingerprint: z.string(),
  /** The cluster it was approved for; `context NAME` before registration. */
  cluster: z.string(),
  file: z.string(),
  command: z.string(),
  agreedAt: z.string(),
})
type Consent = z.infer<typeof Consent>

/** An address outside of Keystone's host that the operator approved to receive a token (docs/decisions/0024). */
const EndpointConsent = z.strictObject({
  keystone: z.string(),
  service: z.string(),
  origin: z.string(),
  cluster: z.string(),
  agreedAt: z.string(),
})
type EndpointConsent = z.infer<typeof EndpointConsent>

/** The operator's registered clusters and approved commands; names and paths only, never secrets. */
export interface Registry {
  list(): Result<Cluster[]>
  get(name: string): Result<Cluster>
  add(cluster: Omit<Cluster, 'addedAt'>): Result<Cluster>
  /** Changes settings of a cluster; its name stays. */
  update(name: string, change: Partial<Omit<Cluster, 'name' | 'addedAt'>>): Result<Cluster>
  remove(name: string): Result<void>
  /** False also if unreadable: asking once more is safe. */
  isConsented(fingerprint: string): boolean
  consent(consent: Omit<Consent, 'agreedAt'>): Result<void>
  /** Whether a token of that Keystone may go to that origin for that service; false also if unreadable. */
  isEndpointAgreed(endpoint: Pick<EndpointConsent, 'keystone' | 'service' | 'origin'>): boolean
  /** One origin per service of a Keystone: a new approval replaces the old one. */
  agreeToEndpoints(endpoints: readonly Omit<EndpointConsent, 'agreedAt'>[]): Result<void>
}

/** Opens `clusters.json`, `consents.json` and `endpoints.json`. A damaged file is a failure and stays untouched; two processes may change the files. */
export function openRegistry({
  directory,
  clock,
}: {
  readonly directory: string
  readonly clock: Clock
}): Result<Registry> {
  const clusters = openStoredList(directory, {
    fileName: 'clusters.json',
    listName: 'clusters',
    format: 1,
    item: Cluster,
    keyOf: cluster => cluster.name,
  })
  const readable = clusters.read()
  if (!readable.ok) return readable
  return ok({ ...registeredClusters(clusters, clock), ...consents(directory, clock), ...agreements(directory, clock) })
}

function registeredClusters(
  clusters: StoredList<Cluster>,
  clock: Clock,
): Pick<Registry, 'list' | 'get' | 'add' | 'update' | 'remove'> {
  const list = () => {
    const read = clusters.read()
    return read.ok ? ok(read.value.sort(byName)) : read
  }
  return {
    list,
    get: name => {
      const read = list()
      if (!read.ok) return read
      const found = read.value.find(cluster => cluster.name === name)
      return found === undefined ? failed(unknownCluster(name, read.value)) : ok(found)
    },
    add: cluster =>
      clusters.change(known => {
        const taken = known.find(other => other.name.toLowerCase() === cluster.name.toLowerCase())
        if (taken !== undefined) return failed(alreadyThere(taken))
        const parsed = Cluster.safeParse({ ...cluster, addedAt: isoNow(clock) })
        if (!parsed.success) return failed(unusable(cluster.name, parsed.error))
        return ok({ items: [...known, parsed.data].sort(byName), report: parsed.data })
      }),
    update: (name, change) =>
      clusters.change(known => {
        const before = known.find(cluster => cluster.name === name)
        if (before === undefined) return failed(unknownCluster(name, known))
        const parsed = Cluster.safeParse({ ...before, ...change, name, addedAt: before.addedAt })
        if (!parsed.success) return failed(unusable(name, parsed.error))
        return ok({ items: known.map(cluster => (cluster === before ? parsed.data : cluster)), report: parsed.data })
      }),
    remove: name =>
      clusters.change(known => {
        const kept = known.filter(cluster => cluster.name !== name)
        return kept.length === known.length
          ? failed(unknownCluster(name, known))
          : ok({ items: kept, report: undefined })
      }),
  }
}

function consents(directory: string, clock: Clock): Pick<Registry, 'isConsented' | 'consent'> {
  const list = openStoredList(directory, {
    fileName: 'consents.json',
    listName: 'consents',
    format: 1,
    item: Consent,
    keyOf: consent => consent.fingerprint,
  })
  return {
    isConsented: fingerprint => {
      const read = list.read()
      return read.ok && read.value.some(consent => consent.fingerprint === fingerprint)
    },
    consent: consent =>
      list.change(known => {
        const others = known.filter(other => other.fingerprint !== consent.fingerprint)
        return ok({ items: [...others, { ...consent, agreedAt: isoNow(clock) }], report: undefined })
      }),
  }
}

function agreements(directory: string, clock: Clock): Pick<Registry, 'isEndpointAgreed' | 'agreeToEndpoints'> {
  const list = openStoredList(directory, {
    fileName: 'endpoints.json',
    listName: 'endpoints',
    format: 1,
    item: EndpointConsent,
    keyOf: serviceOf,
  })
  return {
    isEndpointAgreed: asked => {
      const read = list.read()
      return read.ok && read.value.some(each => serviceOf(each) === serviceOf(asked) && each.origin === asked.origin)
    },
    agreeToEndpoints: agreed =>
      list.change(known => {
        const fresh = new Set(agreed.map(serviceOf))
        const others = known.filter(other => !fresh.has(serviceOf(other)))
        return ok({
          items: [...others, ...agreed.map(each => ({ ...each, agreedAt: isoNow(clock) }))],
          report: undefined,
        })
      }),
  }
}

function serviceOf({ keystone, service }: Pick<EndpointConsent, 'keystone' | 'service'>): string {
  return `${service} of ${keystone}`
}

function byName(a: Cluster, b: Cluster): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}

function unknownCluster(name: string, known: readonly Cluster[]) {
  const names = known.map(cluster => cluster.name).sort()
  return refusal('not-found', because('ClusterUnknown', { cluster: name, known: names }), { target: `cluster/${name}` })
}

function alreadyThere(taken: Cluster) {
  const why = because('ClusterNameTaken', { cluster: taken.name, context: taken.kubeconfig.context })
  return refusal('conflict', why, { target: `cluster/${taken.name}` })
}

function unusable(name: string, error: z.ZodError) {
  const issue = error.issues[0]
  const why = because('ClusterSettingUnusable', {
    cluster: name,
    setting: issue?.path.join('.') ?? '',
    problem: issue?.message ?? '',
  })
  return refusal('bad-input', why, { target: `cluster/${name}` })
}
