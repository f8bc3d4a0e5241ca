import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'

const TOKENS = new Map(
  [
    ...readFileSync(new URL('../../../renderer/app/tokens.css', import.meta.url), 'utf8').matchAll(
      /--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g,
    ),
  ].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

const THEMES = ['light', 'dark'] as const
const SURFACES = ['bg', 'rail', 'sunken', 'card', 'card-raised']
const MEANINGS = ['accent', 'moving', 'waits', 'failed', 'maintenance', 'verified', 'stops', 'rest']

function colour(name: string, theme: (typeof THEMES)[number]): string {
  return must(TOKENS.get(name), `tokens.css has ${name}`)[theme]
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

describe.each(THEMES)('in the %s theme', theme => {
  test.each(['ink', 'dim', 'faint', ...MEANINGS])('%s can be read on every surface', name => {
    for (const surface of SURFACES) {
      expect(contrast(colour(name, theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each(MEANINGS)('%s, ink and dim can be read on its own ground', name => {
    const facts = colour(`${name}-ground`, theme)
    for (const words of [name, 'ink', 'dim']) {
      expect(contrast(colour(words, theme), facts), words).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('words on a button can be read', () => {
    for (const facts of ['accent', 'accent-hover']) {
      expect(contrast(colour('accent-ink', theme), colour(facts, theme)), facts).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('the dot of every cluster, and the line of a field, stand out from what they lie on', () => {
    const dots = [...TOKENS.keys()].filter(name => name.startsWith('cluster-'))
    expect(dots.length).toBeGreaterThan(5)
    for (const name of [...dots, 'line-strong']) {
      for (const surface of ['bg', 'rail', 'card']) {
        expect(contrast(colour(name, theme), colour(surface, theme)), `${name} on ${surface}`).toBeGreaterThanOrEqual(3)
      }
    }
  })
})

const RENDERER = fileURLToPath(new URL('../../../renderer', import.meta.url))

test.each(globSync('**/*.css', { cwd: RENDERER }))('type in %s has one of the four sizes', file => {
  const sheet = readFileSync(`${RENDERER}/${file}`, 'utf8')
  expect([...sheet.matchAll(/font(?:-size)?:\s*[^;]*\d(?:px|r?em|pt|%)[^;]*;/g)].map(([rule]) => rule)).toEqual([])
})
