import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCredentials } from '../../../../main/adapters/kubernetes/credentials.ts'
import { execPluginOf, withProgram } from '../../../../main/adapters/kubernetes/exec-program.ts'
import { mergedOf, singleContext } from '../../../../main/adapters/kubernetes/kubeconfig.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failureIn, valueIn } from '../../../fixtures/clusters/results.ts'

let folder: string
const at = (name: string) => join(folder, name)

function program(name: string, text: string): void {
  writeFileSync(at(name), text)
  chmodSync(at(name), 0o755)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-program-'))
  for (const name of ['first', 'second']) mkdirSync(at(name))
  program('second/plugin', '#!/bin/sh\necho one\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const contextOf = async (exec: Readonly<Record<string, unknown>>) => {
  const top = {
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { exec } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  }
  return valueIn(singleContext(valueIn(await mergedOf([{ file: at('config'), top }])), 'c'))
}
const BARE = () => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'IfAvailable',
  command: 'plugin',
  env: [{ name: 'PATH', value: `${at('first')}:${at('second')}:/usr/bin:/bin` }],
})
async function fingerprint(exec: Readonly<Record<string, unknown>> = BARE()): Promise<string> {
  const plugin = must(execPluginOf((await contextOf(exec)).user), 'the user has a plugin')
  return (await withProgram(plugin)).described.fingerprint
}

describe('what was agreed to is no longer it when the program', () => {
  test.each<readonly [string, () => void]>([
    ['has another content', () => program('second/plugin', '#!/bin/sh\necho two\n')],
    [
      'has another content of the same length and time',
      () => {
        program('second/plugin', '#!/bin/sh\necho two\n')
        utimesSync(at('second/plugin'), 1, 1)
      },
    ],
    ['is hidden by one that comes earlier in PATH', () => program('first/plugin', '#!/bin/sh\necho one\n')],
    [
      'was moved into its place',
      () => {
        program('other', '#!/bin/sh\necho evil\n')
        renameSync(at('other'), at('second/plugin'))
      },
    ],
    [
      'became a link to another',
      () => {
        program('other', '#!/bin/sh\necho evil\n')
        rmSync(at('second/plugin'))
        symlinkSync(at('other'), at('second/plugin'))
      },
    ],
    ['is gone', () => rmSync(at('second/plugin'))],
  ])('%s', async (_words, change) => {
    const agreed = await fingerprint()
    expect(await fingerprint()).toBe(agreed)
    change()
    expect(await fingerprint()).not.toBe(agreed)
  })
})

test('a session whose program was exchanged does not run it, and says so', async () => {
  const credential = (token: string, expires: string) =>
    `#!/bin/sh\necho ran >> ${at('ran')}\necho '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"${token}","expirationTimestamp":"${expires}"}}'\n`
  program('second/plugin', credential('good', '2000-01-01T00:00:00Z'))
  const agreed = await fingerprint()
  const connection = {
    server: new URL('https://127.0.0.1:1'),
    ca: null,
    serverName: null,
    verify: true,
    proxy: null,
    warnings: [],
  }
  const context = await contextOf(BARE())
  const opened = valueIn(
    await openCredentials({
      context,
      connection,
      consent: plugin => plugin.fingerprint === agreed,
      clock: systemClock,
    }),
  )
  expect(valueIn(await opened.proof()).headers).toMatchObject({ Authorization: 'Bearer good' })
  program('second/plugin', credential('evil', '2000-01-01T00:00:00Z'))
  const refused = failureIn(await opened.proof())
  expect(refused).toMatchObject({ code: 'not-consented', message: expect.stringContaining('program changed') })
  const again = await openCredentials({
    context,
    connection,
    consent: plugin => plugin.fingerprint === agreed,
    clock: systemClock,
  })
  expect(failureIn(again).message).toContain(at('second/plugin'))
})

test('a pipe or a folder of that name is not a program', async () => {
  rmSync(at('second/plugin'))
  mkdirSync(at('second/plugin'))
  expect((await withProgram(must(execPluginOf((await contextOf(BARE())).user), 'a plugin'))).program).toBeNull()
})
