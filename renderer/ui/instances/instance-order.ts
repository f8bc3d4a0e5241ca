import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { oddities } from '../../../shared/words/instances.ts'
import type { InstanceColumn, InstanceFilter, InstanceSort } from '../../stores/instance-lists.ts'

type Action = InstanceView['action']

/** Blocked instances first, those that need nothing last. */
const ACTION_ORDER: readonly Action[] = ['blocked', 'notify', 'poweroff', 'migrating', 'live_migrate', 'ignore']

/** What filter and order need besides. */
interface Names {
  readonly projects: ReadonlyMap<string, string>
  /** Instances with a refused manual edit. */
  readonly refused: ReadonlySet<string>
}

/** The rows of a list, and the count of each action without the filter by action. */
export interface ShownInstances {
  readonly rows: readonly InstanceView[]
  readonly counts: Readonly<Record<Action, number>>
  readonly total: number
  /** Whether any of them has a note, or a refused edit. */
  readonly hasNotes: boolean
}

/** A project by its name, if Keystone reports it. */
export function projectName(projectId: string | null, projects: ReadonlyMap<string, string>): string {
  return projectId === null ? '?' : (projects.get(projectId) ?? projectId)
}

/**
 * All instances in order. Sorting starts from the last order, which is nearly right after a few changes: it takes linear time, so
 * that ten thousand instances can be sorted several times a second.
 */
export function inOrder(
  instances: ReadonlyMap<string, InstanceView>,
  last: readonly InstanceView[],
  sort: InstanceSort,
  projects: ReadonlyMap<string, string>,
): readonly InstanceView[] {
  const rows: InstanceView[] = []
  const seen = new Set<string>()
  for (const { id } of last) {
    const instance = instances.get(id)
    if (instance === undefined) continue
    seen.add(id)
    rows.push(instance)
  }
  if (rows.length !== instances.size) {
    for (const instance of instances.values()) if (!seen.has(instance.id)) rows.push(instance)
  }
  const key = SORT_KEYS[sort.by]
  const keys = new Map(rows.map(instance => [instance.id, key(instance, projects)]))
  const way = sort.descending ? -1 : 1
  return rows.sort((a, b) => {
    const left = keys.get(a.id) ?? ''
    const right = keys.get(b.id) ?? ''
    if (left !== right) return left < right ? -way : way
    const aName = naturalKey(a.name)
    const bName = naturalKey(b.name)
    if (aName !== bName) return aName < bName ? -1 : 1
    return a.id < b.id ? -1 : 1
  })
}

/** The ordered instances that pass, and counts by action of those that pass the other filters. */
export function shownOf(
  ordered: readonly InstanceView[],
  node: string | null,
  filter: InstanceFilter,
  names: Names,
): ShownInstances {
  const rows: InstanceView[] = []
  const counts = { live_migrate: 0, migrating: 0, poweroff: 0, notify: 0, ignore: 0, blocked: 0 }
  let total = 0
  let hasNotes = false
  const text = filter.text.trim().toLowerCase()
  for (const instance of ordered) {
    if (node !== null && instance.node !== node) continue
    total += 1
    hasNotes ||= names.refused.has(instance.id) || oddities(instance).length > 0
    if (!passesFacts(instance, filter, names) || !passesText(instance, text, names)) continue
    counts[instance.action] += 1
    if (filter.actions.length === 0 || filter.actions.includes(instance.action)) rows.push(instance)
  }
  return { rows, counts, total, hasNotes }
}

/** The choices of the filters: all values that occur, in order. */
export function choicesOf(
  instances: ReadonlyMap<string, InstanceView>,
  node: string | null,
  projects: ReadonlyMap<string, string>,
): Readonly<
  Record<'project' | 'zone' | 'host' | 'status', readonly { readonly value: string; readonly text: string }[]>
> {
  const found = {
    project: new Set<string>(),
    zone: new Set<string>(),
    host: new Set<string>(),
    status: new Set<string>(),
  }
  for (const { node: home, projectId, zone, host, status } of instances.values()) {
    if (node !== null && home !== node) continue
    if (projectId !== null) found.project.add(projectId)
    if (zone !== null) found.zone.add(zone)
    if (host !== null) found.host.add(host)
    found.status.add(status)
  }
  const choices = (values: ReadonlySet<string>, text: (value: string) => string) =>
    [...values]
      .map(value => ({ value, text: text(value) }))
      .sort((a, b) => (naturalKey(a.text) < naturalKey(b.text) ? -1 : 1))
  const itself = (value: string) => value
  return {
    project: choices(found.project, value => projectName(value, projects)),
    zone: choices(found.zone, itself),
    host: choices(found.host, itself),
    status: choices(found.status, itself),
  }
}

function passesFacts(instance: InstanceView, filter: InstanceFilter, { refused }: Names): boolean {
  return (
    (filter.project === null || instance.projectId === filter.project) &&
    (filter.zone === null || instance.zone === filter.zone) &&
    (filter.host === null || instance.host === filter.host) &&
    (filter.status === null || instance.status === filter.status) &&
    (filter.odd !== 'warnings' || oddities(instance).length > 0) &&
    (filter.odd !== 'several-marks' || instance.marks.length > 1) &&
    (filter.odd !== 'refused' || refused.has(instance.id))
  )
}

function passesText(instance: InstanceView, text: string, { projects }: Names): boolean {
  if (text === '') return true
  const { name, id, host, node, projectId } = instance
  return [name, id, host, node, projectName(projectId, projects)].some(value => value?.toLowerCase().includes(text))
}

const SORT_KEYS: Readonly<
  Record<InstanceColumn, (instance: InstanceView, projects: ReadonlyMap<string, string>) => string | number>
> = {
  name: ({ name }) => naturalKey(name),
  id: ({ id }) => id,
  project: ({ projectId }, projects) => naturalKey(projectName(projectId, projects)),
  node: ({ node, host }) => naturalKey(node ?? host ?? ''),
  zone: ({ zone }) => naturalKey(zone ?? ''),
  status: ({ status, taskState }) => `${status} ${taskState ?? ''}`,
  flavor: ({ flavor }) => (flavor === null ? -1 : flavor.vcpus * 1e9 + flavor.ramMib),
  action: ({ action }) => ACTION_ORDER.indexOf(action),
  mark: ({ marks }) => marks.join(),
  notes: instance => -oddities(instance).length,
}

const naturalKeys = new Map<string, string>()
/** The names of many clusters over a long day; a cleared cache costs only a moment. */
const MOST_KEYS = 100_000

/** A key that sorts names with numbers as people do: cmp-2 before cmp-10. */
export function naturalKey(name: string): string {
  const known = naturalKeys.get(name)
  if (known !== undefined) return known
  if (naturalKeys.size >= MOST_KEYS) naturalKeys.clear()
  const key = name.toLowerCase().replace(/\d+/g, digits => digits.replace(/^0+(?=\d)/, '').padStart(12, '0'))
  naturalKeys.set(name, key)
  return key
}
