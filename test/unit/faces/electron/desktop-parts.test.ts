import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pickFilesWith } from '../../../../main/faces/electron/file-dialogs.ts'
import { keychainOf } from '../../../../main/faces/electron/keychain.ts'
import { menuTemplate } from '../../../../main/faces/electron/menu.ts'
import { reportPageCrash } from '../../../../main/faces/electron/page-crash.ts'
import { keepWindowPlace, readWindowPlace } from '../../../../main/faces/electron/window-place.ts'

describe('the file dialog', () => {
  const dialogAnswering = (answer: object) => {
    const options: { properties: string[] }[] = []
    const dialog = {
      showOpenDialog: async (given: { properties: string[] }) => {
        options.push(given)
        return answer
      },
    }
    return { options, pick: pickFilesWith(dialog as never, () => null) }
  }

  test('gives the chosen paths, several for a kubeconfig, one for clouds.yaml', async () => {
    const { options, pick } = dialogAnswering({ canceled: false, filePaths: ['/a', '/b'] })
    await expect(pick('kubeconfig')).resolves.toEqual(['/a', '/b'])
    await pick('clouds')
    expect(options.map(({ properties }) => properties.includes('multiSelections'))).toEqual([true, false])
  })

  test('gives null when the operator chose none', async () => {
    await expect(dialogAnswering({ canceled: true, filePaths: [] }).pick('clouds')).resolves.toBeNull()
  })
})

describe('the keychain', () => {
  const storage = (backend: string, isAvailable = true) =>
    ({
      isEncryptionAvailable: () => isAvailable,
      getSelectedStorageBackend: () => backend,
      encryptString: (text: string) => Buffer.from(`sealed ${text}`),
      decryptString: (sealed: Buffer) => {
        if (!sealed.toString().startsWith('sealed ')) throw new Error('not ours')
        return sealed.toString().slice('sealed '.length)
      },
    }) as never

  test.each(['basic_text', 'unknown'])('does not exist where Linux offers only %s', backend => {
    expect(keychainOf(storage(backend), 'linux')).toBeNull()
  })

  test('does not exist where encryption is not available', () => {
    expect(keychainOf(storage('gnome_libsecret', false), 'linux')).toBeNull()
  })

  test('seals and opens, and gives null for what it did not seal', () => {
    const box = keychainOf(storage('gnome_libsecret'), 'linux')
    expect(box?.words).toBe('the keyring of this desktop (gnome_libsecret)')
    const sealed = box?.seal('token') ?? ''
    expect(sealed).not.toContain('token')
    expect(box?.open(sealed)).toBe('token')
    expect(box?.open('b3RoZXI=')).toBeNull()
  })
})

describe('the place of the window', () => {
  const display = { x: 0, y: 0, width: 1920, height: 1080 }
  const window = (x: number) =>
    ({ getNormalBounds: () => ({ x, y: 20, width: 900, height: 700 }), isMaximized: () => true }) as never
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-place-'))
    path = join(folder, 'window.json')
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('is remembered', async () => {
    await keepWindowPlace(path, window(40))
    await expect(readWindowPlace(path, [display])).resolves.toEqual({
      bounds: { x: 40, y: 20, width: 900, height: 700 },
      maximized: true,
    })
  })

  test('is forgotten when its display is no longer there', async () => {
    await keepWindowPlace(path, window(1900))
    expect(await readFile(path, 'utf8')).toContain('1900')
    await expect(readWindowPlace(path, [display])).resolves.toBeNull()
  })

  test.each(['', '{}', '{"bounds":{"x":"0"},"maximized":true}'])('is nowhere in a damaged file: %s', async text => {
    await writeFile(path, text)
    await expect(readWindowPlace(path, [display])).resolves.toBeNull()
  })
})

test.each([
  [0, 'reloaded'],
  [1, 'quit'],
])('a page whose process ended is reported; by choice %i it is %s', async (response, expected) => {
  const done: string[] = []
  let onGone: (event: object, details: { reason: string }) => void = () => {}
  const contents = {
    on: (_name: string, listener: typeof onGone) => {
      onGone = listener
    },
  }
  const showDialog = async () => ({ response })
  reportPageCrash(contents as never, { showDialog, reload: () => done.push('reloaded'), quit: () => done.push('quit') })
  onGone({}, { reason: 'clean-exit' })
  onGone({}, { reason: 'crashed' })
  await expect.poll(() => done).toEqual([expected])
})

test('the menu leads to the places that are not of one cluster', () => {
  const places: string[] = []
  const items = menuTemplate({
    platform: 'linux',
    goTo: place => places.push(place),
    updates: { kind: 'no-source' },
    onUpdates: () => {},
  })
  expect(items.map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Window', 'Help'])
  for (const { submenu } of items) {
    for (const item of Array.isArray(submenu) ? submenu : []) item.click?.({} as never, undefined, {} as never)
  }
  expect(places).toEqual(['/clouds/add', '/home'])
})
