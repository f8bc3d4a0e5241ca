import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const HOUSE = join(import.meta.dirname, '../../..')

/** Electron fixes bugs in its three newest majors. */
const SUPPORTED_MAJORS = 3

interface Locked {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const locked = (
  JSON.parse(readFileSync(join(HOUSE, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
).packages
const installed = locked['node_modules/electron']?.version

/** The majors above this version that were released, alphas and betas left out. */
function newerMajors(version: string, released: readonly string[]): readonly number[] {
  const majors = new Set(released.filter(each => /^\d+\.\d+\.\d+$/.test(each)).map(each => Number.parseInt(each, 10)))
  return [...majors].filter(major => major > Number.parseInt(version, 10)).sort((a, b) => a - b)
}

/** What the registry has; null if it cannot be reached. */
async function releasedVersions(): Promise<readonly string[] | null> {
  try {
    const asked = ['view', 'electron', 'versions', '--json', '--fetch-retries=0', '--fetch-timeout=10000']
    const { stdout } = await promisify(execFile)('npm', asked, { cwd: HOUSE, timeout: 25_000, maxBuffer: 4_000_000 })
    return JSON.parse(stdout) as readonly string[]
  } catch {
    return null
  }
}

describe('the Electron that is packaged', () => {
  test.each([
    { version: '45.4.1', released: ['44.0.0', '45.4.1', '46.0.0-alpha.1'], newer: [] },
    { version: '45.4.1', released: ['45.4.1', '46.0.0', '46.1.0', '47.0.0'], newer: [46, 47] },
    { version: '9.0.0', released: ['9.0.0', '10.0.0', '100.0.0'], newer: [10, 100] },
  ])('$version has the newer majors $newer among $released', ({ version, released, newer }) => {
    expect(newerMajors(version, released)).toEqual(newer)
  })

  test('has the Node whose types we write against, which is the Node of the terminal', () => {
    const major = (range: string | undefined) => /\d+/.exec(range ?? '')?.[0]
    const inside = major(locked['node_modules/electron']?.dependencies?.['@types/node'])
    expect(inside).toBeDefined()
    expect(major(locked['node_modules/@types/node']?.version)).toBe(inside)
    expect(major(locked['node_modules/node']?.version)).toBe(inside)
  })

  test('is one of the majors that still get fixes', async context => {
    const released = await releasedVersions()
    if (released === null)
      context.skip('the npm registry cannot be reached, so the supported versions of Electron are unknown')
    else {
      expect(released).toContain(installed)
      expect(newerMajors(installed ?? '', released).length).toBeLessThan(SUPPORTED_MAJORS)
    }
  }, 30_000)
})
