/** Instances whose names are kept; the one that was heard of longest ago is forgotten first. */
const REMEMBERED_NAMES = 20_000

/**
 * What instances are called, as a session heard it last, so that a request that failed says whom it was about to a person, who knows no ids.
 * Nothing is asked for a name.
 */
export interface InstanceNames {
  received(id: string, name: string): void
  /** Names are not unique in a cloud, so the id is told too; null where nothing told a name. */
  called(id: string): { readonly id: string; readonly name: string | null }
  /** The name alone; null where nothing told one. */
  nameOf(id: string): string | null
}

/** Remembers the names of one session. */
export function createInstanceNames(): InstanceNames {
  const names = new Map<string, string>()
  return {
    received: (id, name) => {
      names.delete(id)
      names.set(id, name)
      const [oldest] = names.keys()
      if (names.size > REMEMBERED_NAMES && oldest !== undefined) names.delete(oldest)
    },
    called: id => {
      const name = names.get(id) ?? null
      return { id, name: name === id ? null : name }
    },
    nameOf: id => names.get(id) ?? null,
  }
}
