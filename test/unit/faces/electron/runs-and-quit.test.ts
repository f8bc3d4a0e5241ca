import { beforeEach, describe, expect, test, vi } from 'vitest'
import { notifyOfRuns, notifyOfWindows, type RunNotice } from '../../../../main/faces/electron/notify-runs.ts'
import { followOwnControllers } from '../../../../main/faces/electron/own-controllers.ts'
import { followOwnRuns } from '../../../../main/faces/electron/own-runs.ts'
import { guardQuit } from '../../../../main/faces/electron/quit-guard.ts'
import { stayAwake } from '../../../../main/faces/electron/stay-awake.ts'
import type { Contract } from '../../../../shared/contract/index.ts'

const SELF = { driverId: 'driver-1' }
const SUMMARY = {
  id: 'r1',
  kind: 'enter',
  cluster: 'east',
  node: 'cmp-01',
  summary: 'Two instances need a decision.',
  condition: { kind: 'moving', at: null, waits: [] },
}
let summary: object = SUMMARY

let listeners: Map<string, (payload: unknown) => void>
let asked: unknown[][]
let notifications: boolean
let contract: Contract

beforeEach(() => {
  listeners = new Map()
  asked = []
  notifications = true
  contract = {
    ask: async (name: string, input: unknown) => {
      asked.push([name, input])
      const value = name === 'preferences.show' ? { notifications } : { summary, events: [] }
      return { ok: true, value } as never
    },
    listen: (name, onEvent) => {
      listeners.set(name, onEvent as (payload: unknown) => void)
      return () => listeners.delete(name)
    },
  }
})

function drive(runId: string, id: string | undefined = SELF.driverId): void {
  listeners.get('run.event')?.({ runId, body: { kind: 'run-driven', driver: { id } } })
}
function rest(runId: string, state: string): void {
  listeners.get('run.rested')?.({ runId, state })
}

describe('the runs of this process', () => {
  test('are those it drives, until they rest; one that waits is still driven', () => {
    const reported: (readonly string[])[] = []
    const own = followOwnRuns(contract, SELF, active => reported.push(active))
    drive('r1')
    rest('r1', 'waiting')
    expect(own.active()).toEqual(['r1'])
    rest('r1', 'done')
    expect(reported).toEqual([['r1'], []])
  })

  test.each([
    ['another process, be its machine and pid ours', 'driver-2'],
    ['a process of an earlier version', ''],
  ])('are not those of %s', (_whose, driver) => {
    const own = followOwnRuns(contract, SELF, () => {})
    drive('r1', driver)
    expect(own.active()).toEqual([])
  })
})

test('the machine stays awake from the first run to the end of the last', () => {
  const blocker = { start: vi.fn(() => 5), stop: vi.fn(() => true) }
  const awake = stayAwake(blocker)
  awake(['r1'])
  awake(['r1', 'r2'])
  expect(blocker.start.mock.calls).toEqual([['prevent-app-suspension']])
  awake(['r2'])
  expect(blocker.stop).not.toHaveBeenCalled()
  awake([])
  expect(blocker.stop.mock.calls).toEqual([[5]])
})

describe('a run of this console', () => {
  const shown: RunNotice[] = []
  const chosen: unknown[] = []
  beforeEach(() => {
    shown.length = 0
    chosen.length = 0
    summary = SUMMARY
    notifyOfRuns(
      contract,
      notice => shown.push(notice),
      run => chosen.push(run),
    )
  })

  test.each([
    ['waiting', 'cmp-01 of east needs you'],
    ['done', 'cmp-01 of east is done'],
    ['failed', 'cmp-01 of east failed'],
  ])('that is %s tells so by the desktop, and a click shows it', async (state, title) => {
    rest('r1', state)
    await expect.poll(() => shown).toMatchObject([{ title, body: SUMMARY.summary }])
    shown[0]?.onClick()
    expect(chosen).toEqual([SUMMARY])
  })

  const RUNS = { id: 'i-1', name: 'web-01', code: 'StillRuns', status: 'ACTIVE', decided: null }

  test.each([
    ['NodeEmpty', 'Empty', 'cmp-01 of east is empty.'],
    ['NodeNotEmpty', 'NotEmpty', 'cmp-01 of east is not empty.'],
    ['NodeNotEmpty', 'Unknown', 'Lockkeeper cannot tell whether cmp-01 of east is empty.'],
    ['HeldBack', 'HeldBack', 'cmp-01 of east takes no work yet.'],
  ])('that went through (%s, %s) says what its node is, not that it is done', async (ending, verdict, title) => {
    const over = {
      kind: 'over',
      outcome: 'done',
      ending: { kind: ending, node: 'cmp-01', verdict: { kind: verdict, instances: [RUNS], pods: [], unread: [] } },
    }
    summary = { ...SUMMARY, condition: over }
    rest('r1', 'done')
    await expect.poll(() => shown).toMatchObject([{ title }])
  })

  test('that was left on purpose tells nothing', async () => {
    rest('r1', 'interrupted')
    await Promise.resolve()
    expect(asked).toEqual([])
  })

  test('tells nothing when the operator wants no notifications', async () => {
    notifications = false
    rest('r1', 'failed')
    await expect.poll(() => asked.length).toBe(1)
    expect(shown).toEqual([])
  })
})

test('the desktop announces a window that did not start automatically, and a click shows it', async () => {
  const shown: RunNotice[] = []
  const chosen: string[] = []
  notifyOfWindows(
    contract,
    notice => shown.push(notice),
    id => chosen.push(id),
  )
  listeners.get('window.start-missed')?.({ id: 'w1', cluster: 'east', title: 'Kernel', why: 'cmp-01 is not ready.' })
  await expect
    .poll(() => shown)
    .toMatchObject([{ title: 'Kernel of east did not start', body: 'cmp-01 is not ready.' }])
  shown[0]?.onClick()
  expect(chosen).toEqual(['w1'])
})

test('the clusters this process answers for are followed by what the controllers tell', () => {
  const reported: (readonly string[])[] = []
  const own = followOwnControllers(contract, clusters => reported.push(clusters))
  for (const state of ['here', 'here', 'elsewhere']) listeners.get('controllers.changed')?.({ cluster: 'east', state })
  expect(reported).toEqual([['east'], []])
  expect(own.active()).toEqual([])
})

describe('closing the window', () => {
  function closing(active: readonly string[], response: number, answered: readonly string[] = []) {
    let onClose: (event: { preventDefault(): void }) => void = () => {}
    const seen = { closed: 0, asked: 0, inTray: 0 }
    const close = () => {
      let isPrevented = false
      onClose({
        preventDefault: () => {
          isPrevented = true
        },
      })
      if (!isPrevented) seen.closed++
    }
    const window = {
      on: (_name: string, listener: typeof onClose) => {
        onClose = listener
      },
      close,
    }
    guardQuit(window as never, {
      contract,
      active: () => active,
      answered: () => answered,
      showDialog: async () => {
        seen.asked++
        return { response }
      },
      keepInTray: () => {
        seen.inTray++
      },
    })
    return { seen, close }
  }

  test('without an active run asks nothing', () => {
    const { seen, close } = closing([], 3)
    close()
    expect(seen).toEqual({ closed: 1, asked: 0, inTray: 0 })
  })

  test.each([
    ['is kept in the tray', 0, { closed: 0, asked: 1, inTray: 1 }, []],
    ['is paused, and the window stays', 1, { closed: 0, asked: 1, inTray: 0 }, [['run.pause', { runId: 'r1' }]]],
    ['is left, and the window closes', 2, { closed: 1, asked: 1, inTray: 0 }, []],
    ['continues when the operator cancels', 3, { closed: 0, asked: 1, inTray: 0 }, []],
  ])('asks, and the active run %s', async (_what, response, expected, requests) => {
    const { seen, close } = closing(['r1'], response)
    close()
    await expect.poll(() => [seen, asked]).toEqual([expected, requests])
  })

  test.each([
    ['are kept in the tray', 0, { closed: 0, asked: 1, inTray: 1 }, []],
    [
      'are stopped, and the window stays',
      1,
      { closed: 0, asked: 1, inTray: 0 },
      [['controllers.stop', { cluster: 'east' }]],
    ],
    ['end with the window', 2, { closed: 1, asked: 1, inTray: 0 }, []],
  ])('asks, and the controllers it runs %s', async (_what, response, expected, requests) => {
    const { seen, close } = closing([], response, ['east'])
    close()
    await expect.poll(() => [seen, asked]).toEqual([expected, requests])
  })

  test('asks once, however often it is tried', () => {
    const { seen, close } = closing(['r1'], 3)
    close()
    close()
    expect(seen.asked).toBe(1)
  })
})
