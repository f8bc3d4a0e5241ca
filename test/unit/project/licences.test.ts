import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { afterEach, describe, expect, test } from 'vitest'
import { bundleInventory } from '../../../packaging/bundle-inventory.ts'
import { judgeLicence } from '../../../packaging/judge-licence.ts'

describe('a licence', () => {
  test.each([
    ['MIT', 'fits'],
    ['OFL-1.1', 'fits'],
    ['(MIT OR GPL-3.0-only)', 'fits'],
    ['GPL-3.0-only OR (LGPL-3.0 AND MIT)', 'replaceable'],
    ['MIT AND ISC AND BSD-3-Clause', 'fits'],
    ['MIT AND GPL-2.0', 'unfit'],
    ['LGPL-3.0', 'replaceable'],
    ['GPL-3.0', 'unfit'],
    ['SEE LICENSE IN LICENSE.md', 'unfit'],
    ['UNLICENSED', 'unfit'],
    ['mit', 'unfit'],
    ['', 'unfit'],
    [null, 'unfit'],
  ])('%s is judged as %s', (licence, kind) => {
    expect(judgeLicence(licence).kind).toBe(kind)
  })
})

describe('a build', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  /** Bundles a program that uses one package with this licence. */
  async function bundled(licence: string, use = "import { x } from 'other-package'\nx()"): Promise<unknown> {
    const root = mkdtempSync(join(tmpdir(), 'lockkeeper-licence-'))
    folders.push(root)
    const folder = join(root, 'node_modules/other-package')
    mkdirSync(folder, { recursive: true })
    const manifest = { name: 'other-package', version: '1.0.0', main: 'index.mjs', license: licence }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'index.mjs'), 'export function x() {\n  console.log("other-package")\n}\n')
    writeFileSync(join(root, 'main.mjs'), use)
    return build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [bundleInventory('cli')],
      ssr: { noExternal: true },
      build: { ssr: true, outDir: join(root, 'out/cli'), rollupOptions: { input: join(root, 'main.mjs') } },
    }).then(
      () => 'built',
      (reason: unknown) => (reason instanceof Error ? reason.message : reason),
    )
  }

  test('with a package whose licence fits succeeds', async () => {
    expect(await bundled('MIT')).toBe('built')
  })

  test('with a package whose licence is unknown fails and names it', async () => {
    expect(await bundled('Custom')).toMatch(
      /other-package 1\.0\.0: Custom is not among the licences that may be shipped/,
    )
  })

  test('with a package that has to stay replaceable fails where it is mixed with our code', async () => {
    expect(await bundled('LGPL-3.0')).toMatch(/other-package 1\.0\.0 \(LGPL-3\.0\) must be a separate file/)
  })

  /** Bundles the replaceable packages into their own file, together with what `entry` adds. */
  async function exchangeable(entry: string): Promise<unknown> {
    const root = mkdtempSync(join(tmpdir(), 'lockkeeper-licence-'))
    folders.push(root)
    const put = (path: string, content: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    const manifest = (name: string, more: object = {}) => {
      put(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', main: 'index.mjs', license: 'MIT', ...more }),
      )
    }
    manifest('@canonical/jujulib', { license: 'LGPL-3.0', dependencies: { helper: '1' } })
    put(
      'node_modules/@canonical/jujulib/index.mjs',
      "import { h } from 'helper'\nexport const x = () => console.log(h())\n",
    )
    manifest('helper')
    put('node_modules/helper/index.mjs', 'export const h = () => Date.now()\n')
    manifest('other-package')
    put('node_modules/other-package/index.mjs', 'export const s = () => console.log("other-package")\n')
    put('ours.mjs', 'export const o = () => console.log("ours")\n')
    put('jujulib.mjs', `export { x } from '@canonical/jujulib'\n${entry}`)
    return build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [bundleInventory('cli')],
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: join(root, 'out/cli'),
        rollupOptions: { input: { jujulib: join(root, 'jujulib.mjs') }, output: { entryFileNames: '[name].mjs' } },
      },
    }).then(
      () => 'built',
      (reason: unknown) => (reason instanceof Error ? reason.message : reason),
    )
  }

  test('puts replaceable packages and what they need alone in a file', async () => {
    expect(await exchangeable('')).toBe('built')
  })

  test.each([
    [
      'ours',
      "export { o } from './ours.mjs'\n",
      /jujulib\.mjs has to hold @canonical\/jujulib and what that needs alone, and has something of ours\.mjs/,
    ],
    [
      'another package',
      "export { s } from 'other-package'\n",
      /has something of node_modules\/other-package\/index\.mjs/,
    ],
    ['ours in its entry', 'export const mine = () => console.log("mine")\n', /has something of jujulib\.mjs/],
  ])('fails where that file has something of %s', async (_whose, entry, words) => {
    expect(await exchangeable(entry)).toMatch(words)
  })

  test('ignores a package that is imported but not used', async () => {
    expect(await bundled('Custom', "import 'other-package'\nconsole.log(1)")).toBe('built')
  })
})
