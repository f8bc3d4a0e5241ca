import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { listenForLinks } from '../../../../main/faces/electron/listen-for-links.ts'
import { linkOpener } from '../../../../main/faces/electron/open-link.ts'
import { readLink } from '../../../../main/faces/electron/read-link.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'

describe('a link', () => {
  test.each([
    ['lockkeeper://run/0h3k9qz1ab', { kind: 'run', id: '0h3k9qz1ab' }],
    ['lockkeeper://run/0h3k9qz1ab/', { kind: 'run', id: '0h3k9qz1ab' }],
    ['lockkeeper://window/w1', { kind: 'window', id: 'w1' }],
    ['lockkeeper://cluster/demo-plain', { kind: 'cluster', name: 'demo-plain' }],
  ])('%s is read', (text, link) => {
    expect(readLink(text)).toEqual({ kind: 'link', link })
  })

  test.each([
    '',
    'lockkeeper:',
    'lockkeeper://',
    'lockkeeper://run',
    'lockkeeper://run/',
    'lockkeeper:run/r1',
    'LOCKKEEPER://run/r1',
    ' lockkeeper://run/r1',
    'lockkeeper://run/r1 --demo',
    'lockkeeper://run/r1\n',
    'lockkeeper://run/r1/abort',
    'lockkeeper://run//r1',
    'lockkeeper://run/r1?answer=yes',
    'lockkeeper://run/r1#/settings',
    'lockkeeper://run/%2e%2e%2fsettings',
    'lockkeeper://run/..',
    'lockkeeper://run/-x',
    'lockkeeper://run/r\u202e1',
    'lockkeeper://run/рун',
    'lockkeeper://user:word@run/r1',
    'lockkeeper://run:80/r1',
    'lockkeeper://evacuate/cmp-01',
    'lockkeeper://constructor/r1',
    'https://run/r1',
    'javascript:alert(1)',
    'file:///etc/passwd',
    `lockkeeper://run/${'a'.repeat(64)}`,
    `lockkeeper://run/${'a'.repeat(5000)}`,
  ])('%j is refused', text => {
    expect(readLink(text)).toMatchObject({ kind: 'refused', why: expect.stringMatching(/^(?:it|its|a link) /) })
  })
})

describe('links arrive', () => {
  let app: EventEmitter & {
    isPackaged: boolean
    schemes: string[]
    setAsDefaultProtocolClient(scheme: string): boolean
  }
  beforeEach(() => {
    opened.length = 0
    const schemes: string[] = []
    const setAsDefaultProtocolClient = (scheme: string) => schemes.push(scheme) > 0
    app = Object.assign(new EventEmitter(), { isPackaged: true, schemes, setAsDefaultProtocolClient })
  })
  const opened: string[] = []
  const receive = (...words: string[]) => listenForLinks(app as never, ['/opt/lockkeeper-desktop', ...words])
  const reported = (url: string) => {
    let isPrevented = false
    app.emit('open-url', { preventDefault: () => (isPrevented = true) }, url)
    return isPrevented
  }

  test('on the command line of the first start, once there is a window', () => {
    const links = receive('--demo', 'lockkeeper://run/r1')
    expect(opened).toEqual([])
    links.open(text => opened.push(text))
    expect(opened).toEqual(['lockkeeper://run/r1'])
  })

  test('on that of a second start', () => {
    receive().open(text => opened.push(text))
    app.emit('second-instance', {}, ['/opt/lockkeeper-desktop', '--flag', 'lockkeeper://window/w1'], '/')
    app.emit('second-instance', {}, ['/opt/lockkeeper-desktop', '--demo'], '/')
    expect(opened).toEqual(['lockkeeper://window/w1'])
  })

  test('as macOS tells them, before there is a window and after', () => {
    const links = receive()
    expect(reported('lockkeeper://run/r1')).toBe(true)
    links.open(text => opened.push(text))
    reported('lockkeeper://run/r2')
    expect(opened).toEqual(['lockkeeper://run/r1', 'lockkeeper://run/r2'])
  })

  test('one a start: the last, which is the one that the desktop put there', () => {
    receive('lockkeeper://run/r1', 'LockKeeper:x').open(text => opened.push(text))
    expect(opened).toEqual(['LockKeeper:x'])
  })

  test('by an installed app, registered with the desktop; a start from sources leaves the desktop unchanged', () => {
    receive()
    app.isPackaged = false
    receive()
    expect(app.schemes).toEqual(['lockkeeper'])
  })
})

describe('opening a link', () => {
  let places: string[]
  let shows: number
  let reported: string[]
  let lines: string[]
  let asked: string[]
  let open: (text: string) => Promise<void>

  beforeEach(() => {
    ;[places, reported, lines, asked, shows] = [[], [], [], [], 0]
    const log = { ...silentLogger, warn: (line: string) => lines.push(line), info: (line: string) => lines.push(line) }
    const answers: Readonly<Record<string, unknown>> = {
      'run.show': { summary: { id: 'r1x', cluster: 'east side' } },
      'window.show': { window: { id: 'w1x' } },
      'cluster.list': [{ name: 'east' }],
    }
    open = linkOpener({
      contract: {
        ask: async name => {
          asked.push(name)
          return { ok: true, value: answers[name] as never }
        },
      },
      log,
      goTo: place => places.push(place),
      show: () => {
        shows += 1
      },
      report: async ({ message }) => reported.push(message),
    })
  })

  test.each([
    ['lockkeeper://run/r1x', '/c/east%20side/history/r1x'],
    ['lockkeeper://window/w1x', '/windows/w1x'],
    ['lockkeeper://cluster/east', '/c/east/topology'],
  ])('%s goes to %s', async (text, place) => {
    await open(text)
    expect(places).toEqual([place])
    expect(lines).toEqual(['a link was opened'])
    expect(reported).toEqual([])
  })

  test.each([
    ['lockkeeper://run/r1', 'run r1'],
    ['lockkeeper://window/w1', 'window w1'],
    ['lockkeeper://cluster/west', 'cluster west'],
  ])('%s, which this console does not have, shows the window, and says so', async (text, what) => {
    await open(text)
    expect(places).toEqual([])
    expect(shows).toBe(1)
    expect(reported).toEqual([`This console has no ${what}.`])
    expect(lines).toEqual(['a link was refused: what it names is not on this console'])
  })

  test('many at once make one message', async () => {
    await Promise.all(Array.from({ length: 20 }, () => open('lockkeeper://run/none')))
    expect(reported).toHaveLength(1)
  })

  test('one that is refused asks nothing, shows nothing and is logged', async () => {
    await open('lockkeeper://run/r1x/abort')
    expect([asked, places, reported, shows]).toEqual([[], [], [], 0])
    expect(lines).toEqual(['a link was refused: it is not of the form lockkeeper://run/ID'])
  })

  test('nothing but reading is asked, whatever the link', async () => {
    for (const kind of ['run', 'window', 'cluster']) await open(`lockkeeper://${kind}/x`)
    expect(asked).toEqual(['run.show', 'window.show', 'cluster.list'])
  })
})
