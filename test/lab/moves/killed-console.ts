import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { inJournal, runDrivenBy } from '../../fixtures/cli/killed-driver.ts'
import { type CliAnswer, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { createDice } from '../../simulation/dice.ts'
import type { LabConsole } from '../roles/lab-console.ts'

/** How a run was driven: what the last process said, and how often one was killed under way. */
export interface Driven {
  readonly runId: string
  readonly answer: CliAnswer
  readonly kills: number
  /** What all processes said, one after the other. */
  readonly said: string
}

/** Drives runs of a console to their end, or to a question, and kills who drives with SIGKILL at random moments. */
export interface Driver {
  /** The dice it goes by: LOCKKEEPER_SEED throws them again. */
  readonly seed: string
  /** Kills at most this often; `begun` gets the run's id when it is in the journal. */
  drive(args: readonly string[], kills: number, begun?: (runId: string) => void): Promise<Driven>
}

const Finished = z.object({ outcome: z.string() })

/** The longest that a process drives before it is killed. */
const LONGEST_MS = 14_000
/** The longest delay of a kill after an announcement; Nova's answer takes about as long. */
const SOON_MS = 700

export function createDriver(desk: LabConsole): Driver {
  const seed = process.env.LOCKKEEPER_SEED ?? String(Date.now())
  const dice = createDice(seed)
  const announced = (runId: string) =>
    inJournal(
      desk.dataDirectory,
      journal => {
        const like = '%"announces":true%'
        return Number(
          journal.prepare('SELECT count(*) AS n FROM events WHERE run_id = ? AND body LIKE ?').get(runId, like)?.n,
        )
      },
      0,
    )
  const outcomeOf = (runId: string) =>
    inJournal(
      desk.dataDirectory,
      journal => {
        const like = '%"kind":"run-finished"%'
        const row = journal.prepare('SELECT body FROM events WHERE run_id = ? AND body LIKE ?').get(runId, like)
        return row === undefined ? null : Finished.parse(JSON.parse(String(row.body))).outcome
      },
      null,
    )

  return {
    seed,
    drive: async (args, most, begun) => {
      let said = ''
      let kills = 0
      let runId: string | null = null
      for (let words = args; ; ) {
        const driving = startLockkeeper(desk.dataDirectory, words)
        const pid = must(driving.child.pid, 'the process began')
        let ended = false
        const finished = driving.finished.finally(() => {
          ended = true
        })
        let drives: string | null = null
        while (!ended && drives === null) {
          await pause(20)
          drives = runDrivenBy(desk.dataDirectory, pid)
        }
        if (drives !== null && runId === null) begun?.(drives)
        runId ??= drives
        if (kills < most && drives !== null) await killAtRandom(driving.child, drives, () => ended)
        const answer = await finished
        said += `${answer.stdout}${answer.stderr}`
        if (runId === null) throw new Error(`No run began: ${said}`)
        if (answer.signal !== 'SIGKILL') return { runId, answer, kills, said }
        kills += 1
        said += `\n--- killed (${kills}) ---\n`
        // It may be over and not gone yet: resuming it would be refused.
        const outcome = outcomeOf(runId)
        if (outcome !== null) return { runId, answer: { ...answer, code: outcome === 'done' ? 0 : 1 }, kills, said }
        words = ['run', 'resume', runId]
      }
    },
  }

  /** Kills at a random time, or right after an announcement: then a process knows least about its effect. */
  async function killAtRandom(
    child: { kill(signal: 'SIGKILL'): boolean },
    runId: string,
    hasEnded: () => boolean,
  ): Promise<void> {
    const until = performance.now() + dice.random() * LONGEST_MS
    const waitsForWord = dice.chance(0.6)
    const known = announced(runId)
    while (!hasEnded() && performance.now() < until) {
      await pause(10)
      if (!waitsForWord || announced(runId) === known) continue
      await pause(dice.random() * SOON_MS)
      break
    }
    if (!hasEnded()) child.kill('SIGKILL')
  }
}
