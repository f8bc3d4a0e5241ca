import { describe, expect, it } from 'vitest'
import { type CommandsHere, commandsHere, withCommandsHere } from '../../../../main/faces/cli/words/commands-here.ts'
import { wrap } from '../../../../main/faces/cli/words/width.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const nothing = failed(failure('internal', 'not asked about'))
const FIRST_WORDS = ['cluster', 'nodes', 'run']
const here = (dataDirectory: string | null, environment: Record<string, string>, demo = false) =>
  commandsHere(
    { dataDirectory, demo },
    { environment, home: '/home/eva', currentDirectory: '/home/eva/lockkeeper' },
    FIRST_WORDS,
  )

describe('what a printed command says here', () => {
  it.each<{ of: string; given?: string; env?: Record<string, string>; is: Omit<CommandsHere, 'demo' | 'firstWords'> }>([
    { of: 'an installed program', is: { program: 'lockkeeper', dataDirectory: null } },
    {
      of: 'a checkout, called from its folder',
      env: { LOCKKEEPER_CALLED_AS: 'bin/lockkeeper', PATH: '/usr/bin' },
      is: { program: 'bin/lockkeeper', dataDirectory: null },
    },
    {
      of: 'a checkout whose path has a blank',
      env: { LOCKKEEPER_CALLED_AS: '/srv/my tools/bin/lockkeeper', PATH: '/usr/bin' },
      is: { program: "'/srv/my tools/bin/lockkeeper'", dataDirectory: null },
    },
    {
      of: 'a link on the PATH',
      env: { LOCKKEEPER_CALLED_AS: '/home/eva/bin/lk', PATH: '/usr/bin:/home/eva/bin' },
      is: { program: 'lk', dataDirectory: null },
    },
    { of: 'a data directory that was named', given: '/data', is: { program: 'lockkeeper', dataDirectory: '/data' } },
    {
      of: 'one that was named from where we are',
      given: '../kept',
      is: { program: 'lockkeeper', dataDirectory: '/home/eva/kept' },
    },
    {
      of: 'one of the environment, which another terminal may not have',
      env: { LOCKKEEPER_DATA_DIR: '/data' },
      is: { program: 'lockkeeper', dataDirectory: '/data' },
    },
    {
      of: 'the usual one, named',
      given: '/home/eva/.local/share/lockkeeper',
      is: { program: 'lockkeeper', dataDirectory: null },
    },
    {
      of: 'the usual one of XDG, named',
      given: '/xdg/lockkeeper',
      env: { XDG_DATA_HOME: '/xdg' },
      is: { program: 'lockkeeper', dataDirectory: null },
    },
  ])('of $of', ({ given, env, is }) => {
    expect(here(given ?? null, env ?? {})).toEqual({ ...is, demo: false, firstWords: FIRST_WORDS })
  })
})

describe('a text with our commands', () => {
  const commands: CommandsHere = {
    program: 'bin/lockkeeper',
    dataDirectory: '/my data',
    demo: false,
    firstWords: FIRST_WORDS,
  }
  it.each([
    [
      'next: `lockkeeper run resume r1`, to go on',
      "next: `bin/lockkeeper --data-dir '/my data' run resume r1`, to go on",
    ],
    ['`lockkeeper` offers those found here', "`bin/lockkeeper --data-dir '/my data'` offers those found here"],
    ['    lockkeeper nodes demo-plain', "    bin/lockkeeper --data-dir '/my data' nodes demo-plain"],
    ['a\nlockkeeper nodes lab\nb', "a\nbin/lockkeeper --data-dir '/my data' nodes lab\nb"],
    ['`lockkeeper cluster add --help` tells how', '`bin/lockkeeper cluster add --help` tells how'],
    [
      'lockkeeper nodes lab\nlockkeeper run --help',
      "bin/lockkeeper --data-dir '/my data' nodes lab\nbin/lockkeeper run --help",
    ],
    ['no runner in namespace lockkeeper of mgmt', 'no runner in namespace lockkeeper of mgmt'],
    ['no runner in namespace\nlockkeeper of mgmt', 'no runner in namespace\nlockkeeper of mgmt'],
    ['`kubectl get pods -n lockkeeper`', '`kubectl get pods -n lockkeeper`'],
    ['runs command: ./x && lockkeeper nodes lab', 'runs command: ./x && lockkeeper nodes lab'],
    ['`lockkeeper.dev/cloud`', '`lockkeeper.dev/cloud`'],
  ])('%j is printed as %j', (text, printed) => {
    expect(withCommandsHere(text, commands)).toBe(printed)
  })

  it('is as it was where Lockkeeper is installed and has its usual data', () => {
    const text = 'next: `lockkeeper run resume r1`'
    expect(withCommandsHere(text, here(null, {}))).toBe(text)
  })

  it('is about the embedded clouds where the command was', () => {
    const demo = here(null, {}, true)
    expect(withCommandsHere('next: `lockkeeper nodes demo-plain`', demo)).toBe(
      'next: `lockkeeper --demo nodes demo-plain`',
    )
    expect(withCommandsHere('`lockkeeper cluster add --help` tells how', demo)).toBe(
      '`lockkeeper cluster add --help` tells how',
    )
  })

  it('keeps each command on one line, however narrow the terminal', () => {
    expect(wrap('It waits. Then `lockkeeper run resume r1` continues it.', 20)).toEqual([
      'It waits. Then',
      '`lockkeeper run resume r1`',
      'continues it.',
    ])
  })
})

describe('the terminal', () => {
  const env = { LOCKKEEPER_CALLED_AS: 'bin/lockkeeper', LANG: 'C.UTF-8' }

  it('prints commands as they work there, of failures too', async () => {
    const terminal = createFakeTerminal({ env })
    expect(await terminal.run('nodes')).toBe(2)
    expect(terminal.err()).toContain('`bin/lockkeeper nodes --help`')
  })

  it('names --demo where it was given', async () => {
    const { contract } = createFakeContract({ 'run.list': () => ok([]), 'journal.status': () => nothing })
    const terminal = createFakeTerminal({ env, contract })
    expect(await terminal.run('run', 'show', 'abc', '--demo')).toBe(1)
    expect(terminal.err()).toContain('`bin/lockkeeper --demo runs` lists them.')
  })

  it('names the program alone in its help', async () => {
    const terminal = createFakeTerminal({ env })
    await terminal.run('enter', '--help', '--data-dir', '/data')
    expect(terminal.out()).toContain('  lockkeeper enter lab cmp-01')
  })
})
