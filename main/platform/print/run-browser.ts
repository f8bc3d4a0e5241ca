import { spawn } from 'node:child_process'
import type { Clock } from '../clock/clock.ts'

type BrowserEnd =
  | { readonly kind: 'ended'; readonly code: number | null; readonly said: string }
  | { readonly kind: 'not-started'; readonly why: string }
  | { readonly kind: 'too-long' }

/** How much of its output is kept for messages. */
const MOST_SAID = 2_000
/** How long it may take to end after SIGTERM. */
const GRACE_MS = 2_000
/** How long to wait for its last output after it ended; a remaining helper may keep its standard error open. */
const LAST_WORDS_MS = 500

/** Runs a browser to its end; one that takes too long is killed with its child processes. */
export async function runBrowser(
  path: string,
  args: readonly string[],
  clock: Clock,
  withinMs: number,
): Promise<BrowserEnd> {
  const over = new AbortController()
  // A separate process group: a browser has several processes, and all must end.
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: process.platform !== 'win32' })
  let said = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    if (said.length < MOST_SAID) said += text.slice(0, MOST_SAID - said.length)
  })
  const ended = new Promise<BrowserEnd>(resolve => {
    child.once('error', reason => resolve({ kind: 'not-started', why: reason.message }))
    child.once('exit', code => {
      const received = new AbortController()
      child.once('close', () => received.abort())
      void clock.sleep(LAST_WORDS_MS, received.signal).then(() => resolve({ kind: 'ended', code, said }))
    })
  })
  const late = clock.sleep(withinMs, over.signal).then((): BrowserEnd => ({ kind: 'too-long' }))
  const first = await Promise.race([ended, late])
  over.abort()
  if (first.kind === 'too-long') {
    stop(child.pid, 'SIGTERM')
    const gone = new AbortController()
    await Promise.race([ended, clock.sleep(GRACE_MS, gone.signal)])
    gone.abort()
  }
  // Remaining helpers may still write to the profile, which is removed next.
  stop(child.pid, 'SIGKILL')
  return first
}

function stop(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended already.
  }
}
