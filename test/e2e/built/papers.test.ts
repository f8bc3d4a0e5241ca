import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Version } from '@cyclonedx/cyclonedx-library/Spec'
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation'
import { describe, expect, test } from 'vitest'

const OUT = resolve(import.meta.dirname, '../../../out')
const notices = readFileSync(join(OUT, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
const bill = readFileSync(join(OUT, 'sbom.cdx.json'), 'utf8')

interface Inventory {
  readonly packages: readonly { readonly name: string; readonly version: string; readonly files: readonly string[] }[]
}

const inventory = (bundle: string) =>
  (JSON.parse(readFileSync(join(OUT, 'inventory', `${bundle}.json`), 'utf8')) as Inventory).packages
const everything = ['cli', 'main', 'preload', 'renderer'].flatMap(inventory)

/** The packages each file of a bundle has code of, by the marks that the bundler left in it. */
function marked(bundle: string): ReadonlyMap<string, ReadonlySet<string>> {
  const files = readdirSync(join(OUT, bundle)).filter(name => /\.[mc]js$/.test(name))
  return new Map(
    files.map(file => {
      const marks = readFileSync(join(OUT, bundle, file), 'utf8').matchAll(
        /^\/\/ (?:\S*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm,
      )
      return [file, new Set([...marks].map(([, name]) => name ?? ''))]
    }),
  )
}

describe('what is said to be inside of the bundles', () => {
  test.each(['cli', 'main'])('is what the marks in the files of %s say', bundle => {
    const said = new Set(inventory(bundle).map(({ name }) => name))
    const found = new Set([...marked(bundle).values()].flatMap(names => [...names]))
    expect(found.size).toBeGreaterThan(20)
    expect([...found].filter(name => !said.has(name))).toEqual([])
    // A few lines bear no mark: the bundler's own, and what it joined with a neighbour.
    const unmarked = [...said].filter(name => !found.has(name))
    expect(unmarked.length, unmarked.join(', ')).toBeLessThan(5)
  })

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

describe("Juju's library", () => {
  test.each(['cli', 'main'])('is alone in a file of %s that can be exchanged', bundle => {
    const files = [...marked(bundle)].filter(([, names]) => names.has('@canonical/jujulib'))
    expect(files).toEqual([['jujulib.mjs', new Set(['@canonical/jujulib'])]])
    const code = readFileSync(join(OUT, bundle, 'jujulib.mjs'), 'utf8')
    expect(code).toMatch(/^export \{ Client, .+ as action, .+ as application, .+ as client, .+ as modelManager \};$/m)
    expect(code).not.toMatch(/^import /m)
  })

  test('is told of in the notices, with how to exchange it and the licence it adds to', () => {
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
