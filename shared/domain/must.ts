/** `why` names what our own code guarantees. A throw here is a bug. */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new Error(`Broken invariant: ${why}`)
  return value
}

/** Makes an exhaustive switch a compile-time check. */
export function assertNever(value: never, what: string): never {
  throw new Error(`Broken invariant: unknown ${what} ${JSON.stringify(value)}`)
}
