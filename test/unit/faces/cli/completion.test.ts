import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { commandTable } from '../../../../main/compose/terminal/command-table.ts'
import { globalFlags } from '../../../../main/faces/cli/arguments/global-flags.ts'
import { type Wanted, wantedAt } from '../../../../main/faces/cli/complete/wanted-at.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'

/** What completion prints for a line, and the data directory of the names. */
async function completed(...line: string[]) {
  const { contract } = createFakeContract({
    'cluster.list': () => ok([]),
    'run.list': () => ok([sampleSummary('done', { id: '4f1c' })]),
    'node.list': () =>
      ok({
        nodes: ['cmp-1', 'cmp-2', '$(rm)'].map(name => ({ name, roles: [] })) as never,
        readAt: '',
        unreachable: [],
      }),
  })
  const terminal = createFakeTerminal({ contract, env: { HOME: tmpdir() } })
  expect(await terminal.run('__complete', ...line)).toBe(0)
  return {
    words: terminal
      .out()
      .split('\n')
      .filter(each => each !== '')
      .map(each => each.split('\t')[0]),
    opened: terminal.opened,
  }
}

const at = (...line: string[]): Wanted => wantedAt(line, commandTable, globalFlags)
const wordsAt = (...line: string[]): readonly string[] => {
  const wanted = at(...line)
  return wanted.kind === 'words' ? wanted.words.map(({ word }) => word) : [`(${wanted.kind})`]
}

describe('what is printed', () => {
  test('names come with the text before them: the flag, and the names before the last comma', async () => {
    expect((await completed('window', 'create', 'lab', '--nodes', 'cmp-1,')).words).toEqual(['cmp-1,cmp-2'])
    expect((await completed('window', 'create', 'lab', '--nodes=cmp')).words).toEqual([
      '--nodes=cmp-1',
      '--nodes=cmp-2',
    ])
    expect((await completed('nodes', 'lab', '--output=j')).words).toEqual(['--output=json'])
  })

  test.each([['--data-dir', tmpdir()], [`--data-dir=${tmpdir()}`], ['--data-dir=~']])(
    'the data directory is found in %s',
    async (...flag) => {
      expect((await completed(...flag, 'enter', 'lab', '')).opened).toEqual([{ dataDirectory: tmpdir(), demo: false }])
    },
  )

  test('a data directory that is not there is not made by a press of Tab', async () => {
    expect(await completed('--data-dir=/no/such', 'enter', 'lab', '')).toEqual({ words: [], opened: [] })
  })
})

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
    { line: ['host', 'mode', 'lab', 'cmp-1', 'cmp-2', ''], wanted: { kind: 'nodes', cluster: 'lab', several: false } },
    { line: ['run', 'show', ''], wanted: { kind: 'runs-and-asked' } },
    { line: ['run', 'pause', ''], wanted: { kind: 'runs' } },
    { line: ['undo', ''], wanted: { kind: 'runs' } },
    { line: ['window', 'show', ''], wanted: { kind: 'windows' } },
    { line: ['report', ''], wanted: { kind: 'either', names: { kind: 'runs-and-windows' } } },
    { line: ['doctor', ''], wanted: { kind: 'clusters' } },
    { line: ['cluster', 'test', ''], wanted: { kind: 'clusters' } },
    { line: ['--data-dir=/data', 'enter', 'lab', ''], wanted: { kind: 'nodes', cluster: 'lab' } },
    { line: ['nodes', '--data-dir=/da'], wanted: { kind: 'files' } },
    { line: ['enter', '--window='], wanted: { kind: 'windows' } },
    {
      line: ['window', 'create', 'lab', '--nodes', 'cmp-1,'],
      wanted: { kind: 'nodes', cluster: 'lab', several: true },
    },
    { line: ['window', 'create', 'lab', '--batch='], wanted: { kind: 'nodes', cluster: 'lab', several: true } },
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

  test('the name of a cluster that is about to be added is offered by nobody', () => {
    expect(wordsAt('cluster', 'add', '')).toEqual([])
  })

  test('a value that is attached to its flag is offered with it', () => {
    expect(wordsAt('nodes', 'lab', '--output=')).toEqual(['table', 'json'])
    expect(wordsAt('enter', 'lab', 'cmp-1', '--no-such=')).toEqual([])
  })

  test('where nothing may come, nothing is offered', () => {
    expect(wordsAt('leave', 'lab', 'cmp-1', '')).toEqual([])
    expect(wordsAt('enter', '--reason', '')).toEqual([])
  })
})
