import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Version } from '@cyclonedx/cyclonedx-library/Spec'
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { afterAll, describe, expect, test } from 'vitest'
import { readInventories } from '../../../packaging/bundle-inventory.ts'
import { writeLicencesAndSbom } from '../../../packaging/licences-and-sbom.ts'
import { debianLibrary, nodeRuntime } from '../../../packaging/shipped-runtime.ts'

const OUT = resolve(import.meta.dirname, '../../../out')
const notices = readFileSync(join(OUT, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
const bill = readFileSync(join(OUT, 'sbom.cdx.json'), 'utf8')

interface Inventory {
  readonly packages: readonly { readonly name: string; readonly version: string; readonly files: readonly string[] }[]
}

const inventory = (bundle: string) =>
  (JSON.parse(readFileSync(join(OUT, 'inventory', `${bundle}.json`), 'utf8')) as Inventory).packages
const everything = ['cli', 'main', 'preload', 'renderer'].flatMap(inventory)

/** The packages a file has code of, by the marks that the bundler left in it. */
function marksIn(code: string): ReadonlySet<string> {
  const marks = code.matchAll(/^\/\/(?:#region)? (?:\S*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)
  return new Set([...marks].map(([, name]) => name ?? ''))
}

/** The same of each file of a bundle. */
function marked(bundle: string): ReadonlyMap<string, ReadonlySet<string>> {
  const files = readdirSync(join(OUT, bundle)).filter(name => /\.[mc]js$/.test(name))
  return new Map(files.map(file => [file, marksIn(readFileSync(join(OUT, bundle, file), 'utf8'))]))
}

/** The page's code built once more and not minified, which leaves no marks. */
async function markedInPage(): Promise<ReadonlySet<string>> {
  const root = join(OUT, '../renderer')
  const built = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [react()],
    // What runs the tests says that they are tests, and libraries bring more then.
    mode: 'production',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { write: false, minify: false, rollupOptions: { input: join(root, 'index.html') } },
  })
  if (!('output' in built)) throw new Error('It was built to be watched.')
  return new Set(built.output.flatMap(part => (part.type === 'chunk' ? [...marksIn(part.code)] : [])))
}

describe('the inventory of the bundles', () => {
  test.each(['cli', 'main'])('is what the marks in the files of %s say', bundle => {
    const said = new Set(inventory(bundle).map(({ name }) => name))
    const found = new Set([...marked(bundle).values()].flatMap(names => [...names]))
    expect(found.size).toBeGreaterThan(20)
    expect([...found].filter(name => !said.has(name))).toEqual([])
    // A few lines bear no mark: the bundler's own, and what it joined with a neighbour.
    const unmarked = [...said].filter(name => !found.has(name))
    expect(unmarked.length, unmarked.join(', ')).toBeLessThan(5)
  })

  test('of the page is what the marks in its code say, before it is minified, beside styles, fonts and icons', async () => {
    const said = inventory('renderer')
    const found = await markedInPage()
    expect(found.size).toBeGreaterThan(20)
    expect([...found].filter(name => said.every(each => each.name !== name))).toEqual([])
    const code = said.filter(({ files }) => files.some(file => file.endsWith('.js')))
    // No mark is left of what is a style sheet to begin with, of the bundler's own, and of what it joined with a neighbour.
    const unmarked = code.flatMap(({ name }) => (found.has(name) ? [] : [name]))
    expect(unmarked.length, unmarked.join(', ')).toBeLessThan(12)
    // It bundles the page once more, not minified.
  }, 120_000)

  test('of the page has what its screens and its fonts come from', () => {
    const said = inventory('renderer').map(({ name }) => name)
    expect(said).toEqual(
      expect.arrayContaining(['react-dom', '@blueprintjs/core', 'recharts', '@fontsource-variable/inter']),
    )
  })

  test('is in the notices, each package with its licence', () => {
    const missing = everything.filter(({ name, version }) => !notices.includes(`\n${name} ${version}\nLicence: `))
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test('is in the bill of materials, which CycloneDX finds well formed', async () => {
    const { components } = JSON.parse(bill) as { readonly components: readonly { readonly 'bom-ref': string }[] }
    const said = new Set(everything.map(({ name, version }) => `${name}@${version}`))
    expect(components.map(component => component['bom-ref']).sort()).toEqual([...said].sort())
    expect(await new JsonStrictValidator(Version.v1dot6).validate(bill)).toBeNull()
  })
})

describe('what a package has beside its bundles', () => {
  const beside = [
    nodeRuntime('24.21.0'),
    debianLibrary('libc6', '2.36-9+deb12u10', 'glibc=2.36-9+deb12u10'),
    debianLibrary('libstdc++6', '12.2.0-14', 'gcc-12=12.2.0-14'),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-papers-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  writeLicencesAndSbom(folder, readInventories(OUT, ['cli', 'renderer']), beside)
  const written = (name: string) => readFileSync(join(folder, name), 'utf8')

  test('is in its bill of materials, with version, licence and where it is from, and nothing of other bundles is', async () => {
    const { components } = JSON.parse(written('sbom.cdx.json')) as {
      readonly components: readonly { readonly name: string; readonly group?: string; readonly version: string }[]
    }
    const said = ['cli', 'renderer'].flatMap(inventory).map(({ name, version }) => `${name}@${version}`)
    const named = components.map(
      ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
    )
    const besides = beside.map(({ name, version }) => `${name}@${version}`)
    expect(named.sort()).toEqual([...new Set([...said, ...besides])].sort())
    expect(components).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'platform', name: 'node', purl: 'pkg:generic/node@24.21.0' }),
        expect.objectContaining({
          type: 'library',
          name: 'libc6',
          licenses: [{ license: { id: 'LGPL-2.1-or-later' } }],
          purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64',
        }),
        expect.objectContaining({
          name: 'libstdc++6',
          licenses: [{ expression: 'GPL-3.0-or-later WITH GCC-exception-3.1' }],
        }),
      ]),
    )
    expect(await new JsonStrictValidator(Version.v1dot6).validate(written('sbom.cdx.json'))).toBeNull()
  })

  test('is in its notices, with where its sources are', () => {
    for (const { name, version, licence, source } of beside) {
      expect(written('THIRD-PARTY-NOTICES.txt')).toContain(`\n${name} ${version}\nLicence: ${licence}\n${source}\n`)
    }
  })

  test('is not shipped before somebody checked its licence', () => {
    expect(() => debianLibrary('libssl3', '3.0', 'openssl=3.0')).toThrow(
      /libssl3 in it, whose licence nobody has checked yet/,
    )
  })
})

describe("Juju's library", () => {
  test.each(['cli', 'main'])('is alone in a file of %s that can be exchanged', bundle => {
    const files = [...marked(bundle)].filter(([, names]) => names.has('@canonical/jujulib'))
    expect(files).toEqual([['jujulib.mjs', new Set(['@canonical/jujulib'])]])
    const code = readFileSync(join(OUT, bundle, 'jujulib.mjs'), 'utf8')
    expect(code).toMatch(/^export \{ Client, .+ as action, .+ as application, .+ as client, .+ as modelManager \};$/m)
    expect(code).not.toMatch(/^import /m)
  })

  test('is listed in the notices, with how to exchange it and the licence it adds to', () => {
    expect(notices).toMatch(
      /@canonical\/jujulib 9\.\d+\.\d+ is used under LGPL-3\.0\. It is in the file jujulib\.mjs alone/,
    )
    expect(notices).toContain('npx rolldown jujulib-entry.mjs')
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect(notices).toContain('TERMS AND CONDITIONS')
  })

  test.each(['websocket', 'bufferutil', 'utf-8-validate', 'es5-ext'])('brings no %s along', name => {
    expect(everything.map(each => each.name)).not.toContain(name)
  })
})

test('the built terminal says its version, its commit and when that was made', () => {
  const { stdout } = spawnSync(process.execPath, [join(OUT, 'cli/lockkeeper.mjs'), '--version'], { encoding: 'utf8' })
  expect(stdout).toMatch(
    /^lockkeeper \d+\.\d+\.\d+ \(commit (?:[0-9a-f]{12}\+?|unknown), \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\)\n$/,
  )
})
