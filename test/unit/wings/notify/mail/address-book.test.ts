import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAddressBook } from '../../../../../main/wings/notify/mail/address-book.ts'
import { failureIn, valueIn } from '../../../../fixtures/clusters/results.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-book-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const parsed = (text: string) => {
  writeFileSync(join(directory, 'owners.yaml'), text)
  return readAddressBook(join(directory, 'owners.yaml'))
}

test('a project is written to as its id, its name or the template says, in this order', async () => {
  const { of } = valueIn(
    await parsed(
      'template: "{project}@t.example.com"\nprojects:\n  p1: one@example.com\n  web: [a@example.com, b@example.com]\n',
    ),
  )
  expect(of({ id: 'p1', name: 'web' }).to).toEqual(['one@example.com'])
  expect(of({ id: 'p2', name: 'web' }).to).toEqual(['a@example.com', 'b@example.com'])
  expect(of({ id: 'p3', name: 'db' }).to).toEqual(['db@t.example.com'])
})

test.each([
  [{ id: 'p', name: null }],
  [{ id: 'p', name: 'no address>\r\nBcc: x@y.z' }],
  [{ id: null, name: null }],
  [{ id: 'p', name: 'a,b' }],
])('nobody is guessed for %j', async project => {
  expect(valueIn(await parsed('template: "{project}@t.example.com"\n')).of(project).to).toEqual([])
})

test('without a template only those who are named are written to', async () => {
  const { of } = valueIn(await parsed('projects: { web: a@example.com }\n'))
  expect(of({ id: 'x', name: 'db' })).toMatchObject({ to: [], why: { code: 'NoAddressInFile' } })
  expect(of({ id: 'x', name: 'constructor' }).to).toEqual([])
})

test.each(['projects: { web: not-an-address }', 'projects: [', 'somebody: else', 'projects: { web: [] }'])(
  'a file that says %s is reported, and does not count as empty',
  async text => {
    expect(failureIn(await parsed(text)).message).toContain('is unusable')
  },
)
