import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readBuildFacts } from '../../../packaging/build-facts.ts'

let repository: string

beforeEach(() => {
  vi.stubEnv('SOURCE_DATE_EPOCH', undefined)
  vi.stubEnv('LOCKKEEPER_COMMIT', undefined)
  repository = mkdtempSync(join(tmpdir(), 'lockkeeper-facts-'))
  writeFileSync(join(repository, 'package.json'), '{"version":"1.2.3"}')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'all')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(repository, { recursive: true })
})

function git(...words: readonly string[]): void {
  const of = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const at = { GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' }
  execFileSync('git', [...of, ...words], { cwd: repository, env: { ...process.env, ...at } })
}

test('a build names its commit and that commit’s time; a + marks later changes', () => {
  expect(readBuildFacts(repository)).toMatchObject({ version: '1.2.3', at: '2023-11-14T22:13:20Z' })
  expect(readBuildFacts(repository).commit).toMatch(/^[0-9a-f]{12}$/)
  writeFileSync(join(repository, 'package.json'), '{"version":"1.2.4"}')
  expect(readBuildFacts(repository).commit).toMatch(/^[0-9a-f]{12}\+$/)
})

test('sources unpacked inside another repository do not get its commit', () => {
  const inside = join(repository, 'vendor/lockkeeper')
  mkdirSync(inside, { recursive: true })
  cpSync(join(repository, 'package.json'), join(inside, 'package.json'))
  expect(readBuildFacts(inside)).toEqual({ version: '1.2.3', commit: 'unknown', at: '1970-01-01T00:00:00Z' })
})

test('SOURCE_DATE_EPOCH, if given, is the time of the build', () => {
  vi.stubEnv('SOURCE_DATE_EPOCH', '1000000000')
  expect(readBuildFacts(repository).at).toBe('2001-09-09T01:46:40Z')
})
