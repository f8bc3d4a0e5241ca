const INSTANCE_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/** A sentence that names instances by their ids, with known names added: `vm-01 (6f1c…)`. */
export function withInstanceNames(text: string, nameOf: (id: string) => string | null): string {
  return text.replace(INSTANCE_ID, (id, at: number) => {
    const name = nameOf(id)
    if (name === null || name === id) return id
    const isNamed = text.slice(0, at).endsWith(`${name} (`)
    return isNamed ? `${id.slice(0, 8)}…` : `${name} (${id.slice(0, 8)}…)`
  })
}
