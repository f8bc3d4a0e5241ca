import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../unit/architecture/source.ts'

const OUT = resolve(import.meta.dirname, '../../../out/cli')

test('the built terminal face needs no installed package: everything is in the bundle', () => {
  const files = readdirSync(OUT).filter(name => name.endsWith('.mjs'))
  expect(files).toContain('lockkeeper.mjs')
  const packages = files
    .flatMap(name => readSource(name, readFileSync(join(OUT, name), 'utf8')).imports)
    .map(({ from }) => from)
    .filter(from => from !== null && !from.startsWith('.') && !isBuiltin(from))
  expect(packages).toEqual([])
})

test('the bundle starts and explains itself', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(OUT, 'lockkeeper.mjs'), '--help'], {
    encoding: 'utf8',
    env: { PATH: '' },
  })
  expect(stderr).not.toMatch(/Error|at file:/)
  expect({ status, names: stdout.includes('enter') && stdout.includes('leave') }).toEqual({ status: 0, names: true })
})

test('on an older Node the bundle first prints which version it needs', () => {
  const entry = join(OUT, 'lockkeeper.mjs')
  expect(readFileSync(entry, 'utf8')).not.toMatch(/^import[\s{*'"]/m)
  const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
  const { status, stderr } = spawnSync(process.execPath, ['--import', older, entry, 'nodes'], { encoding: 'utf8' })
  expect(stderr).toContain('lockkeeper needs Node 24 or newer; this is Node 20.20.2')
  expect(status).toBe(1)
  // The machine's own, where it is such a one.
  const own = spawnSync('/usr/bin/node', [entry, '--version'], { encoding: 'utf8' })
  if (own.error === undefined) expect(own.stdout + own.stderr).toMatch(/^lockkeeper 0|needs Node 24 or newer/)
})
