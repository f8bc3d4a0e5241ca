import type { Contract, Envelope, RequestName } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type Connection, useConnection } from '../stores/connection.ts'

/** The contract over one WebSocket to the console that served the page (main/serve/socket-face.ts). */
export interface SocketContract extends Contract {
  /** Told when events may have been missed: whatever is kept is to be asked for anew. */
  onResync(again: () => void): () => void
}

/** Requests that change nothing: one whose answer was lost may be asked again without a thought. */
const READS: ReadonlySet<string> = new Set<RequestName>([
  'cluster.list',
  'cluster.exec-plugin',
  'cluster.test',
  'cluster.try',
  'kubeconfig.inspect',
  'clouds.inspect',
  'node.list',
  'node.show',
  'instance.list',
  'edit.list',
  'plan.make',
  'plan.outlook',
  'run.list',
  'run.show',
  'view.open',
  'console.describe',
  'preferences.show',
  'queue.show',
  'file.suggest',
])

/** main/serve/socket-face.ts CLOSE_CODES. */
const STOPPED = 4000
const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 10_000
/** Never opened this often in a row: the server may refuse this browser, which a WebSocket does not tell; the page's own address does. */
const ASK_WHY_AFTER = 2

/** Connects, and connects again whenever the connection breaks, until the console says that it ends. */
export function openSocketContract(address: string): SocketContract {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const resyncs = new Set<() => void>()
  const open = new Map<number, { readonly name: string; readonly answer: (given: Envelope<never>) => void }>()
  const waiting: string[] = []
  let socket: WebSocket | null = null
  let welcomed = false
  let seen: number | null = null
  let numberedBy = ''
  let ids = 0
  let failures = 0
  let lostAt: string | null = null
  let timer: number | null = null
  let shutOut = false

  const show = (connection: Connection) => useConnection.setState({ connection })

  function connect(): void {
    timer = null
    const opening = new WebSocket(seen === null ? address : `${address}?seen=${seen}&by=${numberedBy}`)
    socket = opening
    welcomed = false
    opening.addEventListener('message', ({ data }) => {
      if (socket === opening) receive(JSON.parse(String(data)))
    })
    opening.addEventListener('close', ({ code, reason }) => {
      if (socket !== opening) return
      socket = null
      lose(code, reason)
    })
  }

  function receive(message: Readonly<Record<string, unknown>>): void {
    if (typeof message.id === 'number') {
      open.get(message.id)?.answer(message.answer as Envelope<never>)
      open.delete(message.id)
      return
    }
    if (typeof message.hello === 'object' && message.hello !== null) {
      const hello = message.hello as { readonly n: number; readonly resumed: boolean; readonly numberedBy: string }
      const { n, resumed } = hello
      numberedBy = hello.numberedBy
      const again = seen !== null && !resumed
      seen = n
      welcomed = true
      failures = 0
      lostAt = null
      show({ kind: 'connected' })
      for (const text of waiting.splice(0)) socket?.send(text)
      if (again) for (const each of resyncs) each()
      return
    }
    if (typeof message.n === 'number' && typeof message.event === 'string') {
      seen = message.n
      for (const listener of listeners.get(message.event) ?? []) listener(message.payload as never)
    }
  }

  function lose(code: number, reason: string): void {
    lostAt ??= new Date().toISOString()
    waiting.length = 0
    for (const { name, answer } of open.values()) answer({ ok: false, failure: lostFailure(name) })
    open.clear()
    failures += 1
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
    // A stopped console may be started again on the same port, and is looked for all the same.
    show(
      code === STOPPED
        ? { kind: 'ended', since: lostAt, why: reason }
        : { kind: 'lost', since: lostAt, nextTryAt: new Date(Date.now() + delay).toISOString() },
    )
    timer = window.setTimeout(() => void tryAgain(), delay)
  }

  async function tryAgain(): Promise<void> {
    timer = null
    shutOut = false
    if (failures >= ASK_WHY_AFTER && (await isShutOut())) {
      shutOut = true
      show({
        kind: 'ended',
        since: lostAt ?? new Date().toISOString(),
        why: 'The console was started anew and does not know this browser. Open the address it printed.',
      })
      return
    }
    connect()
  }

  const hurry = () => {
    // A browser that was shut out may have been let in meanwhile, in another tab.
    if ((timer === null && !shutOut) || document.visibilityState !== 'visible') return
    if (timer !== null) window.clearTimeout(timer)
    void tryAgain()
  }
  document.addEventListener('visibilitychange', hurry)
  window.addEventListener('online', hurry)
  connect()

  return {
    ask: (name, input) =>
      new Promise(resolve => {
        if (socket === null) {
          resolve({ ok: false, failure: lostFailure(name) })
          return
        }
        ids += 1
        open.set(ids, { name, answer: resolve as (given: Envelope<never>) => void })
        const text = JSON.stringify({ id: ids, ask: name, input })
        if (welcomed) socket.send(text)
        else waiting.push(text)
      }),
    listen: (name, onEvent) => {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known)
      const listener = onEvent as (payload: never) => void
      known.add(listener)
      return () => known.delete(listener)
    },
    onResync: again => {
      resyncs.add(again)
      return () => resyncs.delete(again)
    },
  }
}

/** Whether the console answers, but not to this browser. */
async function isShutOut(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).status === 403
  } catch {
    return false
  }
}

function lostFailure(name: string): Failure {
  return READS.has(name)
    ? {
        code: 'unreachable',
        message: 'The connection to the console broke. It is tried again by itself.',
        retryable: true,
      }
    : {
        code: 'unreachable',
        message:
          'The connection to the console broke before its answer came: it may or may not have been done. Look at the runs and at the node before you try again.',
        retryable: false,
      }
}
