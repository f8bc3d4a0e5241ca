import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Baseline, filesOver, shrunk } from './baseline.ts'
import { type Finding, findingsOf } from './find.ts'

// Finds words that nobody outside this project would write, in comments, messages, documents and names (docs/style.md G41, G42).
//   node test/prose/check.ts              fails where a file has more findings than test/prose/remaining.json allows
//   node test/prose/check.ts --list PATH  prints all findings of files and folders
//   node test/prose/check.ts --write      writes remaining.json with the smaller numbers
// A comment `prose-ignore: REASON` before a line that quotes others exempts that line.
const ROOT = resolve(import.meta.dirname, '../..')
const REMAINING = join(ROOT, 'test/prose/remaining.json')
const FILES = [
  '*.{ts,md}',
  '{main,shared,renderer,test,bin,packaging,docs,resources}/**/*.{ts,tsx,md,css,yaml,yml,sh,py}',
  'bin/{demo,lockkeeper}',
]
/** Made from other files, written by others, or about the words that this check looks for. */
const LEFT_OUT = [
  '**/node_modules/**',
  'docs/seeds/**',
  'docs/codes.md',
  'test/prose/{phrases,sentences,terms,names}.ts',
  'test/unit/project/prose.test.ts',
  'resources/crds/**',
  'renderer/icons/paths.ts',
]

process.exitCode = main()

function main(): number {
  const { values, positionals } = parseArgs({
    options: { list: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const paths = positionals.map(path => relative(ROOT, resolve(path)))
  const isAsked = (file: string) =>
    paths.length === 0 || paths.some(path => path === file || path === '' || file.startsWith(`${path}/`))
  const files = globSync(FILES, { cwd: ROOT, exclude: LEFT_OUT }).filter(isAsked).sort()
  const found = new Map(files.map(file => [file, findingsOf(file, readFileSync(join(ROOT, file), 'utf8'))] as const))
  const counts = new Map([...found].map(([file, findings]) => [file, findings.length] as const))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (values.list) {
    for (const [file, findings] of found) print(file, findings)
    process.stdout.write(`${total} findings in ${files.length} files\n`)
    return total === 0 ? 0 : 1
  }
  if (paths.length > 0) {
    process.stderr.write('Paths need --list.\n')
    return 2
  }
  const baseline: Baseline = JSON.parse(readFileSync(REMAINING, 'utf8'))
  if (values.write) {
    const next = shrunk(baseline, counts)
    if (next !== null) writeFileSync(REMAINING, `${JSON.stringify(next, null, 2)}\n`)
    process.stdout.write(
      `${total} findings are left${next === null ? ', more than before: nothing was written' : ''}.\n`,
    )
    return next === null ? 1 : 0
  }
  const over = filesOver(baseline, counts)
  for (const file of over) print(file, found.get(file) ?? [])
  if (over.length > 0)
    process.stdout.write(`${over.length} files have more findings than test/prose/remaining.json allows.\n`)
  return over.length === 0 ? 0 : 1
}

function print(file: string, findings: readonly Finding[]): void {
  for (const { line, words, instead } of findings) process.stdout.write(`${file}:${line}  ${words}  -> ${instead}\n`)
}
