import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { builtinsLookedUp, WITHOUT_IDLE_MODULES, withoutIdleModules } from '../../../packaging/idle-modules.ts'

test("a bundle takes what it uses of Node's own modules, and reads no other export of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-idle-'))
  try {
    const input = join(folder, 'a.ts')
    writeFileSync(
      input,
      `import path, { join as joined } from 'node:path'
       import * as http from 'http'
       export { basename } from 'node:path'
       export const found = [joined('a', 'b'), path.sep, http.STATUS_CODES[404]]`,
    )
    const bundle = await rolldown({ input, plugins: [builtinsLookedUp()], platform: 'node', logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'es' })
    const { code } = output[0]
    expect(code).not.toMatch(/^import .*"(?:node:)?http"/m)
    const module = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
    expect(module.found).toEqual(['a/b', '/', 'Not Found'])
    expect(module.basename('/a/b')).toBe('b')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('KubeConfig of a bundle reads the JSON that it is given, signs in and goes through a SOCKS proxy, without undici', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-idle-'))
  try {
    const input = join(folder, 'kube-config.ts')
    writeFileSync(
      input,
      `export { KubeConfig } from '${import.meta.resolve('@kubernetes/client-node').replace('file://', '')}'`,
    )
    const plugins = [withoutIdleModules(), builtinsLookedUp()]
    const bundle = await rolldown({
      input,
      plugins,
      treeshake: WITHOUT_IDLE_MODULES,
      platform: 'node',
      logLevel: 'silent',
    })
    const { output } = await bundle.write({ dir: folder, format: 'es', entryFileNames: 'bundle.mjs' })
    expect(output[0].code.length).toBeLessThan(400_000)
    const { KubeConfig } = await import(join(folder, 'bundle.mjs'))
    const config = new KubeConfig()
    config.loadFromString(
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1', 'proxy-url': 'socks5h://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { token: 'abc' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    )
    const options: { headers: object; agent?: { readonly proxy?: { readonly host: string } } } = { headers: {} }
    await config.applyToHTTPSOptions(options)
    expect(options.headers).toEqual({ Authorization: 'Bearer abc' })
    expect(options.agent?.proxy?.host).toBe('127.0.0.1')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
