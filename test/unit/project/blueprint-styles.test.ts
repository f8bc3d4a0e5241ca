import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HOUSE = join(import.meta.dirname, '../../..')

/** Components whose rules electron.config.ts leaves out of Blueprint's style sheet. */
const LEFT_OUT =
  /\b(?:FileInput|EditableText|(?:Multi|Range)?Slider|(?:Overlay)?Toaster|Toast2?|Tree|Drawer|MultistepDialog|Breadcrumbs?|PanelStack2?|EntityTitle|Section|SectionCard|Navbar|HotkeysTarget|CardList|(?:Checkbox|Radio|Switch)Card|HTMLTable)\b/

test('no screen has a component of Blueprint whose styles are left out', () => {
  const worn = globSync('renderer/**/*.tsx', { cwd: HOUSE }).flatMap(file =>
    [...readFileSync(join(HOUSE, file), 'utf8').matchAll(/import \{([^}]+)\} from '@blueprintjs\/core'/g)]
      .flatMap(([, names = '']) => names.split(',').map(name => name.trim()))
      .filter(name => LEFT_OUT.test(name))
      .map(name => `${file}: ${name}`),
  )
  expect(worn).toEqual([])
})

test('no screen names an icon by a class of the icon font', () => {
  const files = globSync('renderer/**/*.{ts,tsx,css}', { cwd: HOUSE })
  expect(files.length).toBeGreaterThan(100)
  expect(
    files.filter(file => /bp6-icon-(?!standard|large)[a-z]/.test(readFileSync(join(HOUSE, file), 'utf8'))),
  ).toEqual([])
})
