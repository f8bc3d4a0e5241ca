/** Number of names kept; the least recently seen is dropped first. */
const REMEMBERED_NAMES = 20_000

export interface InstanceNames {
  received(id: string, name: string): void
  /** Names are not unique, so the id is included; null if the name is unknown. */
  called(id: string): { readonly id: string; readonly name: string | null }
  nameOf(id: string): string | null
}

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
