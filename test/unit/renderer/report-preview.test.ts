import { expect, test } from 'vitest'
import { reportStyle } from '../../../main/reports/html-style.ts'
import { withinHost } from '../../../renderer/ui/reports/report-preview.tsx'

test.each([
  [':root { --a: 1; }', ':host { --a: 1; }'],
  ['@media print { :root { --a: 1; } body { margin: 0; } }', '@media print { :host { --a: 1; } .body { margin: 0; } }'],
  ['html { x: 1 }\nbody { y: 2 }', ':host { x: 1 }\n.body { y: 2 }'],
  ['tbody { y: 2 } .body-text { z: 3 }', 'tbody { y: 2 } .body-text { z: 3 }'],
  ['@font-face { src: url("data:x") } p { a: 1 }', ' p { a: 1 }'],
  ['@page { size: A4; @bottom-left { content: "x"; } } p { a: 1 }', ' p { a: 1 }'],
])('%s', (sheet, within) => {
  expect(withinHost(sheet)).toBe(within)
})

test("nothing of a report's own style sheet reaches for a document that is not its own", () => {
  const within = withinHost(reportStyle('a title', 'All times are UTC.'))
  expect(within).not.toMatch(/(^|[\s},])(:root|html|body)\s*[{,]/)
  expect(within).not.toContain('@page')
  expect(within).toMatch(/:host \{ color-scheme/)
})
