import type { RunControl } from '../../../shared/domain/run-control.ts'

/** What an operator may answer to an open question of a run. */
type GateAnswer = Extract<RunControl, { kind: 'answer' }>

/** The open questions of a run: lanes that run side by side may each have one. */
export interface Gates {
  /** True while any question is open. */
  isAnyOpen(): boolean
  /** An open question stays as it is, with the answer it may have. */
  open(gateId: string, choices: readonly GateAnswer['choice'][]): void
  close(gateId: string): void
  /** Takes an answer to an open question; one to another question, or of a choice not offered, is not taken. */
  answer(answer: GateAnswer): boolean
  /** Resolves with the answer, or null when `wake` resolves first. */
  wait(gateId: string, wake: Promise<void>): Promise<GateAnswer | null>
}

interface Open {
  readonly choices: readonly GateAnswer['choice'][]
  given: GateAnswer | null
  report: () => void
}

export function createGates(): Gates {
  const all = new Map<string, Open>()
  return {
    isAnyOpen: () => all.size > 0,
    open: (gateId, choices) => {
      if (!all.has(gateId)) all.set(gateId, { choices, given: null, report: () => {} })
    },
    close: gateId => {
      all.delete(gateId)
    },
    answer: answer => {
      const asked = all.get(answer.gateId)
      if (asked === undefined || !asked.choices.includes(answer.choice)) return false
      asked.given = answer
      asked.report()
      return true
    },
    wait: async (gateId, wake) => {
      const asked = all.get(gateId)
      if (asked === undefined) return null
      if (asked.given === null) {
        await Promise.race([
          wake,
          new Promise<void>(resolve => {
            asked.report = resolve
          }),
        ])
      }
      return asked.given
    },
  }
}
