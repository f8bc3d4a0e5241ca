import type { RunControl } from '../../../shared/domain/run-control.ts'

type GateAnswer = Extract<RunControl, { kind: 'answer' }>

/** The open questions of a run; each lane of a batch may have one. */
export interface Gates {
  isAnyOpen(): boolean
  /** Opens a question with its choices; a question that is already open stays as it is. */
  open(gateId: string, choices: readonly GateAnswer['choice'][]): void
  close(gateId: string): void
  /** Takes an answer to an open question; false for another question, or a choice that was not offered. */
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
