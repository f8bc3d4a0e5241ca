import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the page loads before anything is drawn: the scripts of its index and all that they import. */
export function firstScripts(page: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const look = (file: string) => {
    if (found.has(file)) return
    const text = readFileSync(join(page, 'assets', file), 'utf8')
    found.set(file, text)
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) look(imported)
  }
  const index = readFileSync(join(page, 'index.html'), 'utf8')
  for (const [, file = ''] of index.matchAll(/(?:src|href)="[^"]*assets\/([^"]+\.js)"/g)) look(file)
  return found
}

/** Their size in kilobytes of 1,000 bytes. */
export function firstScriptKb(page: string): number {
  return Math.round([...firstScripts(page).values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1000)
}
