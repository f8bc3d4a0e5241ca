import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { DemoState } from '../../shared/contract/index.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import type { Foundation } from './foundation.ts'

/** The history of a demo: runs of its engine on its clouds (bin/play-demo-history.ts). */
interface DemoHistory {
  /** Ends what is being played; the next demo plays it again. */
  stop(): Promise<void>
}

/**
 * Opens the history that bin/demo names: a file that was played before, or a program that plays it now, beside the demo. Without either the demo
 * begins empty.
 */
export function openDemoHistory(
  { journal, driver, log, demo }: Pick<Foundation, 'journal' | 'driver' | 'log' | 'demo'>,
  onProgress: (history: DemoState['history']) => void,
): DemoHistory {
  const { LOCKKEEPER_DEMO_HISTORY: file = '', LOCKKEEPER_DEMO_PLAYER: player = '' } = process.env
  const nothing = { stop: async () => {} }
  if (demo === null || file === '') return nothing
  const take = () => {
    const taken = journal.care.importFrom({ file, by: driver })
    if (!taken.ok) log.warn('demo-without-history', { message: taken.failure.message })
  }
  if (player === '') {
    take()
    return nothing
  }
  const env = { ...process.env, LOCKKEEPER_DEMO_HISTORY: '', LOCKKEEPER_DEMO_PLAYER: '' }
  const child = spawn(player, [file], { stdio: ['ignore', 'pipe', 'ignore'], env })
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  createInterface({ input: child.stdout }).on('line', line => {
    const read = DemoState.shape.history.safeParse(jsonOf(line))
    if (read.success && read.data !== null) onProgress(read.data)
  })
  let isStopped = false
  const ended = new Promise<void>(resolve => {
    child.once('error', () => resolve())
    child.once('close', code => {
      if (code === 0 && !isStopped) take()
      else if (!isStopped) log.warn('demo-without-history', { exit: code })
      resolve()
    })
  }).then(() => {
    process.off('exit', kill)
    if (!isStopped) onProgress(null)
  })
  return {
    stop: async () => {
      isStopped = true
      kill()
      await ended
    },
  }
}
