import { describe, expect, test } from 'vitest'
import { consoleHandlers } from '../../../main/api/console.ts'
import type { Face } from '../../../main/api/face.ts'
import type { ApiServices } from '../../../main/api/services.ts'
import { DEFAULT_PREFERENCES } from '../../../shared/contract/console.ts'
import { requests } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'

const SERVE: Face = { kind: 'serve', pickFiles: null, secrets: null }

/** The handlers of a face; what they send is kept. */
function handlersOf(face: Face, more: Partial<ApiServices> = {}) {
  const sent: unknown[] = []
  const services: Partial<ApiServices> = {
    face,
    installation: { version: '1.2.3', demo: true, dataDirectory: '/data' },
    registryFolder: '/data',
    runs: {
      driver: {
        operator: 'eva',
        machine: 'laptop',
        pid: 1,
        version: '1.2.3',
        id: 'driver-1',
        bootId: 'boot-1',
        epoch: 1,
      },
    } as ApiServices['runs'],
    clusters: {
      get: (name: string) =>
        name === 'lab' ? ok(fakeCluster({ name })) : failed(failure('not-found', `Cloud ${name} does not exist.`)),
    } as ApiServices['clusters'],
    preferences: {
      show: () => DEFAULT_PREFERENCES,
      change: change => ok({ ...DEFAULT_PREFERENCES, theme: change.theme ?? 'system' }),
    },
    emit: (name, payload) => sent.push([name, payload]),
    ...more,
  }
  // The handlers of the console use nothing else.
  return { handlers: consoleHandlers(services as ApiServices), sent }
}

describe('the console', () => {
  test('says what it is, who works on it, and how secrets on disk are protected', async () => {
    const { handlers } = handlersOf(SERVE)
    const described = requests['console.describe'].output.parse(valueIn(await handlers['console.describe']({})))
    expect(described).toMatchObject({
      version: '1.2.3',
      face: 'serve',
      demo: true,
      operator: 'eva',
      machine: 'laptop',
      dataDirectory: '/data',
      picksFiles: false,
      secrets: { kind: 'file' },
    })
    const box = { seal: () => null, open: () => null, words: 'the keyring of this desktop' }
    const desktop = handlersOf({ kind: 'desktop', pickFiles: async () => null, secrets: box }).handlers
    expect(valueIn(await desktop['console.describe']({}))).toMatchObject({
      picksFiles: true,
      secrets: { kind: 'keychain', words: expect.stringContaining('the keyring of this desktop') },
    })
  })

  test('opens a dialog where the face has one, and says to type the path where it has none', async () => {
    const desktop = (paths: readonly string[] | null) =>
      handlersOf({ kind: 'desktop', pickFiles: async kind => (kind === 'clouds' ? paths : null), secrets: null })
        .handlers
    expect(await desktop(['/a'])['file.pick']({ kind: 'clouds' })).toEqual(ok({ paths: ['/a'] }))
    expect(await desktop(null)['file.pick']({ kind: 'clouds' })).toEqual(ok({ paths: null }))
    const refused = failureIn(await handlersOf(SERVE).handlers['file.pick']({ kind: 'clouds' }))
    expect(refused.message).toContain('type the path')
  })

  test('tells every tab what was changed, and nothing when it was refused', async () => {
    const { handlers, sent } = handlersOf(SERVE)
    await handlers['preferences.change']({ theme: 'dark' })
    expect(sent).toEqual([['preferences.changed', { ...DEFAULT_PREFERENCES, theme: 'dark' }]])
    const damaged = failed(failure('damaged', 'preferences.json is damaged'))
    const broken = handlersOf(SERVE, { preferences: { show: () => DEFAULT_PREFERENCES, change: () => damaged } })
    expect(await broken.handlers['preferences.change']({ theme: 'dark' })).toEqual(damaged)
    expect(broken.sent).toEqual([])
  })
})
