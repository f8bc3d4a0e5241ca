import type { WebContents } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectWindow } from '../../../../main/faces/electron/ipc.ts'
import { PAGE_URL } from '../../../../main/faces/electron/security.ts'
import type { Contract } from '../../../../shared/contract/index.ts'
import { ipcMain, StandInContents } from '../../../electron-stand-in/electron.ts'

const asked: unknown[][] = []
const listeners = new Map<string, (payload: unknown) => void>()
const contract: Contract = {
  ask: async (name, input) => {
    asked.push([name, input])
    return { ok: true, value: [] as never }
  },
  listen: (name, onEvent) => {
    listeners.set(name, onEvent as (payload: unknown) => void)
    return () => listeners.delete(name)
  },
}

let contents: StandInContents
let disconnect: () => void

beforeEach(() => {
  contents = new StandInContents()
  contents.mainFrame.url = PAGE_URL
  disconnect = connectWindow(ipcMain as never, contents as unknown as WebContents, contract, PAGE_URL)
})

afterEach(() => {
  disconnect()
  asked.length = 0
})

function ask(sender: unknown, senderFrame: unknown, name: unknown = 'cluster.list'): Promise<unknown> {
  return ipcMain.invoke('lockkeeper:ask', { sender, senderFrame }, name, {})
}

describe('a request over IPC', () => {
  test('from the main frame of our window showing our page reaches the router', async () => {
    await expect(ask(contents, contents.mainFrame)).resolves.toEqual({ ok: true, value: [] })
    expect(asked).toEqual([['cluster.list', {}]])
  })

  test('from another window is refused', async () => {
    const unknownNode = new StandInContents()
    unknownNode.mainFrame.url = PAGE_URL
    await expect(ask(unknownNode, unknownNode.mainFrame)).resolves.toMatchObject({ failure: { code: 'not-permitted' } })
    expect(asked).toEqual([])
  })

  test('from a frame inside our page is refused', async () => {
    await expect(ask(contents, { url: PAGE_URL })).resolves.toMatchObject({ failure: { code: 'not-permitted' } })
    expect(asked).toEqual([])
  })

  test('from a frame that is gone is refused', async () => {
    await expect(ask(contents, null)).resolves.toMatchObject({ failure: { code: 'not-permitted' } })
  })

  test.each([
    'https://lockkeeper/index.html',
    'app://lockkeeper.evil.example/index.html',
    'app://evil/lockkeeper',
    'app://lockkeeper@evil/',
    'file:///index.html',
    'about:blank',
    'not an address',
  ])('from a window that shows %s is refused', async url => {
    contents.mainFrame.url = url
    await expect(ask(contents, contents.mainFrame)).resolves.toMatchObject({ failure: { code: 'not-permitted' } })
    expect(asked).toEqual([])
  })

  test('for a name outside the contract is refused before the router sees it', async () => {
    await expect(ask(contents, contents.mainFrame, 'constructor')).resolves.toMatchObject({
      failure: { code: 'bad-input' },
    })
    expect(asked).toEqual([])
  })
})

describe('an event of main', () => {
  test('reaches the window under its name', () => {
    listeners.get('run.rested')?.({ runId: 'r' })
    expect(contents.sent).toEqual([['lockkeeper:event', 'run.rested', { runId: 'r' }]])
  })

  test('is dropped once the window is gone', () => {
    contents.destroyed = true
    listeners.get('run.rested')?.({ runId: 'r' })
    expect(contents.sent).toEqual([])
  })

  test('nothing is served or listened to after the window disconnected', () => {
    disconnect()
    expect(ipcMain.handlers.size).toBe(0)
    expect(listeners.size).toBe(0)
  })
})
