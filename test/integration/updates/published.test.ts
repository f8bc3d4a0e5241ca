import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppImageUpdater } from 'electron-updater'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openUpdateSource, type UpdateSource } from '../../../main/faces/electron/update-source.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'

// electron-updater itself, as the desktop app of Linux has it, in plain Node: it asks a server on loopback instead of by Electron's network.

const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { httpExecutor } = builder('builder-util') as { readonly httpExecutor: Downloading }
const { configureRequestOptions, configureRequestUrl } = builder('builder-util-runtime') as {
  configureRequestUrl(url: URL, request: object): void
  configureRequestOptions(request: object): object
}

interface Downloading {
  doDownload(request: object, download: object, redirects: number): void
}

interface DownloadOptions {
  readonly headers?: object
  readonly cancellationToken: {
    createPromise(
      run: (resolve: (path: string) => void, reject: (reason: Error) => void, onCancel: object) => void,
    ): object
  }
}

/** As electron-updater's own client does it, by Node's network. */
function download(url: URL, destination: string, options: DownloadOptions): object {
  return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
    const request = { headers: options.headers }
    configureRequestUrl(url, request)
    const callback = (reason: unknown) => (reason instanceof Error ? reject(reason) : resolve(destination))
    const whole = { destination, options, onCancel, callback, responseHandler: null }
    httpExecutor.doDownload(configureRequestOptions(request), whole, 0)
  })
}

// A server of this machine is asked without a proxy.
delete process.env.http_proxy

let folder: string
let server: Server
let source: UpdateSource
/** What is published: the version, what the file has in it, and what the channel says of it. */
let published: { readonly version: string; readonly content: string; readonly said: string }
let asked: string[]

const sha512 = (content: string) => createHash('sha512').update(content).digest('base64')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-published-'))
  asked = []
  server = createServer(({ url = '' }, answer) => {
    asked.push(url.replace(/\?.*/, ''))
    const { version, content, said } = published
    const size = Buffer.byteLength(content)
    const channel = `version: ${version}\nfiles:\n  - url: new.AppImage\n    sha512: ${sha512(said)}\n    size: ${size}\npath: new.AppImage\nsha512: ${sha512(said)}\n`
    answer.end(url.startsWith('/new.AppImage') ? content : channel)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  writeFileSync(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: http://127.0.0.1:${port}/\nchannel: latest\nupdaterCacheDirName: lockkeeper-updater\n`,
  )
  process.env.APPIMAGE = join(folder, 'old.AppImage')
  writeFileSync(process.env.APPIMAGE, 'the version that runs')
  const adapter = {
    version: '0.2.0',
    name: 'lockkeeper',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
  const updater = Object.assign(new AppImageUpdater(null, adapter), {
    httpExecutor: Object.assign(Object.create(httpExecutor), { download }),
    disableDifferentialDownload: true,
  })
  const opened = await openUpdateSource({
    app: { isPackaged: true } as never,
    resources: folder,
    log: silentLogger,
    load: async () => updater,
  })
  if (opened === null) throw new Error('no source was opened')
  source = opened
})

afterEach(async () => {
  delete process.env.APPIMAGE
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  rmSync(folder, { recursive: true })
})

test('a newer version with the digest of its channel is fetched on request', async () => {
  published = { version: '0.3.0', content: 'the new version', said: 'the new version' }
  await expect(source.look()).resolves.toBe('0.3.0')
  expect(asked).toEqual(['/latest-linux.yml'])
  await source.fetch()
  expect(asked).toEqual(['/latest-linux.yml', '/new.AppImage'])
})

test('what is not what its channel says is refused', async () => {
  published = { version: '0.3.0', content: 'the evil version', said: 'the good version' }
  await source.look()
  await expect(source.fetch()).rejects.toThrow(/sha512 checksum mismatch/)
})

test.each(['0.2.0', '0.1.9', '0.2.0-beta.1'])('%s is not taken by 0.2.0', async version => {
  published = { version, content: 'x', said: 'x' }
  await expect(source.look()).resolves.toBeNull()
})
