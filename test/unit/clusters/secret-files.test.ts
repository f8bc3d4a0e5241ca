import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSecretFiles } from '../../../main/clusters/secret-files.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'lockkeeper-secret-files-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

test('the files of a cloud are its user’s alone, and another content lies in another folder', () => {
  const files = openSecretFiles(join(place, 'clouds'))
  const first = valueIn(files.write('east', { kubeconfig: 'a', 'clouds.yaml': 'b' }))
  expect(readFileSync(join(first, 'kubeconfig'), 'utf8')).toBe('a')
  for (const name of ['kubeconfig', 'clouds.yaml']) expect(statSync(join(first, name)).mode & 0o777).toBe(0o600)
  for (const folder of [first, join(place, 'clouds', 'east'), join(place, 'clouds')])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(valueIn(files.write('east', { 'clouds.yaml': 'b', kubeconfig: 'a' })), 'the same content').toBe(first)
  const second = valueIn(files.write('east', { kubeconfig: 'c', 'clouds.yaml': 'b' }))
  expect(second).not.toBe(first)
  valueIn(files.keepOnly('east', second))
  expect([existsSync(first), existsSync(second)]).toEqual([false, true])
  expect(files.clouds()).toEqual(['east'])
  valueIn(files.keepOnly('east', null))
  expect(files.clouds()).toEqual([])
})

test('a name that leads out of their folder does not count, and nothing there is removed', () => {
  mkdirSync(join(place, 'other'))
  writeFileSync(join(place, 'other', 'kept'), 'x')
  const files = openSecretFiles(join(place, 'clouds'))
  for (const name of ['../other', '..', '', 'a/b']) {
    expect(failureIn(files.write(name, { kubeconfig: 'a' })).message).toContain('is not a valid name of a cloud')
    expect(failureIn(files.keepOnly(name, null)).message).toContain('is not a valid name of a cloud')
  }
  expect(existsSync(join(place, 'other', 'kept'))).toBe(true)
})
