import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { withoutIdleModules } from '../../../packaging/idle-modules.ts'

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
    const bundle = await rolldown({ input, plugins: [withoutIdleModules()], platform: 'node', logLevel: 'silent' })
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
