import { readdirSync, readFileSync } from 'node:fs'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** The machine on which processes run, as far as it tells who it is. */
export interface ThisMachine {
  readonly name: string
  /** What a machine keeps over its boots; null: it has none. */
  readonly id: string | null
  /** Its boot and, behind a space, the pid namespace: a number of a process means something within these alone. Null: it does not tell. */
  readonly boot: string | null
}

/** A process group as it was noted when it began: by its number, and by the time at which its first process began, which no later process has. */
interface NotedGroup {
  readonly group: number
  /** As /proc tells it (`starttime`); null: this machine does not tell. */
  readonly began: string | null
  readonly machine: ThisMachine
}

/** Whether processes of a noted group are there. `leads`: the one it began with is; null: this machine does not tell, nor whether it is still the same group. */
export type ProcessGroupState =
  | { readonly kind: 'there'; readonly leads: boolean | null }
  | { readonly kind: 'gone'; readonly why: Finding }
  | { readonly kind: 'cannot-tell'; readonly why: Finding }

/** Looks whether a noted group is there: a number that another process has got since is not taken for it, and what cannot be told is not guessed. */
export function stateOfGroup({ group, began, machine }: NotedGroup, here: ThisMachine): ProcessGroupState {
  if (machine.boot === null || here.boot === null) return withoutProc(group, machine, here)
  if (machine.boot !== here.boot) return ofAnotherBoot(machine, here)
  const first = statOf(group)
  if (first !== null && first.began !== began) {
    return { kind: 'gone', why: because('CommandGroupReused', { group }) }
  }
  if (first !== null && !isOver(first)) return { kind: 'there', leads: true }
  return isNobodyThere(group) ? GONE : amongAll(group)
}

/** When a process began, as /proc tells it; null: it is not there, or nothing tells. */
export function beginningOf(pid: number): string | null {
  return statOf(pid)?.began ?? null
}

const GONE: ProcessGroupState = { kind: 'gone', why: because('CommandGroupGone') }

function withoutProc(group: number, machine: ThisMachine, here: ThisMachine): ProcessGroupState {
  if (machine.name !== here.name) return elsewhere(machine)
  return isNobodyThere(group) ? GONE : { kind: 'there', leads: null }
}

function ofAnotherBoot(machine: ThisMachine, here: ThisMachine): ProcessGroupState {
  const isSame = machine.name === here.name && machine.id !== null && machine.id === here.id
  const [booted, bootedHere] = [machine.boot?.split(' ')[0], here.boot?.split(' ')[0]]
  if (booted === bootedHere) {
    return {
      kind: 'cannot-tell',
      why: because('CommandBegunInOtherContainer', { machine: machine.name }),
    }
  }
  return isSame
    ? { kind: 'gone', why: because('CommandMachineRestarted', { machine: machine.name }) }
    : elsewhere(machine)
}

function elsewhere({ name }: ThisMachine): ProcessGroupState {
  return { kind: 'cannot-tell', why: because('CommandBegunElsewhere', { machine: name }) }
}

/** The group's first process is over: others of it may go on. One that ended and was not fetched by its parent counts as none. */
function amongAll(group: number): ProcessGroupState {
  let ended = false
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = statOf(Number(entry))
    if (stat?.group !== group) continue
    if (!isOver(stat)) return { kind: 'there', leads: false }
    ended = true
  }
  // It may have ended between the two looks; or /proc shows no processes of other users.
  if (ended || isNobodyThere(group)) return GONE
  return { kind: 'cannot-tell', why: because('CommandGroupHidden', { group }) }
}

function isNobodyThere(group: number): boolean {
  try {
    process.kill(-group, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

interface Stat {
  readonly state: string
  readonly group: number
  readonly began: string
}

/** proc(5): the name of the process stands in parentheses and may hold any of them, so what follows is counted from the last. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, group, began] = [fields[0], Number(fields[2]), fields[19]]
    return state === undefined || began === undefined ? null : { state, group, began }
  } catch {
    return null
  }
}

function isOver({ state }: Stat): boolean {
  return state === 'Z' || state === 'X'
}
