import { expect, test } from 'vitest'
import { commandTable } from '../../../main/compose/terminal/command-table.ts'
import { renderHelp } from '../../../main/faces/cli/arguments/render-help.ts'
import { createFakeTerminal } from '../../fixtures/cli/fake-terminal.ts'
import { transcript } from '../../fixtures/cli/session.ts'

test('the help reads as it should', async () => {
  const of = (path: readonly string[]) => renderHelp(path, commandTable)
  const own = (page: string) => page.replace(/Flags of every command:\n[\s\S]*?\n\n/, '')
  const commands = commandTable.map(
    ({ path }) => [['$ lockkeeper', ...path, '--help'].join(' '), own(of(path).join('\n'))] as const,
  )
  const pages = Object.fromEntries([['$ lockkeeper --help', of([])] as const, ...commands])
  await expect(transcript(pages)).toMatchFileSnapshot('transcripts/help.txt')
})

test.each([[[]], [['cluster']]])('a command line that ends at %j names the commands from there', async words => {
  const terminal = createFakeTerminal()
  expect(await terminal.run(...words)).toBe(2)
  const names = [
    ...new Set(
      commandTable
        .filter(({ path }) => words.every((word, at) => path[at] === word))
        .map(({ path }) => path[words.length]),
    ),
  ]
  expect(terminal.err()).toContain(`: ${names.join(', ')}.`)
})
