import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserWindow as ElectronWindow, MenuItemConstructorOptions, MessageBoxOptions } from 'electron'
import { beforeEach, describe, expect, test } from 'vitest'
import { joinDesktop } from '../../../../main/faces/electron/desktop.ts'
import { menuTemplate } from '../../../../main/faces/electron/menu.ts'
import { openUpdateSource, type UpdateSource } from '../../../../main/faces/electron/update-source.ts'
import { followUpdates, type UpdateState, type Updates } from '../../../../main/faces/electron/updates.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { Contract } from '../../../../shared/contract/index.ts'
import { BrowserWindow, dialog, Menu } from '../../../electron-stand-in/electron.ts'

let there: string | null
let done: string[]
let failing: 'look' | 'fetch' | null
let onFailed: ((reason: Error) => void) | null
const source: UpdateSource = {
  look: async () => {
    done.push('look')
    if (failing === 'look') throw new Error('net::ERR_NAME_NOT_RESOLVED')
    return there
  },
  fetch: async () => {
    done.push('fetch')
    if (failing === 'fetch') throw new Error('sha512 checksum mismatch')
  },
  install: failed => {
    done.push('install')
    onFailed = failed
  },
}

beforeEach(() => {
  there = '0.3.0'
  done = []
  failing = null
  onFailed = null
})

describe('an update', () => {
  let isBusy: boolean
  let asked: string[]
  let answer: (message: string) => boolean
  let states: UpdateState['kind'][]
  let updates: Updates

  const follow = (from: UpdateSource | null) =>
    followUpdates(from, {
      version: '0.2.0',
      isBusy: () => isBusy,
      showDialog: async ({ message }: MessageBoxOptions) => {
        asked.push(message)
        return { response: answer(message) ? 0 : 1 }
      },
      log: silentLogger,
      onChange: ({ kind }) => states.push(kind),
    })

  beforeEach(() => {
    isBusy = false
    asked = []
    states = []
    answer = () => true
    updates = follow(source)
  })

  test('asks before it is fetched, and again before it is installed', async () => {
    await updates.look(false)
    expect(asked).toEqual(['Lockkeeper 0.3.0 is available.', 'Lockkeeper 0.3.0 is ready to install.'])
    expect(done).toEqual(['look', 'fetch', 'install'])
    expect(states).toEqual(['looking', 'found', 'fetching', 'ready', 'installing'])
  })

  test('that is put off does not ask again alone, but by hand', async () => {
    answer = () => false
    await updates.look(false)
    await updates.look(false)
    updates.workChanged()
    expect(asked).toHaveLength(1)
    expect(done).toEqual(['look', 'look'])
    await updates.look(true)
    expect(asked).toHaveLength(2)
  })

  test('that is fetched stays ready when its installation is put off', async () => {
    answer = message => message.endsWith('is available.')
    await updates.look(false)
    updates.workChanged()
    expect(updates.state()).toEqual({ kind: 'ready', version: '0.3.0' })
    expect(done).toEqual(['look', 'fetch'])
    answer = () => true
    await updates.look(true)
    expect(done).toEqual(['look', 'fetch', 'install'])
  })

  test('waits until this console drives nothing: neither asked for nor fetched before', async () => {
    isBusy = true
    await updates.look(false)
    expect([asked, done]).toEqual([[], ['look']])
    isBusy = false
    updates.workChanged()
    await expect.poll(() => done).toEqual(['look', 'fetch', 'install'])
  })

  test('that a search by hand finds during a run is named, and asks when the run has ended', async () => {
    isBusy = true
    await updates.look(true)
    expect(asked).toEqual(['Lockkeeper 0.3.0 has to wait.'])
    expect(done).toEqual(['look'])
    isBusy = false
    updates.workChanged()
    await expect.poll(() => asked[1]).toBe('Lockkeeper 0.3.0 is available.')
  })

  test('is not installed in a run that began while it was fetched, nor in one that began while it was asked', async () => {
    answer = message => {
      if (message.endsWith('is available.') || asked.length < 3) isBusy = true
      return true
    }
    await updates.look(false)
    expect([updates.state().kind, asked.length]).toEqual(['ready', 1])
    isBusy = false
    updates.workChanged()
    await expect.poll(() => asked.length).toBe(2)
    await Promise.resolve()
    expect([updates.state().kind, done]).toEqual(['ready', ['look', 'fetch']])
    isBusy = false
    updates.workChanged()
    await expect.poll(() => done).toEqual(['look', 'fetch', 'install'])
  })

  test('with a wrong digest is not installed, and a message says so', async () => {
    failing = 'fetch'
    await updates.look(false)
    expect(asked.at(-1)).toBe('Lockkeeper 0.3.0 could not be downloaded or verified.')
    expect([updates.state().kind, done]).toEqual(['resting', ['look', 'fetch']])
  })

  test('that could not be installed is named, and is still there', async () => {
    await updates.look(false)
    onFailed?.(new Error('no permission'))
    expect(asked.at(-1)).toBe('Lockkeeper 0.3.0 was not installed.')
    expect(updates.state().kind).toBe('ready')
  })

  test.each([
    ['look', 'Could not check for updates.'],
    [null, 'Lockkeeper 0.2.0 is up to date.'],
  ] as const)('that is not found (%s) is reported only after a search by hand', async (fault, words) => {
    failing = fault
    there = null
    await updates.look(false)
    expect(asked).toEqual([])
    await updates.look(true)
    expect(asked).toEqual([words])
  })

  test('is never searched by a build without an address', async () => {
    updates = follow(null)
    await updates.look(true)
    updates.workChanged()
    expect([updates.state().kind, asked, done]).toEqual(['no-source', [], []])
  })
})

test.each([
  [{ kind: 'no-source' }, 'This build has no update server', false],
  [{ kind: 'resting' }, 'Check for Updates…', true],
  [{ kind: 'looking' }, 'Checking for Updates', false],
  [{ kind: 'found', version: '0.3.0' }, 'Download Lockkeeper 0.3.0…', true],
  [{ kind: 'fetching', version: '0.3.0' }, 'Downloading Lockkeeper 0.3.0', false],
  [{ kind: 'ready', version: '0.3.0' }, 'Install Lockkeeper 0.3.0…', true],
  [{ kind: 'installing', version: '0.3.0' }, 'Installing Lockkeeper 0.3.0', false],
] as const)('the menu says of %o: %s', (updates, label, enabled) => {
  const items = menuTemplate({ platform: 'linux', goTo: () => {}, updates, onUpdates: () => {} })
  const help = items.find(item => item.label === 'Help')?.submenu as readonly MenuItemConstructorOptions[]
  expect(help[0]).toMatchObject({ label, enabled })
})

describe('the desktop, on the stand-in', () => {
  test('offers an update by its menu, and installs it when its run has ended', async () => {
    const listeners = new Map<string, ((payload: unknown) => void)[]>()
    const emit = (name: string, payload: object) => {
      for (const listener of listeners.get(name) ?? []) listener(payload)
    }
    const contract: Contract = {
      ask: async () => ({ ok: true, value: { notifications: false } as never }),
      listen: (name, onEvent) => {
        listeners.set(name, [...(listeners.get(name) ?? []), onEvent as (payload: unknown) => void])
        return () => {}
      },
    }
    const window = new BrowserWindow({ webPreferences: {} })
    const desktop = joinDesktop({
      window: window as unknown as ElectronWindow,
      contract,
      log: silentLogger,
      page: 'app://lockkeeper/index.html',
      self: { driverId: 'd1', dataDirectory: tmpdir(), version: '0.2.0' },
      updateSource: source,
    })
    emit('run.event', { runId: 'r1', body: { kind: 'run-driven', driver: { id: 'd1' } } })
    await desktop.lookForUpdates()
    expect([done, dialog.asked]).toEqual([['look'], []])
    Menu.current?.choose(['Help', 'Download Lockkeeper 0.3.0…'], window)
    await expect.poll(() => dialog.asked.map(({ message }) => message)).toEqual(['Lockkeeper 0.3.0 has to wait.'])
    emit('run.rested', { runId: 'r1', state: 'waiting' })
    expect(done).toEqual(['look'])
    emit('run.rested', { runId: 'r1', state: 'done' })
    await expect.poll(() => done).toEqual(['look', 'fetch', 'install'])
    expect(Menu.current?.outline()).toContainEqual(['Help', ['Installing Lockkeeper 0.3.0', 'About Lockkeeper']])
    desktop.stop()
    dialog.asked.length = 0
  })
})

describe('the source of updates', () => {
  const calls: unknown[] = []
  const updater = {
    checkForUpdates: async () => ({ isUpdateAvailable: there !== null, updateInfo: { version: there } }),
    downloadUpdate: async () => [],
    quitAndInstall: (...words: unknown[]) => calls.push(['quitAndInstall', ...words]),
    once: (_event: string, listener: (reason: Error) => void) => {
      onFailed = listener
    },
  }
  const app = {
    isPackaged: true,
    releaseSingleInstanceLock: () => calls.push('release'),
    requestSingleInstanceLock: () => calls.push('request') > 0,
  }
  const open = (resources: string | undefined, isPackaged = true, load = async () => updater) =>
    openUpdateSource({ app: { ...app, isPackaged } as never, resources, log: silentLogger, load: load as never })

  test('does not exist outside a package, and in a build without an address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-updates-'))
    await expect(open(folder)).resolves.toBeNull()
    await writeFile(join(folder, 'app-update.yml'), 'provider: generic\n')
    await expect(open(folder, false)).resolves.toBeNull()
    await expect(open(undefined)).resolves.toBeNull()
    await expect(open(folder, true, async () => Promise.reject(new Error('broken')))).resolves.toBeNull()
    await expect(open(folder)).resolves.not.toBeNull()
    await rm(folder, { recursive: true })
  })

  test('does nothing alone, and never goes back to an older version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-updates-'))
    await writeFile(join(folder, 'app-update.yml'), 'provider: generic\n')
    const opened = await open(folder)
    await rm(folder, { recursive: true })
    expect(updater).toMatchObject({
      autoDownload: false,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
    })
    await expect(opened?.look()).resolves.toBe('0.3.0')
    there = null
    await expect(opened?.look()).resolves.toBeNull()
    const reasons: Error[] = []
    opened?.install(reason => reasons.push(reason))
    expect(calls).toEqual(['release', ['quitAndInstall', false, true]])
    onFailed?.(new Error('no permission'))
    expect(calls.at(-1)).toBe('request')
    expect(reasons).toHaveLength(1)
  })
})
