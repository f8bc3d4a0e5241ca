import { readdirSync, readFileSync } from 'node:fs'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export interface ThisMachine {
  readonly name: string
  /** A machine id that survives reboots; null if it has none. */
  readonly id: string | null
  /** Its boot id and pid namespace, separated by a space: process numbers are only valid within both. Null if unknown. */
  readonly boot: string | null
}

/** A process group as noted at its start: its number and the start time of its first process, which no later process shares. */
interface NotedGroup {
  readonly group: number
  /** `starttime` from /proc; null if not available on this machine. */
  readonly began: string | null
  readonly machine: ThisMachine
}

/** Whether processes of a noted group exist. `leads`: its first process exists; null if this machine cannot say, nor whether it is the same group. */
export type ProcessGroupState =
  | { readonly kind: 'there'; readonly leads: boolean | null }
  | { readonly kind: 'gone'; readonly why: Finding }
  | { readonly kind: 'cannot-tell'; readonly why: Finding }

/** Checks whether a noted group still exists. A reused number does not count, and what cannot be read stays unknown. */
export function stateOfGroup({ group, began, machine }: NotedGroup, here: ThisMachine): ProcessGroupState {
  if (machine.boot === null || here.boot === null) return stateWithoutProc(group, machine, here)
  if (machine.boot !== here.boot) return stateAfterOtherBoot(machine, here)
  const first = statOf(group)
  if (first !== null && first.began !== began) {
    return { kind: 'gone', why: because('CommandGroupReused', { group }) }
  }
  if (first !== null && !isZombie(first)) return { kind: 'there', leads: true }
  return hasNoProcess(group) ? GONE : stateByProc(group)
}

export function beginningOf(pid: number): string | null {
  return statOf(pid)?.began ?? null
}

const GONE: ProcessGroupState = { kind: 'gone', why: because('CommandGroupGone') }

function stateWithoutProc(group: number, machine: ThisMachine, here: ThisMachine): ProcessGroupState {
  if (machine.name !== here.name) return elsewhere(machine)
  return hasNoProcess(group) ? GONE : { kind: 'there', leads: null }
}

function stateAfterOtherBoot(machine: ThisMachine, here: ThisMachine): ProcessGroupState {
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

/** The group's first process has ended; others may still run. A zombie does not count. */
function stateByProc(group: number): ProcessGroupState {
  let ended = false
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = statOf(Number(entry))
    if (stat?.group !== group) continue
    if (!isZombie(stat)) return { kind: 'there', leads: false }
    ended = true
  }
  // It may have ended between the two checks, or /proc hides processes of other users.
  if (ended || hasNoProcess(group)) return GONE
  return { kind: 'cannot-tell', why: because('CommandGroupHidden', { group }) }
}

function hasNoProcess(group: number): boolean {
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

/** proc(5): the process name in parentheses may itself contain parentheses, so fields are counted from the last one. */
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

function isZombie({ state }: Stat): boolean {
  return state === 'Z' || state === 'X'
}
