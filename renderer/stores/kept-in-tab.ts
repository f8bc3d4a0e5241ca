import { createJSONStorage, type PersistOptions } from 'zustand/middleware'

/**
 * Keeps the look of a screen over reloads, while the tab lives; keeps nothing about the cloud. `plain` gives what to keep as
 * JSON; `read` takes what is still valid, and the rest starts as at first.
 */
export function keptInTab<Store, Plain>(
  name: string,
  plain: (store: Store) => Plain,
  read: (kept: Readonly<Record<string, unknown>>) => Partial<Store>,
): PersistOptions<Store, Plain> {
  return {
    name: `lockkeeper-${name}`,
    version: 1,
    storage: createJSONStorage(() => TAB),
    partialize: plain,
    merge: (kept, first) =>
      typeof kept === 'object' && kept !== null ? { ...first, ...read(kept as Record<string, unknown>) } : first,
  }
}

/** A tab may have no storage, or a full one: then nothing is kept. */
const TAB = {
  getItem: (name: string) => attempt(() => globalThis.sessionStorage?.getItem(name)) ?? null,
  setItem: (name: string, value: string) => attempt(() => globalThis.sessionStorage?.setItem(name, value)),
  removeItem: (name: string) => attempt(() => globalThis.sessionStorage?.removeItem(name)),
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The value under `key` if it is one of these. */
export function oneOf<K extends string, T>(
  kept: Readonly<Record<string, unknown>>,
  key: K,
  known: readonly T[],
): { readonly [key in K]?: T } {
  const found = known.find(each => each === kept[key])
  return found === undefined ? {} : ({ [key]: found } as { readonly [key in K]: T })
}

/** The items of a list that are among these; empty if it is not a list. */
export function someOf<T>(kept: unknown, known: readonly T[]): readonly T[] {
  return Array.isArray(kept) ? known.filter(each => kept.includes(each)) : []
}
