import type { RunControl } from '../../shared/domain/run-control.ts'

/** What an operator may answer to an open question of a run. */
export type GateAnswer = Extract<RunControl, { kind: 'answer' }>

/** The open question of a run: at most one at a time. */
export interface Gate {
  open(gateId: string, choices: readonly GateAnswer['choice'][]): void
  close(): void
  /** Takes an answer to the open question; one to another question, or of a choice not offered, is not taken. */
  answer(answer: GateAnswer): boolean
  /** Resolves with the answer, or null when `wake` resolves first. */
  wait(wake: Promise<void>): Promise<GateAnswer | null>
}

export function createGate(): Gate {
  let current: { readonly gateId: string; readonly choices: readonly GateAnswer['choice'][] } | null = null
  let given: GateAnswer | null = null
  let tell: (() => void) | null = null
  return {
    open: (gateId, choices) => {
      current = { gateId, choices }
      given = null
    },
    close: () => {
      current = null
    },
    answer: answer => {
      if (current?.gateId !== answer.gateId || !current.choices.includes(answer.choice)) return false
      given = answer
      tell?.()
      return true
    },
    wait: async wake => {
      if (given === null) await Promise.race([wake, new Promise<void>(resolve => (tell = resolve))])
      tell = null
      return given
    },
  }
}
