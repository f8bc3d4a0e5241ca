import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '../../unit/architecture/lexer.ts'

const OUT = resolve(import.meta.dirname, '../../../out/cli')

test('the built terminal face needs no installed package: everything is in the bundle', () => {
  const files = readdirSync(OUT).filter(name => name.endsWith('.mjs'))
  expect(files).toContain('lockkeeper.mjs')
  const packages = files
    .flatMap(name => importsOf(readFileSync(join(OUT, name), 'utf8')))
    .map(({ from }) => from)
    .filter(from => from !== '(computed)' && !from.startsWith('.') && !isBuiltin(from))
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
