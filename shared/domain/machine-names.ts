interface NamedNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** An FQDN without its domain. */
export function firstLabel(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

/** Equal, one the FQDN of the other, or other domains. `cmp-1` is not `cmp-10`. */
export function isSameMachine(one: string, other: string): boolean {
  return firstLabel(one) === firstLabel(other)
}

export function namesOfNode({ name, labels }: NamedNode): readonly string[] {
  const hostname = labels['kubernetes.io/hostname']
  return hostname === undefined || hostname === name ? [name] : [name, hostname]
}

/** Certain names of a machine: each given one with and without its domain. */
export function exactNames(names: readonly string[]): readonly string[] {
  return names.flatMap(name => [name, firstLabel(name)])
}

/** Without records that have exactly the name of another machine. */
export function recordsOf<Named>(
  names: readonly string[],
  records: readonly Named[],
  nameOf: (each: Named) => string | null,
  others: readonly string[] = [],
): readonly Named[] {
  const labels = new Set(names.map(firstLabel))
  const foreign = new Set(others.filter(name => !names.includes(name)))
  return records.filter(each => {
    const name = nameOf(each)
    return name !== null && labels.has(firstLabel(name)) && !foreign.has(name)
  })
}

/**
 * Finds records in a list by the names of a machine, like {@link recordsOf}. Each list is indexed once: a screen looks for hundreds of nodes in the same list of
 * thousands. A list must not change.
 */
export function indexedRecords<Named extends object>(
  nameOf: (each: Named) => string,
): (names: readonly string[], records: readonly Named[], others?: readonly string[]) => readonly Named[] {
  const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, readonly number[]>>()
  return (names, records, others) => {
    const index = indexes.get(records) ?? placesByLabel(records.map(nameOf))
    indexes.set(records, index)
    const labels = [...new Set(names.map(firstLabel))]
    const places = labels.flatMap(label => index.get(label) ?? [])
    const sorted = labels.length > 1 ? places.toSorted((a, b) => a - b) : places
    const alike = sorted.flatMap(place => records[place] ?? [])
    return alike.length === 0 ? alike : recordsOf(names, alike, nameOf, others)
  }
}

function placesByLabel(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [place, name] of names.entries()) {
    const known = places.get(firstLabel(name))
    if (known === undefined) places.set(firstLabel(name), [place])
    else known.push(place)
  }
  return places
}

/** The only record with exactly these names, else the only one that matches; null if there is no such record. */
export function recordNamed<Named>(
  names: readonly string[],
  records: readonly Named[],
  nameOf: (each: Named) => string,
): Named | null {
  const exact = names.flatMap(name => records.filter(each => nameOf(each) === name))
  const [found, ...more] = exact.length > 0 ? exact : recordsOf(names, records, nameOf)
  return exact.length > 0 || more.length === 0 ? (found ?? null) : null
}

export type Claims<Named> =
  | { readonly kind: 'none' }
  /** `leftovers`: its other records, which no longer report. */
  | { readonly kind: 'one'; readonly record: Named; readonly leftovers: readonly Named[] }
  /** Several report, or several exist and none reports: nobody knows which counts. */
  | { readonly kind: 'several'; readonly records: readonly Named[] }

/** One live record counts, and dead ones are leftovers; of several live, or only several dead ones, none counts. */
export function claimsOf<Named>(records: readonly Named[], isAlive: (each: Named) => boolean): Claims<Named> {
  const live = records.filter(isAlive)
  const [record] = live.length > 0 ? live : records
  if (record === undefined) return { kind: 'none' }
  if (live.length > 1 || (live.length === 0 && records.length > 1)) return { kind: 'several', records }
  return { kind: 'one', record, leftovers: records.filter(each => each !== record) }
}
