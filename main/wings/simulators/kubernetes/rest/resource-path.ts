/** The resource that a path names. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly namespace: string | null
  readonly plural: string
  readonly name: string | null
  readonly subresource: string | null
}

/** Reads `/api/v1/…` and `/apis/GROUP/VERSION/…`; null for another path. */
export function parseResourcePath(path: string): ResourcePath | null {
  const parts = path
    .split('/')
    .filter(part => part !== '')
    .map(decode)
  const root = parts[0]
  const [group, version, rest] =
    root === 'api' ? ['', parts[1], parts.slice(2)] : root === 'apis' ? [parts[1], parts[2], parts.slice(3)] : []
  if (group === undefined || version === undefined || rest === undefined || rest.length === 0) return null
  // `namespaces/x` and its subresources name the namespace itself; a longer path names an object in it.
  const inside = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '')
  const [plural, name, subresource, ...tail] = inside ? rest.slice(2) : rest
  if (plural === undefined || tail.length > 0) return null
  return {
    group,
    version,
    namespace: inside ? (rest[1] ?? null) : null,
    plural,
    name: name ?? null,
    subresource: subresource ?? null,
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
