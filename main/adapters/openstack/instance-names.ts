/** Instances whose names are kept; the one that was heard of longest ago is forgotten first. */
const REMEMBERED_NAMES = 20_000

/**
 * What instances are called, as a session heard it last, so that a request that failed says whom it was about to a person, who knows no ids.
 * Nothing is asked for a name.
 */
export interface InstanceNames {
  heard(id: string, name: string): void
  /** `vm-01 (6f1c…)`, for names are not unique in a cloud; the id alone where nothing told a name. */
  called(id: string): string
  /** The name alone; null where nothing told one. */
  nameOf(id: string): string | null
}

/** Remembers the names of one session. */
export function createInstanceNames(): InstanceNames {
  const names = new Map<string, string>()
  return {
    heard: (id, name) => {
      names.delete(id)
      names.set(id, name)
      const [oldest] = names.keys()
      if (names.size > REMEMBERED_NAMES && oldest !== undefined) names.delete(oldest)
    },
    called: id => {
      const name = names.get(id)
      return name === undefined || name === id ? id : `${name} (${id})`
    },
    nameOf: id => names.get(id) ?? null,
  }
}
