import { readFileSync } from 'node:fs'

/** What a command cost. */
export interface Cost {
  /** User and system time, by the kernel's own count. */
  readonly processorMs: number
  readonly wallMs: number
}

const MS_A_TICK = 10

/** The cost of a command that ends while it is measured, with all that it starts and waits for. No other child may end at the same time. */
export async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const before = childTicks()
  const began = performance.now()
  await work()
  return { wallMs: performance.now() - began, processorMs: (childTicks() - before) * MS_A_TICK }
}

/** cutime and cstime (proc_pid_stat(5)), in ticks of a hundredth of a second. */
function childTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[13]) + Number(fields[14])
}
