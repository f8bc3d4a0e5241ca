import { describe, expect, it } from 'vitest'
import { commandTable } from '../../../../main/compose/terminal/command-table.ts'
import { globalFlags } from '../../../../main/faces/cli/arguments/global-flags.ts'
import { parseArguments, type Request } from '../../../../main/faces/cli/arguments/parse-arguments.ts'
import { renderHelp } from '../../../../main/faces/cli/arguments/render-help.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const parse = (...words: string[]): Request => parseArguments(words, commandTable, globalFlags)
const parsed = (...words: string[]) => {
  const request = parse(...words)
  if (request.kind !== 'run') throw new Error(`expected a command, got ${JSON.stringify(request)}`)
  return { path: request.command.path.join(' '), args: request.args }
}

describe('arguments', () => {
  it('flags may stand before, between and behind the words of a command', () => {
    for (const words of [
      ['enter', 'lab', 'cmp-1', '-o', 'json', '--yes'],
      ['-o', 'json', 'enter', '--yes', 'lab', 'cmp-1'],
      ['-ojson', '--yes', 'enter', 'lab', 'cmp-1'],
      ['--output=json', 'enter', 'lab', '--yes', 'cmp-1'],
    ]) {
      const { path, args } = parsed(...words)
      expect([path, args.operands, args.text('output'), args.isSet('yes')]).toEqual([
        'enter',
        { CLUSTER: 'lab', NODE: 'cmp-1' },
        'json',
        true,
      ])
    }
  })

  it('values are read by their kind', () => {
    const { args } = parsed(
      'enter',
      'lab',
      'n',
      '--concurrency',
      '3',
      '--drain-timeout=1h30m',
      '--force',
      'agreed with the tenant',
    )
    expect(args.number('concurrency')).toBe(3)
    expect(args.number('drain-timeout')).toBe(5_400_000)
    expect(args.text('force')).toBe('agreed with the tenant')
    expect(args.text('allow-downtime')).toBeNull()
  })

  it('words behind -- are never flags', () => {
    expect(parsed('nodes', '--', '--odd').args.operands).toEqual({ CLUSTER: '--odd' })
  })

  it('a value that starts with a dash is given with an equals sign', () => {
    expect(parsed('enter', 'lab', 'n', '--force=-x').args.text('force')).toBe('-x')
  })

  it('a repeatable flag keeps every value', () => {
    const { args } = parsed(
      'cluster',
      'add',
      'x',
      '--role-label',
      'compute=a',
      '--role-label',
      'compute=b=c',
      '--no-openstack',
    )
    expect(args.texts('role-label')).toEqual(['compute=a', 'compute=b=c'])
  })

  it('an optional operand may be left out', () => {
    expect(parsed('instances', 'lab').args.operands).toEqual({ CLUSTER: 'lab' })
    expect(parsed('runs').args.operands).toEqual({})
  })

  it.each([[[]], [['--no-color']], [['--data-dir', '/data']]])(
    '%j names no command, and differs from a wrong one',
    words => {
      expect(parse(...words)).toMatchObject({ kind: 'no-command' })
    },
  )

  it('a value of a flag is never taken for the command', () => {
    expect(parse('--data-dir', 'nodes', 'runs')).toMatchObject({ kind: 'run', command: { path: ['runs'] } })
  })

  it.each<[string[], string[]]>([
    [['--help'], []],
    [['-h'], []],
    [['help'], []],
    [['enter', '--help'], ['enter']],
    [['enter', '--help', '--bogus'], ['enter']],
    [
      ['help', 'run', 'show'],
      ['run', 'show'],
    ],
    [['run', '--help'], ['run']],
    [['demo', '--help'], ['demo']],
    [
      ['demo', 'tour', '-h'],
      ['demo', 'tour'],
    ],
  ])('%j asks for the help of %j', (words, path) => {
    expect(parse(...words)).toEqual({ kind: 'help', path })
  })
})

describe('an operand that takes several words', () => {
  it('takes all words between the word before it and the word after it', () => {
    const { args } = parsed('host', 'mode', 'lab', 'cmp-1', 'cmp-2', 'manual')
    expect(args.operands).toEqual({ CLUSTER: 'lab', NODE: 'cmp-1', MODE: 'manual' })
    expect(args.several).toEqual(['cmp-1', 'cmp-2'])
  })

  it('takes one at least, and leaves the last word to what follows it', () => {
    expect(parsed('host', 'mode', 'lab', 'cmp-1', 'skip').args.several).toEqual(['cmp-1'])
  })
})

describe('help', () => {
  it.each(commandTable.map(command => [command.path.join(' '), command] as const))(
    'of %s names each of its flags and only gives examples that parse',
    (_name, command) => {
      const text = renderHelp(command.path, commandTable).join('\n')
      for (const flag of [...command.flags, ...globalFlags]) expect(text).toContain(`--${flag.name}`)
      for (const example of command.examples) {
        const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(match => match[1] ?? match[2] ?? '')
        expect(parse(...words), example).toMatchObject({ kind: 'run' })
      }
    },
  )

  it('every command has code behind it', async () => {
    for (const command of commandTable) expect(await command.load(), command.path.join(' ')).toBeTypeOf('function')
  })
})

describe('a command line that runs nothing', () => {
  it('help goes to standard output and ends with 0, without opening the application', async () => {
    const terminal = createFakeTerminal()
    expect(await terminal.run('--help')).toBe(0)
    expect(terminal.out()).not.toBe('')
    expect(terminal.err()).toBe('')
    expect(terminal.opened).toEqual([])
  })

  it('wrong usage goes to standard error and ends with 2, without opening the application', async () => {
    const terminal = createFakeTerminal()
    expect(await terminal.run('enter', 'lab', 'n', '--forse', 'x')).toBe(2)
    expect(terminal.err()).not.toBe('')
    expect(terminal.out()).toBe('')
    expect(terminal.opened).toEqual([])
  })

  it('the version is that of the project', async () => {
    const terminal = createFakeTerminal()
    expect(await terminal.run('--version')).toBe(0)
    expect(terminal.out()).toMatch(/^lockkeeper \d+\.\d+\.\d+ \(from sources\)\n$/)
  })
})
