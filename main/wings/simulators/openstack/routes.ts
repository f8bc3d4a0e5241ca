/** One entry of a service's table: method, path with `:names`, handler. */
export interface Route<T> {
  readonly method: string
  readonly path: string
  readonly to: T
}

/** Finds the first matching entry, with the values of its `:names`. */
export function findRoute<T>(
  routes: readonly Route<T>[],
  method: string,
  path: string,
): { readonly to: T; readonly params: Readonly<Record<string, string>> } | null {
  const asked = path.split('/')
  for (const route of routes) {
    if (route.method !== method) continue
    const params = fits(route.path.split('/'), asked)
    if (params !== null) return { to: route.to, params }
  }
  return null
}

function fits(wanted: readonly string[], asked: readonly string[]): Readonly<Record<string, string>> | null {
  if (wanted.length !== asked.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = asked[index] ?? ''
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value
    else if (part !== value) return null
  }
  return params
}
