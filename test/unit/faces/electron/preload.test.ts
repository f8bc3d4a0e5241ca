import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventNames, isEventName, isRequestName } from '../../../../main/faces/electron/contract-names.ts'
import { events, requests } from '../../../../shared/contract/index.ts'
import { contextBridge, ipcRenderer, webUtils } from '../../../electron-stand-in/electron.ts'

interface Surface {
  ask(name: unknown, input: unknown): Promise<unknown>
  listen(name: unknown, onEvent: (payload: unknown) => void): () => void
  pathOf(file: File): string
}

let surface: Surface

beforeAll(async () => {
  await import('../../../../main/faces/electron/preload.ts')
  surface = contextBridge.exposed.get('lockkeeper') as Surface
})

afterEach(() => {
  ipcRenderer.invoked.length = 0
})

describe('the preload', () => {
  test('exposes one name with exactly three functions', () => {
    expect([...contextBridge.exposed.keys()]).toEqual(['lockkeeper'])
    expect(Object.keys(surface).sort()).toEqual(['ask', 'listen', 'pathOf'])
  })

  test('passes a request of the contract on and answers its envelope', async () => {
    ipcRenderer.answer = { ok: true, value: ['a'] }
    await expect(surface.ask('cluster.list', {})).resolves.toEqual({ ok: true, value: ['a'] })
    expect(ipcRenderer.invoked).toEqual([['lockkeeper:ask', 'cluster.list', {}]])
  })

  test.each(['cluster.steal', 'toString', '__proto__', '', 7, null])('refuses to ask %j', async name => {
    await expect(surface.ask(name, {})).rejects.toThrow('Not a request of the contract')
    expect(ipcRenderer.invoked).toEqual([])
  })

  test('gives a listener the payload of its event, without the event object, until it stops', () => {
    const received: unknown[][] = []
    const stop = surface.listen('run.event', (...args) => received.push(args))
    ipcRenderer.emit('lockkeeper:event', { sender: 'secret' }, 'run.event', { seq: 1 })
    ipcRenderer.emit('lockkeeper:event', { sender: 'secret' }, 'run.rested', { runId: 'r' })
    expect(received).toEqual([[{ seq: 1 }]])
    stop()
    ipcRenderer.emit('lockkeeper:event', {}, 'run.event', { seq: 2 })
    expect(received).toHaveLength(1)
    expect(ipcRenderer.listenerCount('lockkeeper:event')).toBe(0)
  })

  test('tells where a dropped file lies, and nothing of what is in it', () => {
    webUtils.paths.set('config', '/home/op/.kube/config')
    expect(surface.pathOf(new File(['token: secret'], 'config'))).toBe('/home/op/.kube/config')
    expect(surface.pathOf(new File([''], 'made by a page'))).toBe('')
  })

  test('refuses to listen to what is not an event of the contract', () => {
    expect(() => surface.listen('cluster.list', () => {})).toThrow('Not an event of the contract')
    expect(() => surface.listen('constructor', () => {})).toThrow('Not an event of the contract')
  })
})

test('the names the desktop face knows are the names of the contract', () => {
  expect(Object.keys(requests).filter(name => !isRequestName(name))).toEqual([])
  expect(Object.keys(events).filter(name => !isEventName(name))).toEqual([])
  expect([...eventNames].sort()).toEqual(Object.keys(events).sort())
})
