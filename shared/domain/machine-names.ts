/** A node with the names that other systems may know it by. */
interface NamedNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** A name up to its first dot: what is left of an FQDN without its domain. */
export function firstLabel(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

/**
 * Whether two names are of one machine: the same, or one the FQDN of the other, or of two domains, as after a rename. By whole labels and never by a
 * prefix: `cmp-1` is not `cmp-10`.
 */
export function isSameMachine(one: string, other: string): boolean {
  return firstLabel(one) === firstLabel(other)
}

/** The names of a node: its own, and its hostname label. */
export function namesOfNode({ name, labels }: NamedNode): readonly string[] {
  const hostname = labels['kubernetes.io/hostname']
  return hostname === undefined || hostname === name ? [name] : [name, hostname]
}

/** Names by which a record is a machine's beyond doubt: those given, each with its domain and without. */
export function exactNames(names: readonly string[]): readonly string[] {
  return names.flatMap(name => [name, firstLabel(name)])
}

/** Every record that fits one of these names, but for those that bear the very name of another machine. */
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

/** The only record of exactly these names, else the only one that fits them; null: none does, or several and none exactly. */
export function recordNamed<Named>(
  names: readonly string[],
  records: readonly Named[],
  nameOf: (each: Named) => string,
): Named | null {
  const exact = names.flatMap(name => records.filter(each => nameOf(each) === name))
  const [found, ...more] = exact.length > 0 ? exact : recordsOf(names, records, nameOf)
  return exact.length > 0 || more.length === 0 ? (found ?? null) : null
}

/** What several records of one machine mean, where one is expected. */
export type Claims<Named> =
  | { readonly kind: 'none' }
  /** `leftovers`: other records of it, which no longer report. */
  | { readonly kind: 'one'; readonly record: Named; readonly leftovers: readonly Named[] }
  /** Several report, or there are several and none reports: nobody knows which one counts. */
  | { readonly kind: 'several'; readonly records: readonly Named[] }

/** Judges them: one live record counts, and the dead ones are leftovers; of several live ones, or several dead ones alone, none counts. */
export function claimsOf<Named>(records: readonly Named[], isAlive: (each: Named) => boolean): Claims<Named> {
  const live = records.filter(isAlive)
  const [record] = live.length > 0 ? live : records
  if (record === undefined) return { kind: 'none' }
  if (live.length > 1 || (live.length === 0 && records.length > 1)) return { kind: 'several', records }
  return { kind: 'one', record, leftovers: records.filter(each => each !== record) }
}
