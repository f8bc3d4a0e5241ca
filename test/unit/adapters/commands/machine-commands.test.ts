import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMachineCommands } from '../../../../main/adapters/commands/machine-commands.ts'
import { beginningOf, type ThisMachine } from '../../../../main/adapters/commands/process-group.ts'
import { sentWhile } from '../../../../main/platform/clock/sent-while.ts'
import { createRedactor } from '../../../../main/platform/log/redact.ts'
import type { CommandState, CommandWish } from '../../../../main/ports/commands.ts'
import { until, value } from '../../../contract/target.ts'

const HERE: ThisMachine = { name: 'laptop', id: 'machine-1', boot: 'boot-1 pid:[1]' }
const KEEPER = [process.execPath, resolve('main/compose/terminal/index.ts'), '__keep']

let folder: string
/** Process groups that a test began: they are ended with it. */
let groups: number[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-commands-'))
  groups = []
})
afterEach(() => {
  for (const group of groups) signal(-group, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const redactor = createRedactor({ literals: ['hunter2-of-the-cloud'] })

function commands(more: Partial<Parameters<typeof createMachineCommands>[0]> = {}) {
  return createMachineCommands({
    directory: join(folder, 'commands'),
    machine: HERE,
    keeper: KEEPER,
    canSeal: true,
    isSealed: wish => wish.seal === 'sealed',
    redact: redactor.text,
    holdsSecret: text => redactor.known(text) !== text,
    environment: process.env,
    ...more,
  })
}

function wish(command: string, more: Partial<CommandWish> = {}): CommandWish {
  const { name = 'run-1-cmp-1-1' } = more
  return { runId: 'run-1', cluster: 'lab', node: 'cmp-1', directory: folder, seal: 'sealed', command, ...more, name }
}

async function start(command: string, more: Partial<CommandWish> = {}, port = commands()) {
  const reported: string[] = []
  const answer = await port.start(wish(command, more), {
    begins: () => reported.push('begins'),
    calledOff: why => reported.push(why.code),
  })
  if (answer.ok && answer.value.kind === 'started') groups.push(answer.value.group)
  return { answer, reported }
}

async function begun(command: string): Promise<number> {
  const { answer } = await start(command)
  const started = value(answer)
  if (started.kind !== 'started') throw new Error(`it was ${started.kind}`)
  return started.group
}

const look = async (port = commands()) => value(await port.look('run-1-cmp-1-1'))

function over(port = commands()): Promise<Exclude<CommandState, { kind: 'runs' }>> {
  return until('nothing of the command is under way', async () => {
    const status = await look(port)
    return status.kind === 'runs' ? null : status
  })
}

const place = (...names: string[]) => join(folder, 'commands', 'run-1-cmp-1-1', ...names)
const text = (path: string) =>
  until(`${path} is there`, async () => (existsSync(path) ? readFileSync(path, 'utf8') : null))

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}

describe('a command', () => {
  test('runs once, in its folder, and another console learns how it ended', async () => {
    const command =
      'echo "work on $LOCKKEEPER_NODE of $LOCKKEEPER_CLUSTER by $LOCKKEEPER_RUN"; echo once >>count; exit 7'
    const first = await start(command)
    expect(first.reported).toEqual(['begins'])
    expect(await over()).toEqual({ kind: 'ended', code: 7, signal: null, othersRun: null })
    const second = await start(command)
    expect(second).toEqual({ answer: { ok: true, value: { kind: 'known' } }, reported: [] })
    expect(await over()).toMatchObject({ kind: 'ended', code: 7 })
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('once\n')
    expect(readFileSync(commands().outputOf('run-1-cmp-1-1'), 'utf8')).toBe('work on cmp-1 of lab by run-1\n')
  })

  test('finds nothing of the console’s own secrets in its environment', async () => {
    const environment = {
      PATH: process.env.PATH,
      OS_PASSWORD: 'a',
      OS_CLOUD: 'a',
      KUBECONFIG: '/x',
      LOCKKEEPER_DATA_DIR: '/y',
      LOCKKEEPER_TOKEN: 'z',
      JUJU_DATA: '/j',
      COPIED: 'hunter2-of-the-cloud',
      SSH_AUTH_SOCK: '/agent',
    }
    await start('env', {}, commands({ environment }))
    await over()
    const names = readFileSync(place('output.log'), 'utf8').match(/^[A-Z_]+(?==)/gm)
    const own = ['LOCKKEEPER_CLUSTER', 'LOCKKEEPER_NODE', 'LOCKKEEPER_RUN']
    expect(names?.filter(name => /^(OS_|LOCKKEEPER_|KUBE|JUJU|COPIED)/.test(name)).toSorted()).toEqual(own)
    expect(names).toContain('SSH_AUTH_SOCK')
  })

  test('is kept for this user alone, and only its last lines, without secrets', async () => {
    writeFileSync(join(folder, 'secret'), 'password=hunter2-of-the-cloud\n')
    await start('i=0; while [ $i -lt 20000 ]; do echo "line $i of many"; i=$((i+1)); done; cat secret; echo end')
    await over()
    const kept = readFileSync(place('output.log'), 'utf8')
    expect(kept.length).toBeLessThanOrEqual(64 * 1024)
    expect(kept).toMatch(/^\[lockkeeper: earlier lines are not kept\]\nline \d+ of many\n/)
    expect(kept).toMatch(/end\n$/)
    expect(kept).not.toContain('hunter2')
    for (const path of [place(), ...readdirSync(place()).map(name => place(name))]) {
      expect(statSync(path).mode & 0o077, path).toBe(0)
    }
  })

  test('that prints without an end never has more than a little of it on disk, and its last lines are kept', async () => {
    await begun('yes "a line of many" | head -c 60000000; echo end')
    let largest = 0
    await until('it has ended', async () => {
      largest = Math.max(largest, statSync(place('output.log')).size)
      const status = await look()
      return status.kind === 'ended' ? status : null
    })
    expect(largest).toBeLessThan(512 * 1024)
    const kept = readFileSync(place('output.log'), 'utf8')
    expect(kept).toMatch(/^\[lockkeeper: earlier lines are not kept\]\na line of many\n/)
    expect(kept).toMatch(/\na line of many\n.*end\n$/)
    expect(kept).not.toContain('may be missing')
  })

  test('that prints on after its keeper was killed neither ends over it nor waits for ever', async () => {
    const group = await begun(
      'touch begun; while [ ! -e go ]; do sleep 0.05; done; yes more | head -c 300000; touch printed',
    )
    await text(join(folder, 'begun'))
    signal(group, 'SIGKILL')
    writeFileSync(join(folder, 'go'), '')
    await until('it printed all', async () => {
      await look()
      return existsSync(join(folder, 'printed')) ? true : null
    })
    expect(readFileSync(place('output.log'), 'utf8')).toContain('more\n')
  })

  test('leaves nobody behind who waits for a reader, or dies without one', async () => {
    await begun('(while [ ! -e go ]; do sleep 0.05; done; yes more | head -c 300000; touch printed) & exit 0')
    expect(await over()).toMatchObject({ kind: 'ended', code: 0 })
    writeFileSync(join(folder, 'go'), '')
    await text(join(folder, 'printed'))
    expect(readFileSync(place('output.log'), 'utf8')).not.toContain('more')
  })

  test('a running command is reported with its group; what ends the console does not reach it', async () => {
    const group = await begun('echo $$ >shell; while [ ! -e stop ]; do sleep 0.05; done')
    await text(join(folder, 'shell'))
    expect(await look()).toEqual({ kind: 'runs', group, isKept: true })
    // As a person ends it: its keeper stays, to note the end.
    signal(-group, 'SIGTERM')
    expect(await over()).toEqual({ kind: 'ended', code: null, signal: 'SIGTERM', othersRun: null })
  })

  test('continues when its keeper is killed, and the console waits for it; then its exit code is unknown', async () => {
    const group = await begun('touch begun; while [ ! -e stop ]; do sleep 0.05; done')
    await text(join(folder, 'begun'))
    signal(group, 'SIGKILL')
    await until('its keeper is gone', async () => {
      const status = await look()
      return status.kind === 'runs' && status.isKept === false ? status : null
    })
    writeFileSync(join(folder, 'stop'), '')
    expect((await over()).kind).toBe('end-unseen')
    expect((await start('touch again')).answer).toEqual({ ok: true, value: { kind: 'known' } })
    expect(existsSync(join(folder, 'again'))).toBe(false)
  })

  test('that leaves processes behind names the group in which they run', async () => {
    const group = await begun('(while [ ! -e stop ]; do sleep 0.05; done) & exit 4')
    expect(await over()).toEqual({ kind: 'ended', code: 4, signal: null, othersRun: group })
    writeFileSync(join(folder, 'stop'), '')
    await until('they are gone', async () => {
      const status = await look()
      return status.kind === 'ended' && status.othersRun === null ? status : null
    })
  })
})

describe('what is kept of a command that is not whole', () => {
  test.each(['', '{"format":1,"code":0', '0\n', '{"format":1,"code":"0","signal":null,"endedAt":"x"}'])(
    'a recorded end of %j is invalid: the outcome is unknown',
    async torn => {
      await begun('true')
      await over()
      writeFileSync(place('end.json'), torn)
      expect(await look()).toMatchObject({ kind: 'end-unseen', why: { code: 'CommandEndNoteTorn' } })
    },
  )

  test.each(['', '{"format":1,"gr'])('a process of %j is unknown, and may exist', async torn => {
    await begun('true')
    await over()
    rmSync(place('end.json'))
    writeFileSync(place('process.json'), torn)
    expect(await look()).toMatchObject({ kind: 'may-run', group: null })
    // After a new start of the machine it is not.
    const later = commands({ machine: { ...HERE, boot: 'boot-2 pid:[1]' } })
    expect(await look(later)).toMatchObject({ kind: 'end-unseen' })
  })

  test('a command without kept output has none', async () => {
    expect(await look()).toEqual({ kind: 'nothing-kept' })
    expect(value(await commands().look('../../etc'))).toEqual({ kind: 'nothing-kept' })
  })
})

describe('a number of a process', () => {
  const noted = (group: number, began: string | null, machine: ThisMachine = HERE) => {
    mkdirSync(place(), { recursive: true })
    writeFileSync(place('process.json'), JSON.stringify({ format: 1, group, began, machine }))
  }

  test('that another process has by now is not taken for the command', async () => {
    noted(process.pid, '1')
    expect(await look()).toMatchObject({ kind: 'end-unseen', why: { code: 'CommandGroupReused' } })
    noted(process.pid, beginningOf(process.pid))
    expect(await look()).toMatchObject({ kind: 'runs', group: process.pid })
  })

  test.each([
    ['of another machine says nothing', { name: 'bastion', id: 'machine-2', boot: 'boot-9 pid:[1]' }, 'may-run'],
    [
      'of a machine of the same name says nothing',
      { name: 'laptop', id: 'machine-2', boot: 'boot-9 pid:[1]' },
      'may-run',
    ],
    ['of another container of this machine says nothing', { ...HERE, boot: 'boot-1 pid:[2]' }, 'may-run'],
    ['of an earlier boot of this machine is gone', { ...HERE, boot: 'boot-0 pid:[1]' }, 'end-unseen'],
    ['on a machine without boot id exists, and perhaps is another one', { ...HERE, boot: null }, 'runs'],
  ] as const)('%s', async (_which, machine, kind) => {
    const group = await begun('while [ ! -e stop ]; do sleep 0.05; done')
    noted(group, '1', machine)
    expect((await look()).kind).toBe(kind)
  })
})

describe('nothing is started', () => {
  const refusals: readonly [string, string, Partial<CommandWish>, Parameters<typeof commands>[0], string][] = [
    ['for a page', 'touch ran', {}, { keeper: null }, 'OnlyTerminalRunsCommands'],
    ['without the seal of this installation', 'touch ran', { seal: '' }, {}, 'CommandNotConfirmedHere'],
    ['where there is no key', 'touch ran', {}, { canSeal: false }, 'NoKeyForCommands'],
    ['in a folder that is not there', 'touch ran', { directory: '/nowhere/at/all' }, {}, 'CommandFolderNotEntered'],
    ['of more than a line', 'touch ran\ntouch more', {}, {}, 'CommandNotOneLine'],
    ['that is empty', ' ', {}, {}, 'CommandEmpty'],
    ['that is too long to be seen whole', `touch ${'x'.repeat(1_000)}`, {}, {}, 'CommandTooLong'],
    ['that holds a secret', 'mysql -phunter2-of-the-cloud', {}, {}, 'CommandHasSecret'],
    ['under a name that is a way', 'touch ran', { name: '../ran' }, {}, 'CommandNameUnusable'],
  ]
  test.each(refusals)('%s', async (_which, command, more, options, reason) => {
    const { answer, reported } = await start(command, more, commands(options))
    expect(value(answer)).toMatchObject({
      kind: 'refused',
      why: { code: 'NothingWasStarted', values: { why: { code: reason } } },
    })
    expect(reported).toEqual([])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  test('once the Lease is lost, and a later start is possible', async () => {
    const { answer, reported } = await sentWhile(
      () => false,
      () => start('touch ran'),
    )
    expect(answer).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(reported).toEqual([])
    let looks = 0
    const lost = await sentWhile(
      () => ++looks < 2,
      () => start('touch ran'),
    )
    expect(lost.answer).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(lost.reported).toEqual(['begins', 'KeptBack'])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    expect(value((await start('true')).answer).kind).toBe('started')
  })

  test('when the run may not journal that it begins', async () => {
    const stopped = new Error('the run stops')
    const begins = () => {
      throw stopped
    }
    await expect(commands().start(wish('touch ran'), { begins, calledOff: () => {} })).rejects.toBe(stopped)
    expect(await look()).toEqual({ kind: 'nothing-kept' })
  })

  test('where its keeper cannot be started or its folder written: the start is cancelled and has not failed', async () => {
    const { answer, reported } = await start('touch ran', {}, commands({ keeper: ['/nowhere/node'] }))
    expect(value(answer).kind).toBe('refused')
    expect(reported).toEqual(['begins', 'CommandNotStarted'])
    expect(await look()).toEqual({ kind: 'nothing-kept' })
    writeFileSync(join(folder, 'file'), '')
    truncateSync(join(folder, 'file'))
    const full = await start('touch ran', {}, commands({ directory: join(folder, 'file') }))
    expect(value(full.answer).kind).toBe('refused')
    expect(full.reported).toHaveLength(2)
  })
})
