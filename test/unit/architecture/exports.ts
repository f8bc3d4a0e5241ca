import { posix } from 'node:path'
import type { Source } from './source.ts'

/**
 * The exports that nothing needs, one sentence each: no other file imports the name, or only a test does while its own file does not use it,
 * so that the code runs in tests only. `files` has the source of each file by its path.
 */
export function idleExports(files: ReadonlyMap<string, Source>): readonly string[] {
  const byProduct = new Set<string>()
  const byTests = new Set<string>()
  const mark = (file: string, name: string, used: Set<string>) => {
    const target = files.get(file)
    if (target === undefined) return
    for (const own of name === '*' ? target.exports.keys() : [name]) used.add(`${file} ${own}`)
    if (target.exports.has(name)) return
    for (const { from, reexportsAll } of target.imports) if (reexportsAll) mark(pathOf(file, from), name, used)
  }
  for (const [file, { imports }] of files) {
    const used = file.startsWith('test/') ? byTests : byProduct
    for (const { from, names } of imports) for (const name of names) mark(pathOf(file, from), name, used)
  }
  return [...files].flatMap(([file, { exports, said, lineOf }]) =>
    [...exports].flatMap(([name, place]) => {
      const key = `${file} ${name}`
      if (byProduct.has(key)) return []
      if (!byTests.has(key)) return [`${file}:${lineOf(place)}: nobody imports ${name}`]
      return file.startsWith('test/') || (said.get(name) ?? 0) > 1
        ? []
        : [`${file}:${lineOf(place)}: only tests use ${name}`]
    }),
  )
}

function pathOf(file: string, from: string | null): string {
  return from?.startsWith('.') ? posix.join(posix.dirname(file), from) : (from ?? '')
}
