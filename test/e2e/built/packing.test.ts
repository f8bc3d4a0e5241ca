import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { FuseState } from '@electron/fuses/dist/constants.js'
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js'
import { type AfterPackContext, Arch, type Configuration, type LinuxPackager } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packDesktop, whatIsMissing } from '../../../packaging/pack-desktop.ts'
import { must } from '../../../shared/domain/must.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const CONFIG = parse(readFileSync(join(HOUSE, 'electron-builder.yml'), 'utf8')) as Configuration
const PROJECT = JSON.parse(readFileSync(join(HOUSE, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly desktopName: string
}

/** The fuses of a binary lie behind this mark: https://www.electronjs.org/docs/latest/tutorial/fuses */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-packing-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What electron-builder takes of a runtime for Linux; each fuse of its binary is the other way round than ours have to be. */
function standInRuntime(): string {
  const runtime = join(folder, 'runtime')
  mkdirSync(join(runtime, 'locales'), { recursive: true })
  mkdirSync(join(runtime, 'resources'))
  // Version 1, nine fuses: the last one is of a newer Electron than the tool knows, and stays as it is.
  const wire = Buffer.concat([Buffer.from(FUSE_MARK), Buffer.from([1, 9]), Buffer.from('101100111')])
  writeFileSync(join(runtime, 'electron'), Buffer.concat([Buffer.alloc(64, 'x'), wire, Buffer.alloc(64, 'y')]), {
    mode: 0o755,
  })
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
    writeFileSync(join(runtime, file), file)
  return runtime
}

/** Packs as `npm run package -- --linux --dir` does. */
async function packed(
  name: string,
  updates: string,
): Promise<{ readonly app: string; readonly packager: LinuxPackager }> {
  const output = join(folder, name)
  let seen: AfterPackContext | null = null
  process.env.LOCKKEEPER_UPDATE_URL = updates
  try {
    await packDesktop({
      linux: [],
      dir: true,
      config: {
        electronDist: join(folder, 'runtime'),
        directories: { output },
        afterPack: (context: AfterPackContext) => {
          seen = context
        },
      },
    })
  } finally {
    delete process.env.LOCKKEEPER_UPDATE_URL
  }
  const { appOutDir, packager } = must(seen as AfterPackContext | null, 'electron-builder packed something')
  return { app: appOutDir, packager: packager as LinuxPackager }
}

describe('the desktop app, packed around a stand-in for the runtime', () => {
  let app: string
  let packager: LinuxPackager
  let archive: string
  let inside: readonly string[]

  beforeAll(async () => {
    standInRuntime()
    ;({ app, packager } = await packed('plain', ''))
    archive = join(app, 'resources/app.asar')
    inside = listPackage(archive, { isPack: false })
      .map(path => path.slice(1))
      .filter(path => !('files' in statFile(archive, path)))
      .sort()
  })

  test('has in its archive exactly what was built, what that reads, and the bill of materials', () => {
    const meant = globSync(['out/{main,preload,renderer}/**', 'resources/{crds,icons,rbac}/**'], {
      cwd: HOUSE,
      withFileTypes: true,
    })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(HOUSE.length + 1))
    expect(inside).toEqual([...meant, 'out/sbom.cdx.json', 'package.json'].sort())
  })

  test('has no sources, no tests, no packages and no settings of anybody in it', () => {
    const kinds = /\.(?:cjs|css|html|js|json|mjs|png|svg|woff2|yaml)$/
    expect(inside.filter(path => !kinds.test(path))).toEqual([])
    expect(inside.filter(path => /node_modules|(?:^|\/)(?:test|main\/faces|\.)|\.map$|\.tsx?$/.test(path))).toEqual([])
  })

  test('contains no path of the build machine, no key and no environment variable', () => {
    const secrets = Object.entries(process.env).flatMap(([name, value]) =>
      /TOKEN|SECRET|PASSWORD|_KEY\b/i.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
    )
    const content = inside
      .filter(path => !('unpacked' in statFile(archive, path) && statFile(archive, path).unpacked === true))
      .map(path => [path, extractFile(archive, path).toString('latin1')] as const)
    const betrays = (text: string) =>
      [HOUSE, ...secrets].some(word => text.includes(word)) ||
      /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\s)+[A-Za-z0-9+/=]{40}/.test(text)
    expect(content.filter(([, text]) => betrays(text)).map(([path]) => path)).toEqual([])
  })

  test('starts at the main process that was built, and carries none of our scripts', () => {
    const manifest: unknown = JSON.parse(extractFile(archive, 'package.json').toString())
    expect(manifest).toMatchObject({ name: 'lockkeeper', version: PROJECT.version, main: 'out/main/index.mjs' })
    for (const ours of ['scripts', 'devDependencies']) expect(manifest).not.toHaveProperty(ours)
  })

  test('has Juju’s library alone beside its archive, where it may be exchanged, and the notices beside that', () => {
    const beside = globSync('**', { cwd: `${archive}.unpacked`, withFileTypes: true }).filter(entry => entry.isFile())
    expect(beside.map(({ name }) => name)).toEqual(['jujulib.mjs'])
    for (const paper of ['LICENSE', 'THIRD-PARTY-NOTICES.txt']) {
      expect(readFileSync(join(app, paper), 'utf8')).toBe(
        readFileSync(join(HOUSE, paper === 'LICENSE' ? paper : `out/desktop/${paper}`), 'utf8'),
      )
    }
    expect(existsSync(join(app, 'LICENSE.electron.txt'))).toBe(true)
  })

  test('names in its bill of materials what its three bundles have, and the runtime around them', () => {
    const bill = JSON.parse(extractFile(archive, 'out/sbom.cdx.json').toString()) as {
      readonly components: readonly { readonly 'bom-ref': string; readonly type: string; readonly licenses: unknown }[]
    }
    const inside = ['main', 'preload', 'renderer'].flatMap(bundle => {
      const inventory = readFileSync(join(HOUSE, `out/inventory/${bundle}.json`), 'utf8')
      const { packages } = JSON.parse(inventory) as { readonly packages: readonly { name: string; version: string }[] }
      return packages.map(({ name, version }) => `${name}@${version}`)
    })
    const electron = `electron@${packager.info.framework.version}`
    expect(bill.components.map(each => each['bom-ref']).sort()).toEqual([...new Set([...inside, electron])].sort())
    expect(bill.components.find(each => each['bom-ref'] === electron)).toMatchObject({
      type: 'platform',
      licenses: [{ license: { id: 'MIT' } }],
    })
  })

  test('has every fuse of its binary in the safe position, read back', async () => {
    const { version, ...wire } = await getCurrentFuseWire(join(app, 'lockkeeper-desktop'))
    expect(version).toBe('1')
    const { ENABLE, DISABLE } = FuseState
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: DISABLE,
      [FuseV1Options.EnableCookieEncryption]: ENABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: DISABLE,
      // Windows and macOS alone judge the archive by it; on Linux the fuse is set, and says nothing.
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ENABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: ENABLE,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: DISABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: DISABLE,
    })
    expect(readFileSync(join(app, 'lockkeeper-desktop'), 'latin1')).toMatch(/dL7p\w{28}\x01\x09010011001y/)
  })

  test('says who made it, what it is and where its home is', async () => {
    expect(packager.appInfo).toMatchObject({
      productName: 'Lockkeeper',
      id: 'dev.lockkeeper.app',
      version: PROJECT.version,
    })
    expect(packager.info.metadata).toMatchObject({
      author: { name: 'Lockkeeper Maintainers', email: 'maintainers@lockkeeper.dev' },
      homepage: 'https://lockkeeper.dev',
      license: 'Apache-2.0',
    })
    expect(packager.appInfo.copyright).toBe('The authors of Lockkeeper')
  })

  test('names each package for Linux by its version and processor', () => {
    const names = [
      ['AppImage', packager.config.appImage],
      ['deb', packager.config.deb],
      ['rpm', packager.config.rpm],
    ] as const
    expect(
      names.map(([extension, options]) =>
        packager.expandArtifactNamePattern({ ...options }, extension, Arch.x64, undefined, false),
      ),
    ).toEqual([
      `lockkeeper-desktop-${PROJECT.version}-linux-x86_64.AppImage`,
      `lockkeeper-desktop-${PROJECT.version}-linux-amd64.deb`,
      `lockkeeper-desktop-${PROJECT.version}-linux-x86_64.rpm`,
    ])
  })

  test('has a desktop entry that is called as its windows are, and takes its links', async () => {
    const entry = await new LinuxTargetHelper(packager).computeDesktopEntry(packager.platformSpecificBuildOptions)
    expect(entry.trim().split('\n')).toEqual(
      expect.arrayContaining([
        '[Desktop Entry]',
        'Name=Lockkeeper',
        'Exec=/opt/Lockkeeper/lockkeeper-desktop %U',
        'Icon=lockkeeper-desktop',
        `StartupWMClass=${PROJECT.desktopName.replace('.desktop', '')}`,
        'MimeType=x-scheme-handler/lockkeeper;',
        'Categories=System;',
        'GenericName=Maintenance console',
      ]),
    )
    expect(packager.executableName).toBe(PROJECT.desktopName.replace('.desktop', ''))
  })

  test('looks nowhere for updates unless its build says where', async () => {
    expect(existsSync(join(app, 'resources/app-update.yml'))).toBe(false)
    const reported = await packed('told', 'https://updates.example/lockkeeper')
    expect(parse(readFileSync(join(reported.app, 'resources/app-update.yml'), 'utf8'))).toEqual({
      provider: 'generic',
      url: 'https://updates.example/lockkeeper',
      channel: 'latest',
      updaterCacheDirName: 'lockkeeper-updater',
    })
    expect(reported.packager.config.forceCodeSigning).toBe(true)
    await expect(packed('bare', 'http://updates.example/')).rejects.toThrow(/the https address of a folder is needed/)
  })

  test('is not packed by a configuration that electron-builder does not know', async () => {
    const wrong = packDesktop({ linux: [], dir: true, config: { mac: { entitlementsOf: 'x' } as object } })
    await expect(wrong).rejects.toThrow(/Invalid configuration object.+configuration\.mac/s)
  })
})

describe('electron-builder.yml', () => {
  test('requests every package for each system under a separate name', () => {
    const target = (given: unknown) => (Array.isArray(given) ? given : [given])
    const names = (given: unknown) =>
      target(given).map(each => (typeof each === 'string' ? each : (each as { readonly target: string }).target))
    expect([CONFIG.linux, CONFIG.mac, CONFIG.win].map(system => names(system?.target))).toEqual([
      ['AppImage', 'deb', 'rpm'],
      ['dmg', 'zip'],
      ['nsis'],
    ])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder's own names.
    for (const part of ['${version}', '${os}', '${arch}', '${ext}']) expect(CONFIG.artifactName).toContain(part)
  })

  test('says of each system what its installers and shops show', () => {
    expect(CONFIG).toMatchObject({
      appId: 'dev.lockkeeper.app',
      productName: 'Lockkeeper',
      protocols: [{ name: 'Lockkeeper', schemes: ['lockkeeper'] }],
      publish: { provider: 'generic', channel: 'latest' },
      linux: {
        category: 'System;',
        synopsis: 'Maintenance console for OpenStack clouds on Kubernetes',
        vendor: 'Lockkeeper',
        syncDesktopName: true,
      },
      deb: { packageName: 'lockkeeper-desktop', packageCategory: 'admin' },
      rpm: { packageName: 'lockkeeper-desktop', packageCategory: 'Applications/System' },
      mac: { category: 'public.app-category.developer-tools', hardenedRuntime: true, notarize: true },
      win: {
        legalTrademarks: 'Lockkeeper',
        verifyUpdateCodeSignature: true,
        signtoolOptions: { signingHashAlgorithms: ['sha256'] },
      },
      nsis: { oneClick: false, perMachine: false },
    })
  })

  test('names no file that is not there', () => {
    const { mac, linux, icon, directories, extraFiles, asarUnpack, files } = CONFIG
    const given = [mac?.entitlements, mac?.entitlementsInherit, linux?.icon, icon, directories?.buildResources]
    const beside = [extraFiles, asarUnpack, files]
      .flat()
      .map(each => (typeof each === 'string' ? each : (each as { readonly from: string }).from))
      .filter(path => !path.startsWith('!'))
    for (const path of [...given, ...beside]) {
      expect(globSync(must(path, 'a path'), { cwd: HOUSE }).length, String(path)).toBeGreaterThan(0)
    }
  })

  test('gives the app of macOS the one right that Chromium needs to compile scripts', () => {
    const rights = readFileSync(join(HOUSE, must(CONFIG.mac?.entitlements, 'entitlements')), 'utf8')
    const named = [...rights.matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\/>/g)].map(([, key, value]) => [key, value])
    expect(named).toEqual([['com.apple.security.cs.allow-jit', 'true']])
  })

  test('has an icon large enough to be made into those of macOS and Windows', () => {
    const image = readFileSync(join(HOUSE, must(CONFIG.icon, 'an icon')))
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([512, 512])
  })
})

describe('npm run package without a network', () => {
  test('says what it lacks, and the ways around', () => {
    const words = whatIsMissing(Object.assign(new Error('getaddrinfo ENOTFOUND github.com'), { code: 'ENOTFOUND' }))
    expect(words).toMatch(
      /^Nothing was packed: Electron \d+\.\d+\.\d+'s runtime, or a tool .*getaddrinfo ENOTFOUND github\.com/,
    )
    for (const way of ['ELECTRON_MIRROR', 'ELECTRON_BUILDER_BINARIES_MIRROR', '--runtime']) expect(words).toContain(way)
  })

  test('does not blame the network for anything else', () => {
    expect(whatIsMissing(new Error('configuration.mac has an unknown property'))).toBeNull()
    expect(whatIsMissing(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBeNull()
  })
})
