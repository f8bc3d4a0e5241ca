import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstScriptKb, firstScripts } from '../../bench/first-script.ts'

const PAGE = resolve(import.meta.dirname, '../../../out/renderer')

test('the page draws its frame with less than 540 kB of script; charts, screens and dialogs load later', () => {
  const scripts = firstScripts(PAGE)
  expect(scripts.size).toBeGreaterThan(1)
  expect([...scripts.keys()].filter(file => /Chart|screen|dialog-[\w-]{8}|palette/.test(file))).toEqual([])
  expect(firstScriptKb(PAGE)).toBeLessThan(540)
})

test('the page knows the effect of a request without a table of their schemas', () => {
  for (const text of firstScripts(PAGE).values()) expect(text).not.toMatch(/["'`]cluster\.agree-to-endpoints["'`]\s*:/)
})
