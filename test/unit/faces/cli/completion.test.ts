import { describe, expect, test } from 'vitest'
import { commandTable } from '../../../../main/faces/cli/arguments/command-table.ts'
import { globalFlags } from '../../../../main/faces/cli/arguments/global-flags.ts'
import { type Wanted, wantedAt } from '../../../../main/faces/cli/complete/wanted-at.ts'

const at = (...line: string[]): Wanted => wantedAt(line, commandTable, globalFlags)
const wordsAt = (...line: string[]): readonly string[] => {
  const wanted = at(...line)
  return wanted.kind === 'words' ? wanted.words.map(({ word }) => word) : [`(${wanted.kind})`]
}

describe('what may come next on a command line', () => {
  test('every first word of a command comes first', () => {
    const first = new Set(commandTable.map(({ path }) => path[0]))
    expect(new Set(wordsAt(''))).toEqual(first)
  })

  test('the words of a group come after it', () => {
    expect(wordsAt('run', '')).toEqual(expect.arrayContaining(['show', 'resume', 'pause', 'abort', 'answer']))
    expect(wordsAt('window', 'sh')).toContain('show')
  })

  test.each([
    { line: ['enter', ''], wanted: { kind: 'clusters' } },
    { line: ['enter', 'lab', ''], wanted: { kind: 'nodes', cluster: 'lab' } },
    { line: ['enter', '--drain-timeout', '5m', 'lab', 'cmp'], wanted: { kind: 'nodes', cluster: 'lab' } },
    { line: ['host', 'mode', 'lab', 'cmp-1', 'cmp-2', ''], wanted: { kind: 'nodes', cluster: 'lab' } },
    { line: ['run', 'show', ''], wanted: { kind: 'runs' } },
    { line: ['undo', ''], wanted: { kind: 'runs' } },
    { line: ['window', 'show', ''], wanted: { kind: 'windows' } },
    { line: ['report', ''], wanted: { kind: 'words' } },
    { line: ['cluster', 'add', 'lab', '--kubeconfig', ''], wanted: { kind: 'files' } },
    { line: ['nodes', '--data-dir', ''], wanted: { kind: 'files' } },
    { line: ['enter', '--window', ''], wanted: { kind: 'windows' } },
    { line: ['enter', '--confirm-cluster', ''], wanted: { kind: 'clusters' } },
  ])('after $line', ({ line, wanted }) => {
    expect(at(...line)).toMatchObject(wanted)
  })

  test('a flag that has choices offers them', () => {
    expect(wordsAt('nodes', 'lab', '--output', '')).toEqual(['table', 'json'])
  })

  test('after a dash come the flags of the command and of all commands', () => {
    const flags = wordsAt('enter', 'lab', 'cmp-1', '--')
    expect(flags).toEqual(expect.arrayContaining(['--dry-run', '--reason', '--output']))
    expect(flags).not.toContain('--no-open')
  })

  test('where nothing may come, nothing is offered', () => {
    expect(wordsAt('enter', 'lab', 'cmp-1', '')).toEqual([])
    expect(wordsAt('enter', '--reason', '')).toEqual([])
  })
})
